import { trackedFiles } from '../git/tree.js';
import type { ProofEvidence } from '../proof/evidence.js';
import type { Judgement } from '../proof/judge.js';
import type { LaneConfig } from '../spec/model.js';
import type { RunEvent } from '../record/events.js';
import type { RunRecord } from '../record/schema.js';
import type { VerdictCode } from '../proof/verdict.js';
import { ok, type Result } from '../result.js';
import { createBudget } from './budget.js';
import type { EngineSettings } from './context.js';
import { openFirstSlot } from './isolation.js';
import type { PlannedMutation } from './plan.js';
import { projectFacts } from './project-facts.js';
import { createSlotPool } from './slot-pool.js';

export interface RunOrder {
  readonly tree: string;
  readonly root: string;
  readonly runId: string;
  /** Absolute folder of this run's record; step logs go into `logs/` below it. */
  readonly folder: string;
  /** The command line, without node. */
  readonly command: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
  /** Tree-relative files that were mutated by a killed run: bytecode and builds of them are stale. */
  readonly stale: readonly string[];
  readonly lanes: readonly LaneConfig[];
  readonly mutations: readonly PlannedMutation[];
  readonly settings: EngineSettings;
  /** Where edits are to land. */
  readonly isolation: 'auto' | 'overlay' | 'in-place';
  /** How many slots. */
  readonly jobs: number | 'auto';
  /** Interpreter named on the command line. */
  readonly python: string | null;
  /** Verdicts that do not count against the exit code. */
  readonly allow: readonly VerdictCode[];
  /** Lanes of the configuration that no mutation of this order uses. */
  readonly otherLanes: readonly string[];
  readonly emit: (event: RunEvent) => void;
  readonly interrupts: Interrupts;
  /** Calls `react` when another run may be at work on the tree, with the reason. */
  readonly onLockLost: (react: (why: string) => void) => void;
  /** Sentences that belong under "not verified" whatever happens. */
  readonly notVerified: readonly string[];
  /** Where what is measured decides what to measure next. */
  readonly rounds?: Rounds;
}

/** A proof as far as it has come, before its lane has ended. */
export interface Measured {
  readonly evidence: ProofEvidence;
  readonly judgement: Judgement;
}

export interface Rounds {
  /**
   * Asked after every round, until it answers nothing; of the lanes of the order. A mutation that
   * is planned again, in another lane, stands as it is measured last.
   */
  readonly next: (measured: readonly Measured[]) => readonly PlannedMutation[];
  /** Whether a proof is but the way to a further one of the same mutation: then what to say; else null. */
  readonly isInterim?: (measured: Measured) => string | null;
  /** Completes the record, once: also that of a run which ended early. */
  readonly conclude: (record: RunRecord, measured: readonly Measured[]) => RunRecord;
}

export interface Ran {
  readonly record: RunRecord;
  /** A bug of ours, by which the run ended early; null: there was none. */
  readonly fault: Error | null;
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
export async function runOrder(order: RunOrder): Promise<Result<Ran, string>> {
  const { tree, root, runId, folder } = order;
  const budget = createBudget(order.settings.budget);
  const facts = Promise.all([trackedFiles(tree), projectFacts(tree, root)]);
  // Awaited below, where its failure is met; until then it must not end the process.
  facts.catch(() => undefined);
  if (order.mutations.length === 0)
    return ok({
      record: (await loadProving()).nothingProven(order, (await facts)[1]),
      fault: null,
    });
  const { python, stale } = order;
  const slotOrder = { tree, root, runId, logs: `${folder}/logs`, python, stale };
  // It is loaded once more below, where its failure is met.
  const onSpawned = (): void => void loadProving().catch(() => undefined);
  const opened = await openFirstSlot({ ...slotOrder, onSpawned }, order.isolation);
  if (!opened.ok) return opened;
  const first = opened.value;
  const notice = (text: string): void => {
    order.emit({ type: 'notice', level: 'info', lane: null, id: null, text });
  };
  const pool = createSlotPool(first, { onRefused: (why) => notice(`no further slot: ${why}`) });
  if (first.because !== null) notice(`${first.isolation}: ${first.because}`);
  try {
    const [listed, project] = await facts;
    const tracked = listed.ok ? listed.value.paths : null;
    const { proveAll } = await loadProving();
    return ok(await proveAll(order, { first, pool, budget }, project, tracked));
  } finally {
    await pool.close();
  }
}

/** Half of this program, which is loaded while the first slot starts. */
const loadProving = () => import('./prove-all.js');
