/** `.counterproof/` at the tree's top: ignores itself in git, and is never followed elsewhere. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { codeOf, look } from './durable.js';
import { OWN_FOLDER } from './names.js';
import { refusalOf } from './refusal.js';

/** Makes sure that the folder is there; gives its absolute path, or in one sentence why not. */
export async function prepareOwnFolder(tree: string): Promise<Result<string, string>> {
  const folder = join(tree, OWN_FOLDER);
  try {
    // Node's recursive way answers ENOENT where the file system is read-only.
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST')
      return err(`${folder} cannot be made: ${refusalOf(error, tree)}`);
  }
  // A committed symlink would send what we write to any place of the user's.
  if ((await look(folder))?.isDirectory() !== true) {
    return err(
      `${folder} is a symlink or no folder; remove it, so that nothing is written elsewhere`,
    );
  }
  try {
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      return err(`${folder} cannot be written: ${refusalOf(error, folder)}`);
    }
  }
  return ok(folder);
}
