import { existsSync } from 'node:fs';
import path from 'node:path';
import { trackedFiles } from '../../git/tree.js';

const LOCKFILE = 'Cargo.lock';

const lockfileOf = (workspace: string): string => path.join(workspace, LOCKFILE);

/**
 * Notes that cargo wrote a lock file where there was none: it stays, and is nobody's edit.
 *
 * @param before absolute folder of the workspace before the first build
 */
export function createLockfileNotes(before: string): (workspace: string) => readonly string[] {
  const hadOne = existsSync(lockfileOf(before));
  return (workspace) =>
    hadOne || !existsSync(lockfileOf(workspace))
      ? []
      : ['cargo wrote Cargo.lock, which was not there before'];
}

/** A lock file that git keeps is not to be written by a build that only looks. */
export async function lockArguments(
  tree: string,
  workspace: string,
  given: readonly string[],
): Promise<readonly string[]> {
  if (given.includes('--locked') || given.includes('--frozen')) return [];
  if (!existsSync(lockfileOf(workspace))) return [];
  const tracked = await trackedFiles(tree);
  const name = path.relative(tree, lockfileOf(workspace)).replaceAll(path.sep, '/');
  return tracked.ok && tracked.value.paths.includes(name) ? ['--locked'] : [];
}
