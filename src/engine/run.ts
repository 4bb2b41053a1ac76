import { showFile } from '../git/commit.js';
import { trackedFiles } from '../git/tree.js';
import type { LaneConfig } from '../spec/model.js';
import type { RunEvent } from '../record/events.js';
import type { RunRecord } from '../record/schema.js';
import type { VerdictCode } from '../proof/verdict.js';
import { ok, type Result } from '../result.js';
import { assembleRecord, type ProjectFacts } from './assemble.js';
import { createStopFlag, type EngineSettings, type RunContext } from './context.js';
import { createLeftoverWatch } from './leftovers.js';
import { createProvisionalJudge } from './provisional.js';
import { planSessions, type PlannedMutation } from './plan.js';
import { runFiles } from './runner.js';
import { createRunningSession } from './session.js';
import { openSlot } from './slot-keeper.js';
import { openTreeGuard } from './tree-guard.js';

export interface RunOrder {
  readonly tree: string;
  readonly root: string;
  readonly runId: string;
  /** Absolute folder of this run's record; step logs go into `logs/` below it. */
  readonly folder: string;
  readonly project: ProjectFacts;
  /** The command line, without node. */
  readonly command: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
  readonly lanes: readonly LaneConfig[];
  readonly mutations: readonly PlannedMutation[];
  readonly settings: EngineSettings;
  /** Interpreter named on the command line. */
  readonly python: string | null;
  /** Verdicts that do not count against the exit code. */
  readonly allow: readonly VerdictCode[];
  /** Lanes of the configuration that no mutation of this order uses. */
  readonly otherLanes: readonly string[];
  readonly emit: (event: RunEvent) => void;
  readonly interrupts: Interrupts;
  /** Sentences that belong under "not verified" whatever happens. */
  readonly notVerified: readonly string[];
}

/** How a signal reaches a run that is under way. */
export interface Interrupts {
  /** Called once for each signal, first at once if one came already. */
  readonly onSignal: (react: (signal: NodeJS.Signals, count: number) => void) => void;
  /** The first signal that came; null: none. */
  readonly received: () => NodeJS.Signals | null;
}

/**
 * Proves the mutations of an order, in a tree that the caller has locked and recovered.
 * Resolves with the record, complete or not, when the tree is back and the slot is gone.
 */
export async function runOrder(order: RunOrder): Promise<Result<RunRecord, string>> {
  const started = performance.now();
  const opened = await openSlot(
    { tree: order.tree, root: order.root, runId: order.runId, logs: `${order.folder}/logs` },
    order.python,
  );
  if (!opened.ok) return opened;
  const slot = opened.value;
  const listed = await trackedFiles(order.tree);
  const tracked = listed.ok ? listed.value.paths : null;
  const guard = await openTreeGuard(order.tree, tracked);
  const context: RunContext = {
    tree: order.tree,
    root: order.root,
    git: { showFile: (rev, path) => showFile(order.tree, rev, path) },
    slot,
    guard,
    leftovers: createLeftoverWatch(order.tree, tracked === null ? null : new Set(tracked)),
    lanes: new Map(order.lanes.map((lane) => [lane.name, lane])),
    settings: order.settings,
    emit: order.emit,
    stop: createStopFlag(),
    isSingle: order.mutations.length === 1,
    today: order.startedAt.toISOString().slice(0, 10),
  };
  order.interrupts.onSignal((signal, count) => {
    context.stop.set(`interrupted by ${signal}`);
    if (count === 1) order.emit({ type: 'interrupted', signal });
    slot.interrupt(count === 1 ? 'soon' : 'now');
  });

  const judgeNow = createProvisionalJudge(context.today);
  const sessions = planSessions(order.mutations, order.lanes).map((session) =>
    createRunningSession(context, session, (draft) => {
      const proof = judgeNow(draft);
      order.emit({ type: 'proof-finished', proof });
      const stands = proof.group === 'proven' || proof.accepted !== null;
      if (order.settings.failFast && !stands)
        context.stop.set(`--fail-fast: ${proof.id} is ${proof.verdict}`);
    }),
  );
  try {
    await runFiles(
      sessions.map(({ file }) => file),
      { concurrency: 1 },
    );
  } finally {
    await slot.close();
    guard.close();
  }
  return ok(
    assembleRecord({
      order,
      stopped: context.stop.reason(),
      states: sessions.map(({ state }) => state()),
      durationMs: performance.now() - started,
    }),
  );
}
