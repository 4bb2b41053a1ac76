/** A commit laid out whole, in a folder of its own beside the working tree. */
import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../home-folder.js';
import { err, ok, type Result } from '../result.js';
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
  try {
    await makeFolders(dirname(folder), 0o700);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err({ kind: 'failed', message: `${dirname(folder)} cannot be made: ${why}` });
  }
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

/**
 * Takes such a folder away, and what git remembers of it. Harmless where there is none.
 *
 * Never `git worktree prune`: it forgets every worktree whose folder is away just now, and a disk
 * that is not mounted holds somebody's.
 */
export async function takeAway(tree: string, folder: string): Promise<void> {
  const removed = await git(tree, ['worktree', 'remove', '--force', '--force', folder]);
  await rm(folder, { recursive: true, force: true });
  if (!removed.ok) await forget(tree, folder);
}

/** What git does not remove, because its files are damaged. */
async function forget(tree: string, folder: string): Promise<void> {
  const common = await git(tree, ['rev-parse', '--git-common-dir']);
  if (!common.ok) return;
  const entries = resolve(tree, common.value.toString('utf8').trimEnd(), 'worktrees');
  const wanted = await realPlace(join(folder, '.git'));
  for (const name of await readdir(entries).catch(() => [])) {
    const entry = join(entries, name);
    const leadsTo = await readFile(join(entry, 'gitdir'), 'utf8').catch(() => null);
    if (leadsTo === null) continue;
    // It is relative where git is set up that way.
    if ((await realPlace(resolve(entry, leadsTo.trimEnd()))) === wanted)
      await rm(entry, { recursive: true, force: true });
  }
}

/** Symlinks resolved as far as the path is there. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPlace(above), basename(path));
  }
}
