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
    return err(`${folder} cannot be made: ${reasonOf(error)}${hintOf(error, tree)}`);
  }
  // A committed symlink would send what we write to any place of the user's.
  if ((await look(folder))?.isDirectory() !== true) {
    return err(`${folder} is a symlink; remove it, so that nothing is written elsewhere`);
  }
  try {
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      return err(`${folder} cannot be written: ${reasonOf(error)}${hintOf(error, folder)}`);
    }
  }
  return ok(folder);
}

/** What a person can do about it, where the system's words do not say. */
function hintOf(error: unknown, folder: string): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
      return `; the file system of ${folder} has no room left, or no inode: \`df\` and \`df -i\` show which`;
    case 'EDQUOT':
      return `; your quota on the file system of ${folder} is used up`;
    case 'EACCES':
    case 'EPERM':
      return '; does another user own it?';
    default:
      return '';
  }
}
