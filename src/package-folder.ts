import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of this package, wherever in it the module that asks was built to. */
export const PACKAGE_FOLDER: string = folderWith('package.json', import.meta.dirname);

function folderWith(name: string, folder: string): string {
  if (existsSync(join(folder, name)) || dirname(folder) === folder) return folder;
  return folderWith(name, dirname(folder));
}
