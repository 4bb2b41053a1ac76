/** The upper layer of an overlay, looked at from beside it: what was written on top of the tree. */
import { chmod, chown, lstat, mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent, look, seconds } from '../durable.js';

/** A new upper layer and its work folder; the top of the tree shows the upper one's attributes. */
export async function makeUpper(layers: string, names: UpperNames, real: string): Promise<void> {
  const upper = join(layers, names.upper);
  await mkdir(upper);
  await mkdir(join(layers, names.work));
  const { mode, uid, gid, atimeNs, mtimeNs } = await lstat(real, { bigint: true });
  if (process.getuid?.() === 0) await chown(upper, Number(uid), Number(gid));
  await chmod(upper, Number(mode & 0o7777n));
  await utimes(upper, seconds(atimeNs), seconds(mtimeNs));
}

export interface UpperNames {
  readonly upper: string;
  readonly work: string;
}

/** Whether nothing at all was written since the layer was made. */
export async function isEmpty(upper: string): Promise<boolean> {
  return (await readdir(upper)).length === 0;
}

/** All that a layer holds, by path in it, in a form that any later change shows in. */
export type LayerMark = ReadonlyMap<string, string>;

/** A layer of edits holds a few entries; to look through a large one costs more than a new one. */
const MOST_MARKED = 200;

/** Null: the layer holds too much, or what it holds went while it was looked at. */
export async function markOf(upper: string): Promise<LayerMark | null> {
  const found = new Map<string, string>();
  const isWhole = await eachIn(upper, (path, seen) => {
    found.set(path, seen);
    return found.size <= MOST_MARKED;
  });
  return isWhole ? found : null;
}

/**
 * Whether the layer holds what it held when it was marked: no file came or went, and nothing was
 * written, replaced, or given another mode, owner or time. Stops at the first that differs.
 */
export async function isAsMarked(upper: string, mark: LayerMark | null): Promise<boolean> {
  if (mark === null) return false;
  let same = 0;
  const isSame = await eachIn(upper, (path, stats) => {
    same += 1;
    return mark.get(path) === stats;
  });
  return isSame && same === mark.size;
}

/** @returns false where `take` did, which then sees no more, and where an entry vanished */
async function eachIn(
  upper: string,
  take: (path: string, seen: string) => boolean,
): Promise<boolean> {
  const paths = ['.'];
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const stats = await look(join(upper, path));
    if (stats === null) return false;
    const { ino, mode, uid, gid, size, mtimeNs, ctimeNs } = stats;
    if (!take(path, [ino, mode, uid, gid, size, mtimeNs, ctimeNs].join(' '))) return false;
    if (!stats.isDirectory()) continue;
    const entries = await readdir(join(upper, path)).catch(goneIsNull);
    if (entries === null) return false;
    for (const name of entries) paths.push(join(path, name));
  }
  return true;
}

/** A process that a run left behind may still take away what it had written. */
function goneIsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
