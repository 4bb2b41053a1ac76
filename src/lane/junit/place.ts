/** The line of the tree in which a failure happened, from the text that a runner wrote of it. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { fromUrl } from './ids.js';

export interface PlaceContext {
  /** Absolute, resolved. */
  readonly root: string;
  /** Absolute; runners write paths relative to it. */
  readonly cwd: string;
}

/** `src/a.ts:12:5`, `(file:///tree/src/a.ts:12:5)`, `tests/test_a.py:12: AssertionError`. */
const PLACE = /(?<url>file:\/\/)?(?<file>[^\s()'"`<>[\]|,;]+?\.\w+):(?<line>\d+)\b/g;

/** A deep stack names many files of libraries before one of ours. */
const MOST_TRIED = 40;

/** Code that the project did not write. */
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|\.venv|venv)\//;

/**
 * `path:line` of the first place that is a file below the root, the path relative to the root.
 * Remembers what it looked up: many tests fail in the same few files.
 */
export function placeFinder({ root, cwd }: PlaceContext): (text: string) => string | null {
  const known = new Map<string, string | null>();
  const lookUp = (file: string): string | null => {
    for (const base of new Set([cwd, root])) {
      const full = path.resolve(base, file);
      const name = path.relative(root, full).replaceAll(path.sep, '/');
      if (name.startsWith('../') || path.isAbsolute(name) || FOREIGN.test(name)) continue;
      if (statSync(full, { throwIfNoEntry: false })?.isFile() === true) return name;
    }
    return null;
  };
  return (text) => {
    let tried = 0;
    // The root's own name may hold a space, which ends a path everywhere else.
    for (const { groups } of text.replaceAll(`${root}/`, '').matchAll(PLACE)) {
      const written = groups?.['file'] ?? '';
      const file = groups?.['url'] === undefined ? written : fromUrl(written);
      if (!known.has(file)) {
        tried += 1;
        known.set(file, lookUp(file));
      }
      const name = known.get(file) ?? null;
      if (name !== null) return `${name}:${groups?.['line'] ?? ''}`;
      if (tried === MOST_TRIED) return null;
    }
    return null;
  };
}
