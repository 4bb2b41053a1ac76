import { nearest } from '../spec/distance.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namesInPython } from '../mutation/python-names.js';
import type { VerdictText } from '../proof/verdict-text.js';

/** Looks names up in the text of Python files, each read once. */
export function createTextLookup(root: string): {
  readonly problemOf: (test: string) => Promise<VerdictText | null>;
} {
  const names = new Map<string, ReadonlySet<string> | null>();
  const namesOf = async (file: string): Promise<ReadonlySet<string> | null> => {
    const known = names.get(file);
    if (known !== undefined) return known;
    const found = await readFile(join(root, file)).then(namesInPython, () => null);
    names.set(file, found);
    return found;
  };
  return {
    async problemOf(test) {
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
    },
  };
}
