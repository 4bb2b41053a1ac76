/** What stands where a journalled edit was to land, and what that means. Changes nothing. */
import { realpath } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { checksum } from './checksum.js';
import { codeOf, isAbsent, look } from './durable.js';
import { isSame, type JournalledFile } from './entry.js';

/**
 * `certain`: the mutant stood there. `unknown`: the set of edits may have been stopped before.
 * `unlikely`: the journal looks as if it had not begun or were over. Decides only what bytes
 * mean that are neither the original's nor the mutant's.
 */
export type Landed = 'certain' | 'unknown' | 'unlikely';

/** A set of edits that is over, or never began, has left no name beside the file. */
export async function surelyUnlikely(at: Paths, landed: Landed): Promise<Landed> {
  if (landed !== 'unlikely') return landed;
  const begun = (await look(at.link)) ?? (await look(at.temporary));
  return begun === null ? 'unlikely' : 'unknown';
}

export type Paths = Readonly<Record<'path' | 'temporary' | 'link' | 'seen' | 'fresh', string>>;

export const pathsOf = (file: JournalledFile, tree: string): Paths => ({
  path: join(tree, file.path),
  temporary: join(tree, file.temporary),
  link: join(tree, file.link),
  seen: join(tree, file.seen),
  fresh: join(tree, file.fresh),
});

/** `gone`: deleted, though neither the original nor the mutant is an absent file. */
export type State = 'original' | 'mutant' | 'other' | 'gone';

export async function stateOf(path: string, file: JournalledFile): Promise<State> {
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
export async function neverLanded(
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

/** Whether the way to the file is the one that was written to: real folders, no link among them. */
export async function folderStands(file: JournalledFile, tree: string): Promise<boolean> {
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
