import { existsSync } from 'node:fs';
import path from 'node:path';
import { trackedFiles } from '../../git/tree.js';

const LOCKFILE = 'Cargo.lock';

export const lockfileOf = (workspace: string): string => path.join(workspace, LOCKFILE);

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
