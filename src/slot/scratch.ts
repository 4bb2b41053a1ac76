/** Folders outside the tree in which steps keep what is theirs alone, and how they go. */
import { mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeMark } from '../lane/process.js';
import { codeOf } from '../workspace/durable.js';
import { removeFolder } from '../workspace/remove-folder.js';

/** Short on purpose: a Unix socket that a test opens below TMPDIR has 108 bytes for its path. */
const prefixOf = (tree: string): string => `cp-${treeMark(tree)}-`;
const prefixOfSlot = (tree: string, slot: number): string => `${prefixOf(tree)}${slot}-`;

/**
 * An empty folder, at the path of the one before where that is free: a path that changed from
 * step to step would be in messages of tests, and in what a warm interpreter remembers.
 */
export async function makeScratch(
  tree: string,
  slot: number,
  before: string | null,
): Promise<string> {
  if (before !== null) {
    const made = await mkdir(before, { mode: 0o700 }).then(
      () => true,
      () => false,
    );
    if (made) return before;
  }
  return mkdtemp(join(tmpdir(), prefixOfSlot(tree, slot)));
}

/**
 * Outside of what a run takes for its own: a collection works on a tree that it has not locked.
 * The number of its process tells what is left of one that was killed.
 */
const prefixOfCollections = (tree: string): string => `cpc-${treeMark(tree)}-`;

/** An empty folder for what this process collects. */
export const makeCollectScratch = (tree: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `${prefixOfCollections(tree)}${process.pid}-`));

/** Takes folders of steps away, while the slot goes on. */
export interface Trash {
  /** When this returns, nothing is at the path; what was there may take its time to go. */
  readonly take: (folder: string) => Promise<void>;
  /** Waits for all that was taken to be gone. */
  readonly empty: () => Promise<void>;
}

/** One folder at a time: the room that they take is bounded, as if each were waited for. */
export function createTrash(remove: (folder: string) => Promise<void> = removeFolder): Trash {
  let going: Promise<void> = Promise.resolve();
  let count = 0;
  return {
    async take(folder) {
      await going;
      const aside = `${folder}-${++count}`;
      const renamed = await rename(folder, aside).then(
        () => true,
        () => false,
      );
      going = remove(renamed ? aside : folder);
      if (!renamed) await going;
    },
    empty: () => going,
  };
}

/**
 * Removes what slots and collections that were killed have left. Only where no slot works on this
 * tree; a collection may.
 */
export async function removeScratchOf(tree: string): Promise<void> {
  await removeStarting(prefixOf(tree));
  const prefix = prefixOfCollections(tree);
  await removeStarting(prefix, (name) => !isAlive(Number.parseInt(name.slice(prefix.length), 10)));
}

/** Removes what one slot has left, which is dead. */
export const removeScratchOfSlot = (tree: string, slot: number): Promise<void> =>
  removeStarting(prefixOfSlot(tree, slot));

async function removeStarting(
  prefix: string,
  isLeft: (name: string) => boolean = () => true,
): Promise<void> {
  const entries = await readdir(tmpdir(), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isDirectory() && entry.name.startsWith(prefix) && isLeft(entry.name))
      await removeFolder(join(tmpdir(), entry.name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return codeOf(error) === 'EPERM';
  }
}
