/** Brings one journalled file back. Looks first; may be interrupted anywhere and begun again. */
import { chmod, link, mkdir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { checksum } from './checksum.js';
import {
  codeOf,
  isAbsent,
  look,
  reasonOf,
  syncFolder,
  unlinkIfThere,
  writeNew,
} from './durable.js';
import { isSame, type JournalledFile } from './entry.js';
import type { Journal, Step } from './journal.js';
import type { Keeper } from './kept.js';
import { cannotLink, originalAttributes } from './land.js';
import type { KeptWork } from './workspace.js';

export interface PutBackContext {
  readonly journal: Journal;
  readonly keeper: Keeper;
  readonly step: Step;
  readonly note: (text: string) => void;
  /**
   * `certain`: the mutant stood there. `unknown`: the set of edits may have been stopped before.
   * `unlikely`: the journal looks as if it had not begun or were over. Decides only what bytes
   * mean that are neither the original's nor the mutant's.
   */
  readonly landed: Landed;
}

export type Landed = 'certain' | 'unknown' | 'unlikely';

export type PutBack =
  | {
      readonly kind: 'back';
      /** Read back from disk; null: absent, as before. */
      readonly sha256: string | null;
      readonly kept: readonly KeptWork[];
      /** False: the bytes are the user's own, the mutant had never stood there. */
      readonly original: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly why: string;
      /** Absolute path under which the original's bytes are. */
      readonly original: string;
    };

// Somebody else at work in the same folder at the same moment; looking again is the answer.
const MOVED_UNDER_US = new Set(['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY']);
const ATTEMPTS = 3;

/** Never throws: whatever goes wrong is `failed`, and says where the original's bytes lie. */
export async function putBack(file: JournalledFile, context: PutBackContext): Promise<PutBack> {
  const kept: KeptWork[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      const original = await attemptPutBack(file, context, kept);
      return { kind: 'back', sha256: await verified(file, context, original), kept, original };
    } catch (error) {
      if (attempt < ATTEMPTS && MOVED_UNDER_US.has(codeOf(error) ?? '')) continue;
      return {
        kind: 'failed',
        why: reasonOf(error),
        original: await whereOriginal(file, context),
      };
    }
  }
}

/** Gives whether what stands there now is to be the original. */
async function attemptPutBack(
  file: JournalledFile,
  context: PutBackContext,
  kept: KeptWork[],
): Promise<boolean> {
  const { journal, keeper, step } = context;
  const at = pathsOf(file, journal.tree);
  const landed = await surelyUnlikely(at, context);
  if (!(await folderStands(file, journal.tree))) {
    if (file.before === null) return true;
    if (landed === 'unlikely') return false;
    await remakeFolder(file, context, kept);
  }
  await step(`look ${file.path}`);
  await settleSeen(file, at.seen, context, kept);
  await unlinkIfThere(at.fresh);
  const state = await stateOf(at.path, file);

  if (state !== 'original' && (await neverLanded(at, file, state, landed))) {
    context.note(`${file.path} was left as it is: the mutation had not reached it`);
    await clearNames(file, at, context, kept);
    return false;
  }
  if (state !== 'original' && file.before === null) {
    await step(`take away ${file.path}`);
    await rename(at.path, at.seen);
    await step(`look at ${file.path}`);
    await settleSeen(file, at.seen, context, kept);
  } else if (state !== 'original') {
    if (state === 'gone') kept.push(await keeper.keepDeletion(file.path));
    await bringBack(file, at, state, context, kept);
  }
  await clearNames(file, at, context, kept);
  return true;
}

/** A set of edits that is over, or never began, has left no name beside the file. */
async function surelyUnlikely(at: Paths, { landed }: PutBackContext): Promise<Landed> {
  if (landed !== 'unlikely') return landed;
  const begun = (await look(at.link)) ?? (await look(at.temporary));
  return begun === null ? 'unlikely' : 'unknown';
}

type Paths = Readonly<Record<'path' | 'temporary' | 'link' | 'seen' | 'fresh', string>>;

const pathsOf = (file: JournalledFile, tree: string): Paths => ({
  path: join(tree, file.path),
  temporary: join(tree, file.temporary),
  link: join(tree, file.link),
  seen: join(tree, file.seen),
  fresh: join(tree, file.fresh),
});

/** `gone`: deleted, though neither the original nor the mutant is an absent file. */
type State = 'original' | 'mutant' | 'other' | 'gone';

async function stateOf(path: string, file: JournalledFile): Promise<State> {
  const there = await look(path);
  if (there === null) {
    if (file.before === null) return 'original';
    return file.after === null ? 'mutant' : 'gone';
  }
  if (!there.isFile()) return 'other';
  const sum = await checksum(path);
  if (sum === file.before) return 'original';
  return sum === file.after ? 'mutant' : 'other';
}

/**
 * Bytes that are neither belong to somebody who worked on the mutant, or to the user who went on
 * working on a file that we had not reached yet when we were killed. Taking the latter away, with
 * an hour's work in it, would be wrong. Where nothing shows it, the bytes are set aside instead.
 */
async function neverLanded(
  at: Paths,
  file: JournalledFile,
  state: State,
  landed: Landed,
): Promise<boolean> {
  const there = await look(at.path);
  // An absent file is no evidence of a deletion by us; the mutant's bytes always are evidence.
  if (landed === 'unlikely') return there === null || state !== 'mutant';
  if (landed === 'certain' || state !== 'other' || there === null) return false;
  const { original } = file;
  if (original !== null && isSame(original, there)) return true;
  const kept = await look(at.link);
  if (kept !== null && kept.ino === there.ino && kept.dev === there.dev) return true;
  // The temporary file becomes the mutant by a rename: as long as it is there, it did not.
  const temporary = await look(at.temporary);
  return temporary !== null && (temporary.ino !== there.ino || temporary.dev !== there.dev);
}

/** The original takes the place of whatever is there, which is held on to and then looked at. */
async function bringBack(
  file: JournalledFile,
  at: Paths,
  state: State,
  context: PutBackContext,
  kept: KeptWork[],
): Promise<void> {
  const { keeper, step } = context;
  const source = await usableOriginal(file, at, context, kept);
  const there = await look(at.path);
  if (there !== null && !there.isFile()) {
    await step(`set aside ${file.path}`);
    kept.push(await keeper.keep(at.path, file.path));
  } else if (there !== null) {
    // A second name for what is there: bytes written up to the very rename are not lost.
    try {
      await step(`hold ${file.path}`);
      await link(at.path, at.seen);
    } catch (error) {
      if (!cannotLink(error)) throw error;
      if (state === 'other') kept.push(await keeper.keep(at.path, file.path));
    }
  }
  await step(`bring back ${file.path}`);
  if ((await look(at.path)) === null) await renameToFree(source, at.path, step);
  else await rename(source, at.path);
  await step(`sync back ${file.path}`);
  await syncFolder(dirname(at.path));
  await step(`look at ${file.path}`);
  await settleSeen(file, at.seen, context, kept);
}

/** By link, which refuses to overwrite a file that somebody makes in this very moment. */
async function renameToFree(from: string, to: string, step: Step): Promise<void> {
  try {
    await step('link back');
    await link(from, to);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    return rename(from, to);
  }
  await step('unlink back');
  return unlink(from);
}

/** The kept original where it still has its bytes, else a new file from a copy of them. */
async function usableOriginal(
  file: JournalledFile,
  at: Paths,
  context: PutBackContext,
  kept: KeptWork[],
): Promise<string> {
  const there = await look(at.link);
  if (there?.isFile() === true && (await checksum(at.link)) === file.before) return at.link;
  // A descriptor opened before the mutation writes into the kept inode: work of somebody's too.
  if (there !== null) kept.push(await context.keeper.keep(at.link, file.path));
  const copy = await context.journal.original(file);
  if (copy === null) throw new Error('no good copy of its original bytes is left');
  try {
    await context.step(`write back ${file.path}`);
    await writeNew(at.fresh, copy.bytes, originalAttributes(file));
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') throw error;
    // No room for a new file; the copy in the tree's journal is on the disk already.
    await link(copy.path, at.fresh);
    await chmod(at.fresh, originalAttributes(file).mode);
  }
  return at.fresh;
}

/** What was taken out of the path: the mutant goes, anything else is somebody's. */
async function settleSeen(
  file: JournalledFile,
  seen: string,
  { keeper }: PutBackContext,
  kept: KeptWork[],
): Promise<void> {
  const there = await look(seen);
  if (there === null) return;
  const sum = there.isFile() ? await checksum(seen) : null;
  if (sum !== null && (sum === file.after || sum === file.before)) await unlink(seen);
  else kept.push(await keeper.keep(seen, file.path));
}

/** Removes the names that we made beside the file. */
async function clearNames(
  file: JournalledFile,
  at: Paths,
  { step, keeper }: PutBackContext,
  kept: KeptWork[],
): Promise<void> {
  await step(`clear ${file.path}`);
  await unlinkIfThere(at.temporary);
  const twin = await look(at.link);
  if (twin !== null) {
    const there = await look(at.path);
    // Killed between link and rename both names are one inode, for which `rename` does nothing.
    const one = there !== null && there.ino === twin.ino && there.dev === twin.dev;
    const whole = one || (twin.isFile() && (await checksum(at.link)) === file.before);
    if (whole) await unlink(at.link);
    else kept.push(await keeper.keep(at.link, file.path));
  }
}

/** Innermost first, and only while they are empty. Gives those that are still there. */
export async function removeFolders(folders: readonly string[], tree: string): Promise<string[]> {
  const left: string[] = [];
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(join(tree, folder));
    } catch (error) {
      if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') left.unshift(folder);
      else if (!isAbsent(error)) throw error;
    }
  }
  return left;
}

/** Whether the way to the file is the one that was written to: real folders, no link among them. */
async function folderStands(file: JournalledFile, tree: string): Promise<boolean> {
  const wanted = join(tree, posix.dirname(file.path));
  let real;
  try {
    real = await realpath(wanted);
  } catch (error) {
    if (isAbsent(error) || codeOf(error) === 'ELOOP') return false;
    throw error;
  }
  if (real === wanted) return (await look(wanted))?.isDirectory() === true;
  if (file.before === null) throw new Error(`its folder is a symlink to ${real} by now`);
  return false;
}

/**
 * A folder that is gone is made again; a link or a file in its place is set aside, so that
 * nothing is written through it to elsewhere.
 */
async function remakeFolder(
  file: JournalledFile,
  { journal, keeper, step, note }: PutBackContext,
  kept: KeptWork[],
): Promise<void> {
  await step(`folder back ${file.path}`);
  let path = '';
  for (const part of posix.dirname(file.path).split('/')) {
    path = posix.join(path, part);
    const there = await look(join(journal.tree, path));
    if (there?.isDirectory() === true) continue;
    if (there !== null) kept.push(await keeper.keep(join(journal.tree, path), path));
    await mkdir(join(journal.tree, path));
    note(`${path}/ was no folder any more and was made again`);
  }
}

/** Bytes and mode, read back; throws where they are not the original's. */
async function verified(
  file: JournalledFile,
  { journal, step, landed }: PutBackContext,
  original: boolean,
): Promise<string | null> {
  const path = join(journal.tree, file.path);
  await step(`verify ${file.path}`);
  const there = await look(path);
  const sum = there?.isFile() === true ? await checksum(path) : null;
  if (!original) return sum;
  if (sum !== file.before || (sum === null && there !== null)) {
    throw new Error('it did not have its original bytes when it was read back');
  }
  if (file.original === null || there === null) return sum;
  // The very inode that we kept, in a later process: a mode that differs was given by its owner.
  if (landed !== 'certain' && isSame(file.original, there)) return sum;
  if (modeOf(there) !== file.original.mode) await chmod(path, file.original.mode);
  const now = await look(path);
  if (now === null || modeOf(now) !== file.original.mode) {
    throw new Error('its mode could not be put back');
  }
  return sum;
}

const modeOf = (stats: { readonly mode: bigint }): number => Number(stats.mode & 0o7777n);

async function whereOriginal(file: JournalledFile, { journal }: PutBackContext): Promise<string> {
  const kept = join(journal.tree, file.link);
  try {
    const copy = await journal.original(file);
    if (copy !== null) return copy.path;
    if ((await checksum(kept)) === file.before) return kept;
  } catch {
    // The disk does not answer; the likeliest place is all that can be said.
  }
  return kept;
}
