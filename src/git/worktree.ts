/** A commit laid out whole, in a folder of its own beside the working tree. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ok, type Result } from '../result.js';
import { git, type GitProblem } from './run.js';

/**
 * Checks a commit out into a folder, which is taken away first if it is there. Submodules are
 * not filled.
 *
 * @param folder absolute; nobody else's
 */
export async function layOut(
  tree: string,
  commit: string,
  folder: string,
): Promise<Result<null, GitProblem>> {
  await takeAway(tree, folder);
  await mkdir(dirname(folder), { recursive: true });
  const added = await git(tree, [
    'worktree',
    'add',
    '--quiet',
    '--force',
    '--detach',
    folder,
    commit,
  ]);
  return added.ok ? ok(null) : added;
}

/** Takes such a folder away, and what git remembers of it. Harmless where there is none. */
export async function takeAway(tree: string, folder: string): Promise<void> {
  await git(tree, ['worktree', 'remove', '--force', '--force', folder]);
  await rm(folder, { recursive: true, force: true });
  await git(tree, ['worktree', 'prune']);
}
