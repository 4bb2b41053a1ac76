/** Which file on disk a path in a spec means, and whether it may be mutated. */
import { lstat, readFile as readFromDisk, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { err, ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { refused } from './problem.js';

export interface Target {
  /** Tree-relative, forward slashes, symlinks resolved. */
  readonly path: string;
  readonly absolute: string;
  /** null: there is no such file. */
  readonly bytes: Buffer | null;
}

export interface Places {
  /** Absolute path of the tree: no file outside it is ever touched. */
  readonly tree: string;
  /** Absolute path of the root, inside the tree: paths in specs are relative to it. */
  readonly root: string;
  /** Instead of the disk, for a file that exists there. */
  readonly readFile?: (absolutePath: string) => Promise<Buffer>;
}

/** git's own files and our journal: a mutation there could not be taken back safely. */
const OURS = /^\.(git|counterproof)$/i;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * Finds and reads the file that a root-relative path names. A symlink counts as the file that
 * it leads to, which must lie inside the tree.
 */
export async function resolveTarget(
  places: Places,
  file: string,
): Promise<Result<Target, NotApplied>> {
  if (file === '' || file.includes('\0')) return refused(file, 'is no file name');
  if (isAbsolute(file)) return refused(file, 'is absolute: write it relative to the root');
  const tree = await realpath(places.tree);
  const wanted = resolve(places.root, file);
  const real = await realFile(wanted, file);
  if (!real.ok) return real;
  const inside = relative(tree, real.value.absolute);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return refused(
      file,
      `lies outside the tree ${tree}${real.value.isLink ? ', where a symbolic link leads' : ''}`,
    );
  }
  const parts = inside.split(sep);
  const ours = parts.find((part) => OURS.test(part));
  if (ours !== undefined) return refused(file, `lies in ${ours}, which is never mutated`);
  const path = parts.join('/');
  if (!real.value.exists) return ok({ path, absolute: real.value.absolute, bytes: null });
  const bytes = await read(places, real.value.absolute, path);
  return bytes.ok ? ok({ path, absolute: real.value.absolute, bytes: bytes.value }) : bytes;
}

interface RealFile {
  readonly absolute: string;
  readonly exists: boolean;
  /** Whether some part of the path was a symbolic link. */
  readonly isLink: boolean;
}

async function realFile(wanted: string, file: string): Promise<Result<RealFile, NotApplied>> {
  try {
    const absolute = await realpath(wanted);
    return ok({ absolute, exists: true, isLink: absolute !== wanted });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ELOOP') return refused(file, 'is a symbolic link that leads back to itself');
    if (code === 'ENOTDIR') return refused(file, 'lies under a file, not a folder');
    if (code !== 'ENOENT') return refused(file, `cannot be found: ${code}`);
  }
  const dangling = await lstat(wanted).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (dangling) return refused(file, 'is a symbolic link to a file that does not exist');
  return missingFile(wanted, file);
}

/** A file that does not exist yet lies where its nearest existing folder really is. */
async function missingFile(wanted: string, file: string): Promise<Result<RealFile, NotApplied>> {
  let folder = dirname(wanted);
  for (;;) {
    try {
      const real = await realpath(folder);
      if (!(await stat(real)).isDirectory())
        return refused(file, 'lies under a file, not a folder');
      const absolute = join(real, relative(folder, wanted));
      return ok({ absolute, exists: false, isLink: real !== folder });
    } catch (error) {
      const code = codeOf(error);
      const isLink = await lstat(folder).then(
        (found) => found.isSymbolicLink(),
        () => false,
      );
      if (code === 'ENOENT' && isLink) {
        return refused(file, 'lies under a symbolic link to a folder that does not exist');
      }
      if (code !== 'ENOENT' || dirname(folder) === folder)
        return refused(file, `cannot be found: ${code}`);
      folder = dirname(folder);
    }
  }
}

async function read(
  places: Places,
  absolute: string,
  path: string,
): Promise<Result<Buffer, NotApplied>> {
  try {
    const found = await stat(absolute);
    if (found.isDirectory()) return refused(path, 'is a folder, not a file');
    // Opening a pipe or a device could block for ever.
    if (!found.isFile()) return refused(path, 'is no regular file');
    return ok(await (places.readFile ?? readFromDisk)(absolute));
  } catch (error) {
    return err({ kind: 'refused', path, why: `cannot be read: ${codeOf(error) || String(error)}` });
  }
}
