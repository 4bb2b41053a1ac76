/** `.counterproof/` at the tree's top: ignores itself in git, and is never followed elsewhere. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { codeOf, look, reasonOf } from './durable.js';
import { OWN_FOLDER } from './names.js';

/** Makes sure that the folder is there; gives its absolute path, or in one sentence why not. */
export async function prepareOwnFolder(tree: string): Promise<Result<string, string>> {
  const folder = join(tree, OWN_FOLDER);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    return err(`${folder} cannot be made: ${reasonOf(error)}`);
  }
  // A committed symlink would send what we write to any place of the user's.
  if ((await look(folder))?.isDirectory() !== true) {
    return err(`${folder} is a symlink; remove it, so that nothing is written elsewhere`);
  }
  try {
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      return err(`${folder} cannot be written: ${reasonOf(error)}; does another user own it?`);
    }
  }
  return ok(folder);
}
