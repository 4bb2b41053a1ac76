/** The folders on the way to a mutated file: made again where they went, removed where we made them. */
import { mkdir, rmdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { codeOf, isAbsent, look } from './durable.js';
import type { JournalledFile } from './entry.js';
import type { PutBackContext } from './put-back.js';
import type { KeptWork } from './workspace.js';

/** Innermost first, and only while they are empty. Gives those that are still there. */
export async function removeFolders(folders: readonly string[], tree: string): Promise<string[]> {
  const left: string[] = [];
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(join(tree, folder));
    } catch (error) {
      if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') left.unshift(folder);
      else if (!isAbsent(error)) throw error;
    }
  }
  return left;
}

/**
 * A folder that is gone is made again; a link or a file in its place is set aside, so that
 * nothing is written through it to elsewhere.
 */
export async function remakeFolder(
  file: JournalledFile,
  { journal, keeper, step, note }: PutBackContext,
  kept: KeptWork[],
): Promise<void> {
  await step(`folder back ${file.path}`);
  let path = '';
  for (const part of posix.dirname(file.path).split('/')) {
    path = posix.join(path, part);
    const there = await look(join(journal.tree, path));
    if (there?.isDirectory() === true) continue;
    if (there !== null) kept.push(await keeper.keep(join(journal.tree, path), path));
    await mkdir(join(journal.tree, path));
    note(`${path}/ was no folder any more and was made again`);
  }
}
