import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { initialConfig, initialSpec } from '../../src/spec/init.js';
import { configJsonSchema, jsonSchemaText, specJsonSchema } from '../../src/spec/json-schema.js';
import { accepts } from './json-schema-check.js';
import { configFrom, mutationsIn } from './support.js';

/** Code blocks of the documentation: what stands behind the language says what they are. */
function examples(kind: string): readonly string[] {
  const docs = readFileSync(new URL('../../docs/spec-format.md', import.meta.url), 'utf8');
  return [...docs.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text = '']) => text,
  );
}

const DOCUMENTED = configFrom(examples('yaml config')[0] ?? '');

describe('the schema files are those of this version (vitest -u writes them)', () => {
  test('config.json', async () => {
    await expect(jsonSchemaText(configJsonSchema())).toMatchFileSnapshot(
      '../../schemas/config.json',
    );
  });
  test('spec.json', async () => {
    await expect(jsonSchemaText(specJsonSchema())).toMatchFileSnapshot('../../schemas/spec.json');
  });
});

describe('the documented examples', () => {
  test('are all there', () => {
    expect(examples('yaml spec')).toHaveLength(4);
    expect(examples('yaml config')).toHaveLength(1);
    expect(examples('toml config')).toHaveLength(1);
  });

  test.each(examples('yaml spec'))('a spec loads: %j', (text) => {
    expect(mutationsIn(text, DOCUMENTED).length).toBeGreaterThan(0);
  });

  test('the configurations load', () => {
    expect(DOCUMENTED.lanes.map(({ name, runner }) => [name, runner])).toEqual([
      ['unit', 'pytest'],
      ['smoke', 'pytest'],
      ['decoder', 'cargo'],
      ['web', 'junit'],
    ]);
    const toml = configFrom(examples('toml config')[0] ?? '', 'pyproject.toml');
    expect(toml.defaults.lane).toBe('unit');
    expect(toml.lanes[0]?.limits.stepMs).toBe(600_000);
  });
});

test('what init writes loads', () => {
  const config = configFrom(initialConfig());
  expect(config.lanes.map(({ name }) => name)).toEqual(['unit']);
  expect(mutationsIn(initialSpec(), config).map(({ id, role }) => [id, role])).toEqual([
    ['example', 'mutation'],
    ['alive', 'liveness'],
  ]);
});

test('what init writes in comments loads too', () => {
  const config = configFrom(initialConfig().replace(/^( *)# (?=\w+: )/gm, '$1'));
  expect(config.lanes[0]).toMatchObject({ select: 'not slow', paths: ['tests'], slots: 1 });
  const spec = initialSpec().replace(/^# (?=controls: )/gm, '');
  expect(mutationsIn(spec, config)[0]?.controls).toHaveLength(1);
});

describe('the JSON Schemas', () => {
  test.each([...examples('yaml spec'), initialSpec()])('accept %j', (text) => {
    expect(accepts(specJsonSchema(), parse(text))).toBe(true);
  });

  test.each([...examples('yaml config'), initialConfig()])('accept %j', (text) => {
    expect(accepts(configJsonSchema(), parse(text))).toBe(true);
  });

  const [text = ''] = examples('yaml spec');
  test.each([
    ['an unknown key', `${text}\nunknown: 1\n`],
    ['another version', text.replace('version: 1', 'version: 2')],
    ['no mutation', 'mutations: []'],
    ['two edits of one mutation', text.replace('raise: true', 'raise: true\n    delete: true')],
    ['no edit', text.replace('raise: true', '')],
    ['a mutation without an id', text.replace('- id: alive', '- why: alive')],
    [
      'an acceptance of what is no gap',
      text.replace('raise: true', 'raise: true\n    accept: { verdict: pinned, because: x }'),
    ],
  ])('refuse %s', (_, wrong) => {
    expect(accepts(specJsonSchema(), parse(wrong))).toBe(false);
  });

  const lane = (fields: string) => ({ lanes: { a: parse(`{ ${fields} }`) } });
  test.each([
    ['no runner', 'paths: [tests]'],
    ['an unknown runner', 'runner: tox'],
    ["a field of another runner's lanes", 'runner: pytest, packages: [jail]'],
    ['an unknown target', 'runner: cargo, targets: [benches]'],
    ['junit without a command', 'runner: junit'],
  ])('refuse %s', (_, fields) => {
    expect(accepts(configJsonSchema(), lane(fields))).toBe(false);
  });

  test('let keys of the user pass', () => {
    expect(accepts(specJsonSchema(), parse(`${text}\nx-mine: 1\n`))).toBe(true);
  });

  test('describe every field', () => {
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, field] of Object.entries(Reflect.get(schema, 'properties') ?? {}))
        if (typeof field === 'object' && field !== null && !('description' in field))
          undescribed.push(`${path}.${key}`);
      for (const [key, value] of Object.entries(schema)) visit(value, `${path}.${key}`);
    };
    visit(specJsonSchema(), 'spec');
    visit(configJsonSchema(), 'config');
    expect(undescribed).toEqual([]);
  });
});
