/** A run from its lock to its record: what is kept of it, whoever asked and however it is shown. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_VARIABLE, runMark } from '../lane/process.js';
import { openEventWriter, type RunEvent } from '../record/events.js';
import type { RunRecord } from '../record/schema.js';
import { EVENTS_FILE, openRunFolder, writeRecord } from '../record/store.js';
import { err, ok, type Result } from '../result.js';
import { lockTree } from '../workspace/lock.js';
import { prepareOwnFolder } from '../workspace/own-folder.js';
import { leaveStateFolders } from '../workspace/state-folder.js';
import { unbuiltLanes } from '../workspace/unbuilt.js';
import { runOrder, type RunOrder } from './run.js';

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
  readonly display: () => {
    readonly emit: (event: RunEvent) => void;
    readonly close: () => void;
  };
  /** Something that a person should know at once, in whole lines. */
  readonly say: (text: string) => void;
  /**
   * Puts the tree back after an earlier run, and gives the tree-relative files that are back;
   * throws what must end this one.
   */
  readonly putBack: (tree: string) => Promise<readonly string[]>;
  /** Called with the record while the tree is still locked. */
  readonly report: (record: RunRecord, folder: string) => Promise<void>;
}

/**
 * Locks the tree, proves, writes the record, and has it reported.
 *
 * @returns why nothing was run, in whole sentences
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
    const display = watcher.display();
    const emit = broadcast(events.write, display.emit);
    emit({
      type: 'run-started',
      version: order.version,
      command: order.command,
      startedAt: startedAt.toISOString(),
      pid: process.pid,
      declared: order.mutations.filter(({ pulledIn }) => !pulledIn).map(({ spec }) => spec.id),
      mayGrow: order.rounds !== undefined && order.rounds.isInterim === undefined,
    });
    let result;
    try {
      result = await runOrder({
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
      if (result.ok) {
        const { complete, exitCode, durationMs, summary } = result.value;
        emit({ type: 'run-finished', complete, exitCode, durationMs, summary });
      }
    } finally {
      display.close();
      events.close();
    }
    if (!result.ok) return result;
    const record = withNotes(result.value, [
      ...(await leftUnbuilt(tree, runId)),
      ...eventProblems(events.problem()),
    ]);
    if (order.out === null) await prepareOwnFolder(order.recordedIn);
    const written = await writeRecord(path, record);
    if (!written.ok) watcher.say(`${written.error.message}\n`);
    await watcher.report(record, path);
    return ok(record);
  } finally {
    await leaveStateFolders(tree);
    await lock.value.release();
  }
}

const withNotes = (record: RunRecord, notes: readonly string[]): RunRecord =>
  notes.length === 0 ? record : { ...record, notVerified: [...record.notVerified, ...notes] };

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

/** A display that fails must not cost the run its tree: it is simply switched off. */
function broadcast(
  write: (event: RunEvent) => void,
  show: (event: RunEvent) => void,
): (event: RunEvent) => void {
  let shows = true;
  return (event) => {
    write(event);
    if (!shows) return;
    try {
      show(event);
    } catch {
      shows = false;
    }
  };
}
