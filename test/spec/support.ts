import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../src/spec/config.js';
import type { Config, Diagnostic, MutationSpec } from '../../src/spec/model.js';
import { makeSource } from '../../src/spec/source.js';
import { readSpecFile } from '../../src/spec/spec-file.js';

/** A temporary folder with these files in it; its name has a blank and letters beyond ASCII. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const top = mkdtempSync(join(tmpdir(), 'counterproof spéc '));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), content);
  }
  return top;
}

/** `line:col message`, one for each diagnostic. */
export const brief = (list: readonly Diagnostic[]): readonly string[] =>
  list.map(({ where, message }) => `${where.line}:${where.col} ${message}`);

export function configFrom(text: string, file = 'counterproof.yaml'): Config {
  const config = parseConfig(makeSource(file, text), { root: '/project', file: null });
  if (!config.ok) throw new Error(brief(config.error).join('\n'));
  return config.value;
}

export const NO_LANES: Config = configFrom('');
export const TWO_LANES: Config = configFrom(
  'lanes: { unit: { runner: pytest }, slow: { runner: pytest } }',
);

const bounds = { root: '/project/part', tree: '/project' };

export const faultsIn = (text: string, config = NO_LANES): readonly Diagnostic[] =>
  readSpecFile(makeSource('mutations/a.yaml', text), { bounds, config }).faults;

/** The mutations of a spec that has no fault. */
export function mutationsIn(text: string, config = NO_LANES): readonly MutationSpec[] {
  const { mutations, faults } = readSpecFile(makeSource('mutations/a.yaml', text), {
    bounds,
    config,
  });
  if (faults.length > 0) throw new Error(brief(faults).join('\n'));
  return mutations;
}

/** A spec of one mutation, whose own fields start on line 4, two columns in. */
export const specWith = (fields: string): string =>
  `version: 1\nmutations:\n- id: one\n${indented(fields, '  ')}\n`;

/** Like `specWith`, complete but for the fields given. */
export const completeWith = (fields: string): string =>
  specWith(
    `${fields}\nfile: src/a.py\ndelete: true${/^flips/m.test(fields) ? '' : '\nflips: any'}`,
  );

const indented = (text: string, indent: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
