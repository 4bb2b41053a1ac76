/** A commit that is laid out, made into what is tried: all changes in it but those of source. */
import { chmod, copyFile, lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TakenFile } from '../mutation/take.js';
import type { RangeFile } from '../prove/read-fix.js';
import { err, ok, type Result } from '../result.js';

/**
 * Brings every change from the tree that is none of source, and puts source as it was.
 *
 * All that differs is removed before anything is written: what the commit has for a link may be
 * a folder by now, and writing through that link would change what lies wherever it leads to.
 *
 * @param folder absolute; the commit as git laid it out
 * @returns which file has no place there, as when source that is gone lay in what is a file now
 */
export async function complete(
  tree: string,
  folder: string,
  files: readonly RangeFile[],
  taken: readonly TakenFile[],
): Promise<Result<null, string>> {
  const isTaken = new Set(taken.map(({ path }) => path));
  const carried: string[] = [];
  for (const { oldPath, path, kind } of files.map(({ change }) => change)) {
    // What is in a submodule is not laid out; the folder for it stays.
    const isCarried = path !== null && kind !== 'submodule' && !isTaken.has(path);
    if (isCarried) carried.push(path);
    if (isCarried) await remove(folder, path);
    if (oldPath !== null && oldPath !== path && !isTaken.has(oldPath))
      await remove(folder, oldPath);
  }
  const modes = new Map<string, number | null>();
  for (const path of isTaken) modes.set(path, await remove(folder, path));
  for (const path of carried) {
    const done = await carry(join(tree, path), folder, path);
    if (!done.ok) return done;
  }
  for (const { path, after } of taken) {
    if (after === null) continue;
    const done = await put(folder, path, (place) => writeFile(place, after, { flag: 'wx' }));
    if (!done.ok) return done;
    const entry = await lstat(join(tree, path)).catch(() => null);
    const mode = entry?.isFile() === true ? entry.mode : (modes.get(path) ?? null);
    if (mode !== null) await chmod(join(folder, path), mode);
  }
  return ok(null);
}

/**
 * What lies beyond a link, or below a file, is none of the commit's.
 *
 * @returns the mode of the file that was there; null: there was none
 */
async function remove(folder: string, path: string): Promise<number | null> {
  if ((await noFolderAbove(folder, path)) !== null) return null;
  const place = join(folder, path);
  const entry = await lstat(place).catch(() => null);
  await rm(place, { recursive: true, force: true });
  return entry?.isFile() === true ? entry.mode : null;
}

/** The mode goes along. A link stays one: where it leads to may be part of what is tested. */
async function carry(from: string, folder: string, path: string): Promise<Result<null, string>> {
  const entry = await lstat(from).catch(() => null);
  if (entry?.isSymbolicLink() === true) {
    const target = await readlink(from);
    return put(folder, path, (place) => symlink(target, place));
  }
  return entry?.isFile() === true ? put(folder, path, (place) => copyFile(from, place)) : ok(null);
}

async function put(
  folder: string,
  path: string,
  write: (place: string) => Promise<void>,
): Promise<Result<null, string>> {
  const place = join(folder, path);
  const above = await noFolderAbove(folder, path);
  const inTheWay = above ?? ((await lstat(place).catch(() => null)) === null ? null : path);
  if (inTheWay !== null)
    return err(
      `${path} cannot be laid out beside the last commit: ${inTheWay} is in its way. Commit one of the two.`,
    );
  await mkdir(dirname(place), { recursive: true });
  await write(place);
  return ok(null);
}

/** The first part of a path that is there and is no folder; null: the path leads nowhere else. */
async function noFolderAbove(folder: string, path: string): Promise<string | null> {
  const names = path.split('/');
  for (let count = 1; count < names.length; count += 1) {
    const part = names.slice(0, count).join('/');
    const entry = await lstat(join(folder, part)).catch(() => null);
    if (entry === null) return null;
    if (!entry.isDirectory()) return part;
  }
  return null;
}
