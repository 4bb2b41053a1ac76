/** Why an overlay over a tree could not work, as far as that is known without trying. */
import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mountPoints } from '../mounts.js';

/**
 * One line; null: nothing speaks against it.
 *
 * @param tree absolute, symlinks resolved
 */
export async function overlayObstacle(
  tree: string,
  { platform, uid, gid }: Whereabouts = HERE,
): Promise<string | null> {
  if (platform !== 'linux') return `overlay file systems are Linux's own, this is ${platform}`;
  if (tree === '/') return 'the tree is the whole file system';
  const mounts = mountPoints();
  if (mounts === null) return 'mounts cannot be listed here (/proc/self/mountinfo)';
  const below = mountBelow(tree, mounts);
  // An overlay shows the folder under the mount, not what is in it.
  if (below !== null) return `${relative(tree, below)} in the tree is a mount of its own`;
  if (uid === 0) return null;
  const foreign = await firstForeign(tree, { uid, gid });
  return foreign === null
    ? null
    : `${relative(tree, foreign) || 'the tree'} has another owner or group than you`;
}

export interface Whereabouts {
  readonly platform: NodeJS.Platform;
  /** Of this process; undefined where there is no such thing. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

const HERE: Whereabouts = {
  platform: process.platform,
  uid: process.getuid?.(),
  gid: process.getgid?.(),
};

function mountBelow(tree: string, mounts: ReadonlySet<string>): string | null {
  return [...mounts].toSorted().find((point) => point.startsWith(`${tree}/`)) ?? null;
}

/** Synchronous calls cost a quarter of asynchronous ones; a batch blocks for a few milliseconds. */
const BATCH = 512;

/**
 * In a user namespace one uid and one gid are known. Files of others cannot be copied up, and
 * folders of others take no new file at all (EOVERFLOW): with a folder of another group a whole
 * lane ran green that had not been able to write a byte.
 */
async function firstForeign(
  tree: string,
  { uid, gid }: Pick<Whereabouts, 'uid' | 'gid'>,
): Promise<string | null> {
  const isForeign = (path: string): boolean => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.uid !== uid || stats.gid !== gid);
  };
  if (isForeign(tree)) return tree;
  const folders = [tree];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++count % BATCH === 0) await nextTurn();
      const path = join(folder, entry.name);
      if (isForeign(path)) return path;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return null;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What we may not read is not ours to write either; an overlay changes nothing in that.
    return [];
  }
}
