import { nearest } from '../spec/distance.js';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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
  return async (test) => {
    const [file = '', ...scopes] = test.replace(/\[.*$/s, '').split('::');
    // A folder, a pattern or an id of another shape: only the real collection knows.
    if (!file.endsWith('.py') || file.includes('*')) return null;
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
