import { findFiles } from '../spec/find-files.js';
import { nearest } from '../spec/distance.js';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { namesInPython } from '../mutation/python-names.js';
import type { VerdictText } from '../proof/verdict-text.js';
import type { LaneConfig } from '../spec/model.js';
import { createRustLookup } from './rust-lookup.js';

/** What is wrong with the name of a test; null where nothing is, or where only the runner can know. */
type Lookup = (test: string) => Promise<VerdictText | null>;

/** Looks names up in the sources' text, each file read once. */
export function createTextLookup(
  { tree, root }: { readonly tree: string; readonly root: string },
  lanes: readonly LaneConfig[],
): { readonly problemOf: (test: string, lane: string) => Promise<VerdictText | null> } {
  const lookups = new Map<string, Lookup>();
  const python = createPythonLookup(root);
  for (const lane of lanes) {
    const folder = resolve(root, lane.cwd);
    if (lane.runner === 'pytest') lookups.set(lane.name, python);
    if (lane.runner === 'cargo') lookups.set(lane.name, createRustLookup(folder, tree));
  }
  return { problemOf: async (test, lane) => (await lookups.get(lane)?.(test)) ?? null };
}

function createPythonLookup(root: string): Lookup {
  const names = new Map<string, ReadonlySet<string> | null>();
  const namesOf = async (file: string): Promise<ReadonlySet<string> | null> => {
    const known = names.get(file);
    if (known !== undefined) return known;
    const found = await readFile(join(root, file)).then(namesInPython, () => null);
    names.set(file, found);
    return found;
  };
  let files: Promise<readonly string[]> | null = null;
  return async (test) => {
    const [file = '', ...scopes] = test.replace(/\[.*$/s, '').split('::');
    if (!file.endsWith('.py') || file.includes('*')) {
      files ??= pythonFiles(root);
      return groupProblem(file, scopes, { root, files: await files, namesOf });
    }
    const found = await namesOf(file);
    if (found === null)
      return { reason: `there is no file ${file}`, facts: [], next: ['correct the name'] };
    const name = scopes.join('.');
    if (name === '' || name.includes('*') || found.has(name)) return null;
    // A test method may come from a base class in another file.
    const [owner] = scopes;
    if (scopes.length > 1 && owner !== undefined && found.has(owner)) {
      const inherits = found.has(`${owner}(`);
      if (inherits) return null;
    }
    const others = [...found].filter((other) => !other.endsWith('('));
    const near = nearest(name, others).map((other) => [file, ...other.split('.')].join('::'));
    return {
      reason: `${file} has no ${scopes.join('::')}`,
      facts: near.length === 0 ? [] : [`nearest: ${near.join(', ')}`],
      next: ['correct the name'],
    };
  };
}

interface Sources {
  readonly root: string;
  /** Relative to the root. */
  readonly files: readonly string[];
  readonly namesOf: (file: string) => Promise<ReadonlySet<string> | null>;
}

async function pythonFiles(root: string): Promise<readonly string[]> {
  const ignore = ['**/.*/**', '**/node_modules/**'];
  const found = await findFiles('**/*.py', root, { ignore, suppressErrors: true });
  return found.map((file) => relative(root, file).replaceAll(sep, '/'));
}

/** A folder, a pattern or a bare word: it has to fit some file, and what it names one in it. */
async function groupProblem(
  file: string,
  scopes: readonly string[],
  { root, files, namesOf }: Sources,
): Promise<VerdictText | null> {
  const whole = [file, ...scopes].join('::');
  if (!file.includes('*')) {
    // pytest's own root may lie below ours.
    const isThere =
      existsSync(join(root, file)) || files.some((one) => `/${one}`.includes(`/${file}/`));
    if (isThere) return null;
    return {
      reason: `there is no file or folder ${file}`,
      facts: [],
      next: ['correct the name: FILE::TEST, as pytest writes it, or a file or folder of tests'],
    };
  }
  const pattern = fitting(whole);
  // Plugins collect files of other kinds.
  if (/\.(?!py)\w+$/.test(file) || files.some((one) => pattern.test(one))) return null;
  for (const each of files) {
    const names = [...((await namesOf(each)) ?? [])];
    // A class with base classes may have more methods than its text shows.
    if (names.some((one) => one.endsWith('('))) return null;
    if (names.some((one) => pattern.test(`${each}::${one.replaceAll('.', '::')}`))) return null;
  }
  return { reason: `no test fits ${whole}`, facts: [], next: ['correct the pattern'] };
}

/** A pattern goes on where it ends: it stands for all ids that continue it. */
const fitting = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.|?+(){}[\]]/g, '\\$&'))
      .join('.*')}(?:$|/|::)`,
    's',
  );
