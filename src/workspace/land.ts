/** Puts one journalled edit into the tree: the path holds the original or the mutant, never less. */
import { link, mkdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { checksum } from './checksum.js';
import { codeOf, look, syncFolder, writeNew } from './durable.js';
import type { JournalledFile } from './entry.js';
import type { PlannedEdit } from './inspect.js';
import type { Step } from './journal.js';
import { floorOf, makeNewer } from './newer.js';
import { refusalOf } from './refusal.js';

export interface LandContext {
  readonly tree: string;
  readonly step: Step;
  readonly note: (text: string) => void;
  /** Newest change time, in nanoseconds, that any writer gave this path as far as we saw. */
  readonly newest: Map<string, bigint>;
}

/** FAT and some FUSE file systems have no hard links, subvolumes do not share them, ext4 has 65,000. */
const NO_LINK = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export const cannotLink = (error: unknown): boolean => NO_LINK.has(codeOf(error) ?? '');

/** The error is a reason in one phrase; the caller then takes the whole set back. */
export async function land(
  planned: PlannedEdit,
  context: LandContext,
): Promise<Result<void, string>> {
  const { record, edit } = planned;
  const { tree, step } = context;
  const path = join(tree, record.path);
  try {
    const refused =
      edit.after === null
        ? await landDeletion(record, context)
        : await landBytes(record, edit.before, edit.after, context);
    if (refused !== null) return err(refused);
    await step(`sync ${record.path}`);
    await syncFolder(dirname(path));
    await step(`read ${record.path}`);
    return (await checksum(path)) === record.after
      ? ok(undefined)
      : err('it did not have the written bytes when it was read back');
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return err(refusalOf(error, dirname(path)));
  }
}

async function landDeletion(record: JournalledFile, context: LandContext): Promise<string | null> {
  const { tree, step } = context;
  const path = join(tree, record.path);
  const touched = await touchedMeanwhile(record, path, null);
  if (touched !== null) return touched;
  await step(`move ${record.path}`);
  await rename(path, join(tree, record.link));
  return null;
}

async function landBytes(
  record: JournalledFile,
  before: Buffer | null,
  after: Buffer,
  context: LandContext,
): Promise<string | null> {
  const { tree, step } = context;
  const path = join(tree, record.path);
  const temporary = join(tree, record.temporary);
  const linked = before !== null && (await keepOriginal(record, before, context));
  if (before === null) await makeFolders(record, context);
  await step(`write ${record.path}`);
  await writeNew(temporary, after, {
    mode: record.original?.mode ?? 0o666 & ~process.umask(),
    owner: ownerFor(record),
    times: null,
  });
  await step(`time ${record.path}`);
  const { newest } = context;
  newest.set(record.path, await makeNewer(temporary, floorOf(record, newest)));
  if (before === null) return placeNew(temporary, path, record, step);
  const touched = await touchedMeanwhile(record, path, linked ? join(tree, record.link) : null);
  if (touched !== null) return touched;
  await step(`swap ${record.path}`);
  await rename(temporary, path);
  return null;
}

/** Gives whether the kept original is the very file (a hard link) and not a copy of it. */
async function keepOriginal(
  record: JournalledFile,
  bytes: Buffer,
  { tree, step, note }: LandContext,
): Promise<boolean> {
  const kept = join(tree, record.link);
  try {
    await step(`link ${record.path}`);
    await link(join(tree, record.path), kept);
    return true;
  } catch (error) {
    if (!cannotLink(error)) throw error;
  }
  note(
    `${record.path} cannot have a second name here; bytes, mode, owner and times come back, ` +
      'inode, extended attributes and access lists do not',
  );
  await step(`copy ${record.path}`);
  await writeNew(kept, bytes, originalAttributes(record));
  return false;
}

/** What a file that is written anew takes over from the original. */
export function originalAttributes(record: JournalledFile): Parameters<typeof writeNew>[2] {
  const { original } = record;
  if (original === null) throw new Error(`Internal error: ${record.path} had no original`);
  return {
    mode: original.mode,
    owner: ownerFor(record),
    times: { atime: BigInt(original.atime), mtime: BigInt(original.mtime) },
  };
}

/** null where a new file has the right owner by itself, or cannot be given another one. */
function ownerFor(record: JournalledFile): { uid: number; gid: number } | null {
  const { original } = record;
  if (original === null) return null;
  const { uid, gid } = original;
  if (process.geteuid?.() === 0) return { uid, gid };
  // A user may give a file only to groups of their own.
  return process.getgroups?.().includes(gid) === true ? { uid, gid } : null;
}

async function makeFolders(record: JournalledFile, { tree, step }: LandContext): Promise<void> {
  for (const folder of record.folders) {
    await step(`folder ${folder}`);
    try {
      await mkdir(join(tree, folder));
    } catch (error) {
      // Another file of the same set needed it too.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    await syncFolder(dirname(join(tree, folder)));
  }
}

/** By link, which refuses to overwrite what somebody made meanwhile; a rename would not. */
async function placeNew(
  temporary: string,
  path: string,
  record: JournalledFile,
  step: Step,
): Promise<string | null> {
  try {
    await step(`place ${record.path}`);
    await link(temporary, path);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    if ((await look(path)) !== null) return 'it exists by now';
    await rename(temporary, path);
    return null;
  }
  await step(`unlink temporary ${record.path}`);
  await unlink(temporary);
  return null;
}

/**
 * Size and time of one's own moment ago, and still the file that was linked: between looking and
 * swapping an editor may have saved. (The inode itself may change at the first link, on overlayfs.)
 */
async function touchedMeanwhile(
  record: JournalledFile,
  path: string,
  twinPath: string | null,
): Promise<string | null> {
  const { original } = record;
  if (original === null) return null;
  const now = await look(path);
  const twin = twinPath === null ? null : await look(twinPath);
  const same =
    now !== null &&
    String(now.size) === original.size &&
    String(now.mtimeNs) === original.mtime &&
    (twin === null || (twin.ino === now.ino && twin.dev === now.dev));
  return same ? null : 'somebody changed it in this very moment';
}
