/** A run from its lock to its record: what is kept of it, whoever asked and however it is shown. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_VARIABLE, runMark } from '../lane/process.js';
import { openEventWriter, type RunEvent } from '../record/events.js';
import type { RunRecord } from '../record/schema.js';
import { EVENTS_FILE, openRunFolder } from '../record/store.js';
import { err, ok, type Result } from '../result.js';
import { lockTree } from '../workspace/lock.js';
import { prepareOwnFolder } from '../workspace/own-folder.js';
import { leaveStateFolders } from '../workspace/state-folder.js';
import { unbuiltLanes } from '../workspace/unbuilt.js';
import { keepRecord, withNotes, type KeptRecord } from './keep-record.js';
import { runOrder, type RunOrder } from './run.js';
import { safeDisplay, type Display } from './safe-display.js';

/** What follows from the run itself is left out. */
export interface RecordedOrder extends Omit<
  RunOrder,
  'runId' | 'folder' | 'startedAt' | 'stale' | 'emit' | 'onLockLost'
> {
  /** `--out`, absolute; null: among the runs of the tree. */
  readonly out: string | null;
  /** The tree in which the record is kept, if not the one that is worked on. */
  readonly recordedIn: string;
}

/** How a run shows itself while it runs. */
export interface Watcher {
  /** Opened once the run is about to begin. */
  readonly display: () => Display;
  /** Something that a person should know at once, in whole lines. */
  readonly say: (text: string) => void;
  /**
   * Puts the tree back after an earlier run, and gives the tree-relative files that are back;
   * throws what must end this one.
   */
  readonly putBack: (tree: string) => Promise<readonly string[]>;
  /**
   * Called with the record while the tree is still locked.
   *
   * @param folder where the record is; null: it could not be written
   */
  readonly report: (record: RunRecord, folder: string | null) => Promise<void>;
}

/**
 * Locks the tree, proves, writes the record, and has it reported.
 *
 * @returns why nothing was run, in whole sentences
 * @throws Error for a bug of ours, once what was settled before it is recorded and reported
 */
export async function recordedRun(
  order: RecordedOrder,
  watcher: Watcher,
): Promise<Result<RunRecord, string>> {
  const { tree } = order;
  const startedAt = new Date();
  let lost: string | null = null;
  let reactToLoss: (why: string) => void = () => undefined;
  const lock = await lockTree({
    tree,
    command: order.command,
    onCompromised: (why) => {
      watcher.say(`counterproof: ${why}\n`);
      lost = why;
      reactToLoss(why);
    },
  });
  if (!lock.ok) {
    const { kind, message } = lock.error;
    return err(kind === 'held' ? `${message}\nWait for it, or end it.` : message);
  }
  try {
    const stale = await watcher.putBack(tree);
    const folder = await openRunFolder({
      tree: order.recordedIn,
      out: order.out,
      startedAt,
      pid: process.pid,
    });
    if (!folder.ok) return err([folder.error.message, folder.error.hint].join('\n'));
    const { path } = folder.value;
    await mkdir(join(path, 'logs'), { recursive: true });

    const runId = folder.value.stamp ?? `${startedAt.getTime()}-${process.pid}`;
    // Whatever the run starts inherits this, and is found by it should everything else be killed.
    const outer = process.env[RUN_VARIABLE];
    const mark = runMark(tree, runId);
    process.env[RUN_VARIABLE] = outer === undefined ? mark : `${outer}/${mark}`;

    const events = openEventWriter(join(path, EVENTS_FILE), () => new Date());
    const display = safeDisplay(watcher.display());
    const emit = (event: RunEvent): void => {
      events.write(event);
      display.emit(event);
    };
    emit({
      type: 'run-started',
      version: order.version,
      command: order.command,
      startedAt: startedAt.toISOString(),
      pid: process.pid,
      declared: order.mutations.filter(({ pulledIn }) => !pulledIn).map(({ spec }) => spec.id),
      mayGrow: order.rounds !== undefined && order.rounds.isInterim === undefined,
    });
    let fault: Error | null;
    let kept: KeptRecord;
    try {
      const result = await runOrder({
        ...order,
        runId,
        folder: path,
        startedAt,
        stale,
        emit,
        onLockLost(react) {
          reactToLoss = react;
          if (lost !== null) react(lost);
        },
      });
      if (!result.ok) return result;
      ({ fault } = result.value);
      if (order.out === null) await prepareOwnFolder(order.recordedIn);
      const notes = [...(await leftUnbuilt(tree, runId)), ...eventProblems(events.problem())];
      kept = await keepRecord(path, withNotes(result.value.record, notes));
      const { complete, exitCode, durationMs, summary } = kept.record;
      emit({ type: 'run-finished', complete, exitCode, durationMs, summary });
    } finally {
      display.close();
      events.close();
    }
    const { record, problem } = kept;
    try {
      await watcher.report(record, problem === null ? path : null);
    } finally {
      if (problem !== null) watcher.say(`counterproof: ${problem}\n`);
      const shown = display.problem();
      if (shown !== null) watcher.say(`counterproof: the progress display failed: ${shown}\n`);
    }
    if (fault !== null) throw fault;
    return ok(record);
  } finally {
    await leaveStateFolders(tree);
    await lock.value.release();
  }
}

const eventProblems = (problem: string | null): readonly string[] =>
  problem === null ? [] : [`events were not kept: ${problem}`];

/** Lanes that this run did not build in the tree: it did not use them, or used an overlay. */
const leftUnbuilt = async (tree: string, runId: string): Promise<readonly string[]> =>
  (await unbuiltLanes(tree))
    .filter((lane) => lane.runId !== runId)
    .map(
      ({ lane }) =>
        `lane ${lane}: what its build made in an earlier run may be of a mutant: \`counterproof recover\` runs it again`,
    );
