/** Whether the tree is still what it was when it was measured. Nothing is measured on a moving one. */
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { checksum } from './checksum.js';
import { lookAtAll, walk } from './walk.js';

export interface WatchOptions {
  /** The tree's top: absolute. */
  readonly tree: string;
  /** Tree-relative paths of the tracked files; null: there is no git, every file counts. */
  readonly files: readonly string[] | null;
  /**
   * Paths that we write ourselves: compared by sum, because a restore changes their times.
   * Should name at `snapshot` every file that may be written before the next `changed`.
   */
  readonly own: () => ReadonlySet<string>;
}

export interface Watch {
  /** Takes the present state for the right one. */
  snapshot(): Promise<void>;
  /** Tree-relative paths that differ from the snapshot, sorted; empty: nothing was touched. */
  changed(): Promise<string[]>;
}

/** What of a file is compared. ctime moves with every write, chmod, rename; a tool can set mtime back. */
interface Seen {
  readonly size: bigint;
  readonly ctime: bigint;
  readonly mtime: bigint;
  readonly inode: bigint;
}

/** 50,000 files take about half a second; nothing is read but the files of our own. */
export async function openWatch(options: WatchOptions): Promise<Watch> {
  const { tree, own } = options;
  const files = new Set(options.files ?? (await walk(tree)));
  const before = new Map<string, Seen | null>();
  const sums = new Map<string, string | null>();

  const watch: Watch = {
    async snapshot() {
      before.clear();
      sums.clear();
      await lookAtAll(tree, files, (path, stats) => before.set(path, seen(stats)));
      for (const path of own()) {
        if (files.has(path)) sums.set(path, await sumOf(tree, path));
      }
    },
    async changed() {
      const moved: { path: string; now: Seen | null }[] = [];
      const written = own();
      await lookAtAll(tree, files, (path, stats) => {
        const now = seen(stats);
        if (!same(before.get(path) ?? null, now)) moved.push({ path, now });
      });
      const changed: string[] = [];
      for (const { path, now } of moved) {
        if (!(await isOurs(path, now, written))) changed.push(path);
      }
      return changed.toSorted();
    },
  };

  async function isOurs(
    path: string,
    now: Seen | null,
    written: ReadonlySet<string>,
  ): Promise<boolean> {
    if (!written.has(path)) return false;
    const sum = sums.get(path);
    if (sum !== undefined) return (await sumOf(tree, path)) === sum;
    // Named too late for a sum: a restored file is the same inode with the same times but ctime.
    const then = before.get(path) ?? null;
    return (
      then !== null &&
      now !== null &&
      then.inode === now.inode &&
      then.size === now.size &&
      then.mtime === now.mtime
    );
  }

  await watch.snapshot();
  return watch;
}

const seen = (stats: BigIntStats | null): Seen | null =>
  stats === null
    ? null
    : { size: stats.size, ctime: stats.ctimeNs, mtime: stats.mtimeNs, inode: stats.ino };

function same(a: Seen | null, b: Seen | null): boolean {
  if (a === null || b === null) return a === b;
  return a.size === b.size && a.ctime === b.ctime && a.inode === b.inode;
}

/** null: absent, or no file any more. */
async function sumOf(tree: string, path: string): Promise<string | null> {
  try {
    return await checksum(join(tree, path));
  } catch {
    return null;
  }
}
