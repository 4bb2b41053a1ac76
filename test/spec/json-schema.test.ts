import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { initialConfig, initialLanes, initialSpecs } from '../../src/spec/init.js';
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
    expect(examples('yaml spec')).toHaveLength(5);
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

const KINDS = [
  { pytest: true, cargo: false },
  { pytest: false, cargo: true },
  { pytest: true, cargo: true },
];

describe.each(KINDS)('what init writes for %j', (kinds) => {
  const withComments = (text: string): string => text.replace(/^( *)# (?=\w+: )/gm, '$1');

  test('loads', () => {
    const config = configFrom(initialConfig(kinds));
    const lanes = [...(kinds.pytest ? ['unit'] : []), ...(kinds.cargo ? ['crate'] : [])];
    expect(config.lanes.map(({ name }) => name)).toEqual(lanes);
    expect(config.defaults.lane).toBe(lanes[0]);
    const mutations = Object.values(initialSpecs(initialLanes(kinds))).flatMap((text) =>
      mutationsIn(text, config),
    );
    expect(mutations.map(({ lane, role }) => [lane, role])).toEqual(
      lanes.flatMap((lane) => [
        [lane, 'mutation'],
        [lane, 'liveness'],
      ]),
    );
    expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
  });

  test('loads with its comments too', () => {
    const config = configFrom(withComments(initialConfig(kinds)));
    const pytest = config.lanes.find(({ runner }) => runner === 'pytest');
    if (kinds.pytest)
      expect(pytest).toMatchObject({ select: 'not slow', paths: ['tests'], slots: 1 });
    const cargo = config.lanes.find(({ runner }) => runner === 'cargo');
    if (kinds.cargo)
      expect(cargo).toMatchObject({ packages: ['my-crate'], targets: ['lib', 'test:decoder'] });
    for (const text of Object.values(initialSpecs(initialLanes(kinds))))
      expect(mutationsIn(withComments(text), config)[0]?.controls).toHaveLength(1);
  });
});

const INITIAL_CONFIGS = KINDS.map(initialConfig);
const INITIAL_SPECS = KINDS.flatMap((kinds) => Object.values(initialSpecs(initialLanes(kinds))));

describe('the JSON Schemas', () => {
  test.each([...examples('yaml spec'), ...INITIAL_SPECS])('accept %j', (text) => {
    expect(accepts(specJsonSchema(), parse(text))).toBe(true);
  });

  test.each([...examples('yaml config'), ...INITIAL_CONFIGS])('accept %j', (text) => {
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
