/** Brings one journalled file back. Looks first; may be interrupted anywhere and begun again. */
import { chmod, link, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checksum } from './checksum.js';
import { codeOf, look, syncFolder, unlinkIfThere, writeNew } from './durable.js';
import { isSame, type JournalledFile } from './entry.js';
import { remakeFolder } from './folders.js';
import type { Journal, Step } from './journal.js';
import type { Keeper } from './kept.js';
import { cannotLink, originalAttributes } from './land.js';
import { refusalOf } from './refusal.js';
import { folderStands, neverLanded, pathsOf, stateOf, surelyUnlikely } from './standing.js';
import type { Landed, Paths, State } from './standing.js';
import type { KeptWork } from './workspace.js';

export interface PutBackContext {
  readonly journal: Journal;
  readonly keeper: Keeper;
  readonly step: Step;
  readonly note: (text: string) => void;
  readonly landed: Landed;
}

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
      for (const it of kept) context.note(`what stood in ${it.path} is kept as ${it.keptAs}`);
      return {
        kind: 'failed',
        why: refusalOf(error, dirname(join(context.journal.tree, file.path))),
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
  const landed = await surelyUnlikely(at, context.landed);
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
    sayMode(file, there, context);
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

/** A test that runs `chmod` and a person who does look the same, so the mode of before comes back. */
function sayMode(
  { path, original }: JournalledFile,
  there: { readonly mode: bigint },
  { note, landed }: PutBackContext,
): void {
  if (landed !== 'certain' || original === null || modeOf(there) === original.mode) return;
  const [given, again] = [modeOf(there), original.mode].map((mode) => mode.toString(8));
  note(`${path} was given mode ${given} while a mutation stood in it, and has ${again} again`);
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
