/** Files by a pattern below a folder, whatever that folder is called. */
import { type Dirent, lstat, readdir, stat } from 'node:fs';
import { resolve, sep } from 'node:path';
import fastGlob, { type Options } from 'fast-glob';

type Adapter = NonNullable<Options['fs']>;

/** Absolute paths. */
export async function findFiles(
  pattern: string,
  folder: string,
  options: Pick<Options, 'dot' | 'ignore' | 'suppressErrors' | 'followSymbolicLinks'> = {},
): Promise<readonly string[]> {
  const isPlain = sep === '\\' || !folder.includes('\\');
  const cwd = isPlain ? folder : covered(folder);
  const files = await fastGlob(pattern, {
    ...options,
    cwd,
    onlyFiles: true,
    ...(isPlain ? {} : { fs: UNCOVERING }),
  });
  // Its own absolute paths have every backslash turned into a slash.
  return files.map((file) => (isPlain ? resolve(cwd, file) : uncovered(resolve(cwd, file))));
}

/**
 * The library takes a backslash in the folder for a separator, whatever the system. It is shown
 * one with another character there, of those that stand for nothing, and reads the real one.
 */
const COVER = '\uF05C';

const covered = (path: string): string => path.replaceAll('\\', COVER);
const uncovered = (path: string): string => path.replaceAll(COVER, '\\');

const UNCOVERING: Partial<Adapter> = {
  lstat: (path, done) => lstat(uncovered(path), done),
  stat: (path, done) => stat(uncovered(path), done),
  readdir: readUncovered,
};

/** As it is called: a folder by its name, for entries with their kinds. */
function readUncovered(
  path: string,
  options: { readonly withFileTypes: true } | ((error: Error | null, names: string[]) => void),
  done?: (error: NodeJS.ErrnoException | null, files: Dirent[]) => void,
): void {
  if (typeof options === 'function') readdir(uncovered(path), options);
  else if (done !== undefined) readdir(uncovered(path), options, done);
}
