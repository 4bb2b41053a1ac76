/** What was written over a tree, found by comparing what is seen now with what was seen before. */
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { checksum } from '../checksum.js';
import { OWN_FOLDER } from '../names.js';

/** One tree, seen in three ways; absolute paths. */
export interface WrittenViews {
  /** As a run sees it. */
  readonly now: string;
  /** The same without the upper layer. */
  readonly before: string;
  /** The upper layer alone: whatever differs lies in a folder of it. */
  readonly upper: string;
}

/**
 * Tree-relative paths of files and links that came, went, or are something else than before.
 * The layer alone does not tell: a folder that was removed is one entry in it, and one that was
 * made again, or renamed, does not list what it hides.
 */
export async function writtenFiles(views: WrittenViews): Promise<readonly string[]> {
  const found: string[] = [];
  const seen = { path: '', now: true, before: true, upper: true };
  await compareFolders(views, seen, found);
  return found.toSorted();
}

/** In which views a path is a folder; by way of a link one would see what lies elsewhere. */
interface Folder {
  readonly path: string;
  readonly now: boolean;
  readonly before: boolean;
  readonly upper: boolean;
}

/** Null: nothing is there, or nothing that one may look at. */
interface Entry {
  readonly path: string;
  readonly now: BigIntStats | null;
  readonly before: BigIntStats | null;
  readonly isInUpper: boolean;
}

async function compareFolders(views: WrittenViews, folder: Folder, found: string[]): Promise<void> {
  const [now, before, upper] = await Promise.all([
    folder.now ? namesIn(views.now, folder.path) : NONE,
    folder.before ? namesIn(views.before, folder.path) : NONE,
    folder.upper ? namesIn(views.upper, folder.path) : NONE,
  ]);
  const isTop = folder.path === '';
  const entryOf = async (name: string): Promise<Entry> => {
    const path = isTop ? name : `${folder.path}/${name}`;
    const [is, was] = await Promise.all([
      now.has(name) ? lookIfAllowed(views.now, path) : null,
      before.has(name) ? lookIfAllowed(views.before, path) : null,
    ]);
    return { path, now: is, before: was, isInUpper: upper.has(name) };
  };
  const untouched: string[] = [];
  for (const name of new Set([...now, ...before])) {
    if (isTop && name === OWN_FOLDER) continue;
    if (now.has(name) && before.has(name) && !upper.has(name)) untouched.push(name);
    else await compareEntries(views, await entryOf(name), found);
  }
  // The top cannot be renamed, and elsewhere one file that is where it was shows that all are.
  if (isTop) return;
  for (const name of untouched) if (isWhereItWas(await entryOf(name))) return;
  for (const name of untouched) await compareEntries(views, await entryOf(name), found);
}

async function compareEntries(views: WrittenViews, entry: Entry, found: string[]): Promise<void> {
  const { path, isInUpper } = entry;
  const now = entry.now?.isDirectory() === true;
  const before = entry.before?.isDirectory() === true;
  if (now || before)
    await compareFolders(views, { path, now, before, upper: now && isInUpper }, found);
  if (now && before) return;
  const wasOrIsFile = (entry.now !== null && !now) || (entry.before !== null && !before);
  if (wasOrIsFile && (await isOther(views, entry))) found.push(path);
}

/** A file that was only opened for writing is copied up as it is, and a time can be set back. */
async function isOther(views: WrittenViews, { path, now, before }: Entry): Promise<boolean> {
  if (now === null || before === null || now.mode !== before.mode) return true;
  if (isTheSame(now, before)) return false;
  if (now.isSymbolicLink()) return differ(views, path, readlink);
  if (!now.isFile()) return now.rdev !== before.rdev;
  return now.size !== before.size || differ(views, path, checksum);
}

async function differ(
  { now, before }: WrittenViews,
  path: string,
  read: (path: string) => Promise<string | null>,
): Promise<boolean> {
  // What cannot be read is not known to be the same.
  const readIn = (view: string): Promise<string | null> => read(join(view, path)).catch(() => null);
  const [is, was] = await Promise.all([readIn(now), readIn(before)]);
  return is === null || is !== was;
}

/** A file of several names may lie in another folder too. */
const isWhereItWas = ({ now, before }: Entry): boolean =>
  now !== null &&
  before !== null &&
  !now.isDirectory() &&
  now.nlink === 1n &&
  isTheSame(now, before);

/** Not only alike: a copy in the upper layer has a change time of its own. */
const isTheSame = (now: BigIntStats, before: BigIntStats): boolean =>
  inodeOf(now) === inodeOf(before) && now.ctimeNs === before.ctimeNs && now.size === before.size;

/** In the bits above these an overlay may note which file system the inode is of. */
const inodeOf = ({ ino }: BigIntStats): bigint => BigInt.asUintN(48, ino);

const lookIfAllowed = (view: string, path: string): Promise<BigIntStats | null> =>
  lstat(join(view, path), { bigint: true }).catch(() => null);

const NONE: ReadonlySet<string> = new Set();

/** None where it is gone by now, or nobody may read it. */
const namesIn = async (view: string, folder: string): Promise<ReadonlySet<string>> =>
  new Set(await readdir(join(view, folder)).catch(() => []));
