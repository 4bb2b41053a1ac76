/** Takes a whole journal entry back, and forgets it only when every file was verified. */
import { append } from '../lists.js';
import { reasonOf } from './durable.js';
import type { JournalEntry } from './entry.js';
import { removeFolders } from './folders.js';
import { journalFolder, type Journal, type Step } from './journal.js';
import type { Keeper } from './kept.js';
import { refusalOf } from './refusal.js';
import { putBack } from './put-back.js';
import type { Landed } from './standing.js';
import { renewTime } from './renew.js';
import type { KeptWork, RestoreOutcome } from './workspace.js';

export interface UndoContext {
  readonly journal: Journal;
  readonly keeper: Keeper;
  readonly step: Step;
  readonly note: (text: string) => void;
  readonly landed: Landed;
  /** Paths that an earlier attempt brought back: what stands there since is the user's. */
  readonly done: Set<string>;
}

/** Goes on after a failure, so that one unwritable file does not hold back the others. */
export async function undo(entry: JournalEntry, context: UndoContext): Promise<RestoreOutcome> {
  const files: { path: string; sha256: string | null }[] = [];
  const kept: KeptWork[] = [];
  let failure: Extract<RestoreOutcome, { kind: 'failed' }> | null = null;
  for (const file of entry.files.toReversed()) {
    if (context.done.has(file.path)) continue;
    const outcome = await putBack(file, context);
    if (outcome.kind === 'failed') {
      failure ??= {
        kind: 'failed',
        path: file.path,
        why: outcome.why,
        original: outcome.original,
      };
      continue;
    }
    if (outcome.original && file.before !== null) await renew(file.path, context);
    context.done.add(file.path);
    files.push({ path: file.path, sha256: outcome.sha256 });
    append(kept, outcome.kept);
  }
  if (failure !== null) return failure;
  try {
    await forget(entry, context);
  } catch (error) {
    const original = journalFolder(context.journal.tree);
    const why = `the files are back, but their journal entry cannot be removed: ${refusalOf(error, original)}`;
    return { kind: 'failed', path: entry.files[0]?.path ?? '', why, original };
  }
  files.reverse();
  return kept.length > 0 ? { kind: 'kept', files, kept } : { kind: 'restored', files };
}

/** The bytes are back: a time that cannot be set takes nothing from that. */
async function renew(path: string, { journal, note }: UndoContext): Promise<void> {
  try {
    await renewTime(journal.tree, path);
  } catch (error) {
    note(
      `${path} is back with its old time, so that a build may keep the mutant: ${reasonOf(error)}`,
    );
  }
}

async function forget(entry: JournalEntry, { journal, note }: UndoContext): Promise<void> {
  const folders = new Set(entry.files.flatMap((file) => file.folders));
  const outermostFirst = [...folders].toSorted((a, b) => a.length - b.length);
  for (const folder of await removeFolders(outermostFirst, journal.tree)) {
    note(`${folder}/ stays: it was made for a mutation, but is not empty`);
  }
  await journal.remove(entry.id);
}
