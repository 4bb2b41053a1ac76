/** Paths as people write them in specs. */
import { posix, resolve, sep } from 'node:path';
import { err, ok, type Result } from '../result.js';

export interface PathProblem {
  readonly message: string;
  readonly hint: string | null;
}

/** The folders that a path starts from, and that it may not leave; absolute. */
export interface PathBounds {
  readonly root: string;
  /** The git top level, or the root itself. */
  readonly tree: string;
}

const problem = (message: string, hint: string | null = null): Result<string, PathProblem> =>
  err({ message, hint });

/**
 * A path relative to the root, with forward slashes, that stays inside the tree.
 * @returns the path in its shortest form: `./src//a.py` is `src/a.py`
 */
export function checkPath(path: string, bounds: PathBounds): Result<string, PathProblem> {
  if (path.trim() === '') return problem('the path is empty');
  if (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith('/') || path.startsWith('\\\\'))
    return problem('the path is absolute', 'Write it relative to the root of the project.');
  if (path.startsWith('~/'))
    return problem('`~` is not expanded', 'Write the path relative to the root of the project.');
  if (path.includes('\\'))
    return problem('the path has a backslash in it', `Write \`${path.replaceAll('\\', '/')}\`.`);
  if (/\p{Cc}/u.test(path)) return problem('the path has a control character in it');
  const short = posix.normalize(path);
  if (short.endsWith('/') || short === '.' || short === '..' || short.endsWith('/..'))
    return problem('the path names a folder, where a file is meant');
  const absolute = resolve(bounds.root, short);
  if (!absolute.startsWith(bounds.tree.endsWith(sep) ? bounds.tree : bounds.tree + sep))
    return problem('the path leads out of the tree', `The tree is ${bounds.tree}.`);
  const first = absolute
    .slice(bounds.tree.length)
    .split(sep)
    .find((part) => part !== '');
  if (first === '.git' || first === '.counterproof')
    return problem(`files in ${first} are never touched`);
  return ok(short);
}
