/** Puts a tree back after a run that was killed: by the `recover` command and by every next start. */
import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { append } from '../lists.js';
import {
  openJournal,
  type Journal,
  type JournalContent,
  type Recorded,
  type Step,
} from './journal.js';
import { keeper as openKeeper } from './kept.js';
import { endProcess, isThisProcess, lifeOf, type ProcessIdentity } from './owner.js';
import type { Landed } from './standing.js';
import { undo } from './undo.js';
import { takeWord } from './untold.js';
import type { KeptWork } from './workspace.js';

export interface RecoverOptions {
  /** How long a process that still lives may take to restore by itself; then it is killed. Milliseconds. */
  readonly waitMs?: number;
  readonly onWait?: (owner: ProcessIdentity) => void;
  /**
   * Called when no owner of what is in place is alive, before anything is put back: the moment
   * to end whatever else a killed run has left running.
   */
  readonly onAlone?: () => Promise<void>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly onStep?: Step;
}

interface WithNotes {
  /** Whole sentences for people. */
  readonly notes: readonly string[];
}

/** A set of edits that stood in the tree, or was about to. */
export interface UndoneEdits {
  readonly label: string;
  readonly at: Date;
  /** `after`: sum of the mutant; null: the file was deleted. */
  readonly files: readonly { readonly path: string; readonly after: string | null }[];
}

interface WithFiles extends WithNotes {
  /** What was taken back; probe files are not among it. */
  readonly undone: readonly UndoneEdits[];
  /** Everything that is back, probe files included, with its sum on disk (null: absent, as before). */
  readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
}

export type RecoverOutcome =
  | (WithNotes & { readonly kind: 'nothing' })
  | (WithFiles & { readonly kind: 'restored' })
  /** The originals are back; what somebody had written in their place is under `keptAs`. */
  | (WithFiles & { readonly kind: 'kept'; readonly kept: readonly KeptWork[] })
  /** The journal stays. `original`: where the bytes of that file's original are. */
  | (WithFiles & {
      readonly kind: 'failed';
      readonly path: string;
      readonly why: string;
      readonly original: string;
      readonly kept: readonly KeptWork[];
    });

const WAIT_MS = 10_000;
const POLL_MS = 50;

/**
 * Call with the tree's lock held: an owner that is alive then has lost its coordinator. Doing it
 * twice is harmless, and so is a crash in between: no entry is forgotten before its files were
 * verified.
 */
export async function recover(tree: string, options: RecoverOptions = {}): Promise<RecoverOutcome> {
  const { environment, onStep: step = () => undefined } = options;
  const journal = await openJournal({ tree: await realpath(tree), environment, onStep: step });
  let { content, busy } = await settled(journal, options);
  if (busy === null) {
    await options.onAlone?.();
    // Read again: what has just been ended may have been about to write.
    ({ content, busy } = await settled(journal, options));
  }
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const files: { path: string; sha256: string | null }[] = [];
  const kept: KeptWork[] = [];
  const undone: UndoneEdits[] = [];
  let failure: { path: string; why: string; original: string } | null = null;

  const first = content.entries[0]?.entry.files[0];
  if (busy !== null && first !== undefined) {
    const why = `process ${busy.pid} still works on this tree and cannot be ended: end it, then try again`;
    const original = (await journal.original(first))?.path ?? first.link;
    return { kind: 'failed', path: first.path, why, original, files, kept, undone, notes };
  }
  const keeper = openKeeper(journal.tree);
  for (const recorded of content.entries) {
    const context = {
      journal,
      keeper,
      step,
      note,
      landed: landedOf(recorded),
      done: new Set<string>(),
    };
    const outcome = await undo(recorded.entry, context);
    if (outcome.kind === 'failed') {
      failure ??= { path: outcome.path, why: outcome.why, original: outcome.original };
      continue;
    }
    append(files, outcome.files);
    if (recorded.entry.kind === 'edits') undone.push(undoneOf(recorded));
    if (outcome.kind === 'kept') append(kept, outcome.kept);
  }
  for (const { path, why } of content.damaged) {
    failure ??= { path, why, original: path.replace(/\.json$/, '.0.original') };
  }
  if (failure !== null) return { kind: 'failed', ...failure, files, kept, undone, notes };
  await journal.sweep();
  append(kept, await takeWord(journal.tree));
  if (kept.length > 0) return { kind: 'kept', files, kept, undone, notes };
  return files.length > 0 ? { kind: 'restored', files, undone, notes } : { kind: 'nothing', notes };
}

const undoneOf = ({ entry: { label, at, files } }: Recorded): UndoneEdits => ({
  label,
  at: new Date(at),
  files: files.map(({ path, after }) => ({ path, after })),
});

function landedOf({ otherTree, probablyOver }: Recorded): Landed {
  return otherTree || probablyOver ? 'unlikely' : 'unknown';
}

/** The journal when no owner works on the tree any more; `busy`: one does, and cannot be ended. */
async function settled(
  journal: Journal,
  options: RecoverOptions,
): Promise<{ readonly content: JournalContent; readonly busy: ProcessIdentity | null }> {
  const { waitMs = WAIT_MS, onWait = () => undefined } = options;
  const ends = performance.now() + waitMs;
  const told = new Set<number>();
  for (;;) {
    const content = await journal.read();
    const owners = content.entries.map((it) => it.entry.owner).filter(mayStillWrite);
    if (owners.length === 0) return { content, busy: null };
    for (const owner of owners) {
      if (!told.has(owner.pid)) onWait(owner);
      told.add(owner.pid);
    }
    if (performance.now() >= ends) {
      let busy: ProcessIdentity | null = null;
      for (const owner of owners) {
        if ((await endProcess(owner)) === 'alive' && owner.start !== null) busy = owner;
      }
      return { content: await journal.read(), busy };
    }
    await delay(Math.min(POLL_MS, Math.max(1, ends - performance.now())));
  }
}

const mayStillWrite = (owner: ProcessIdentity): boolean =>
  !isThisProcess(owner) && lifeOf(owner) !== 'dead';
