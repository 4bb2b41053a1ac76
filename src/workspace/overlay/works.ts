/** Whether what is written over the tree stays out of it: tried at the start, and looked at after. */
import { mkdir, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checksum } from '../checksum.js';
import { reasonOf } from '../durable.js';
import type { PlannedEdit } from '../inspect.js';
import { OWN_FOLDER } from '../names.js';
import { TRIED_FILE, TRIED_FOLDER } from './layers.js';

/** The one thing that must never be: a mutant in the user's own file. */
export async function assertUntouched(
  real: string,
  planned: readonly PlannedEdit[],
): Promise<void> {
  for (const { record } of planned) {
    if ((await checksum(join(real, record.path))) === record.after)
      throw new Error(`Internal error: the overlay let a mutant through to ${record.path}`);
  }
}

/**
 * Tries in our own folder what edits and tests do: some file systems mount as an upper layer and
 * then cannot note what was deleted or replaced. One sentence; null: all works.
 */
export async function selfTest(tree: string, real: string): Promise<string | null> {
  const folder = join(tree, OWN_FOLDER, TRIED_FOLDER);
  const file = join(folder, TRIED_FILE);
  const other = join(real, OWN_FOLDER, TRIED_FOLDER, TRIED_FILE);
  try {
    await writeFile(file, 'written');
    await unlink(file);
    await rmdir(folder);
    await mkdir(folder);
    await writeFile(file, 'anew');
    const { size } = await stat(other);
    return size === 0 ? null : 'what is written over the tree arrives in it';
  } catch (error) {
    return `files cannot be changed in an overlay here: ${reasonOf(error)}`;
  }
}
