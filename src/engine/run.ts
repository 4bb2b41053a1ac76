import { sameAsCommit, showFile } from '../git/commit.js';
import { trackedFiles } from '../git/tree.js';
import type { ProofEvidence } from '../proof/evidence.js';
import { judge, type Judgement } from '../proof/judge.js';
import type { LaneConfig } from '../spec/model.js';
import type { RunEvent } from '../record/events.js';
import type { RunRecord } from '../record/schema.js';
import type { VerdictCode } from '../proof/verdict.js';
import { ok, type Result } from '../result.js';
import { assembleRecord, projectFacts, type ProjectFacts } from './assemble.js';
import { createBudget } from './budget.js';
import { createStopFlag, type EngineSettings, type RunContext } from './context.js';
import { openFirstSlot, type FirstSlot } from './isolation.js';
import { slotCount, thisMachine } from './jobs.js';
import { createLeftoverWatch } from './leftovers.js';
import { createLogKeeper } from './log-keeper.js';
import { noteRestore, restoreFacts } from './measure.js';
import { createProvisionalJudge } from './provisional.js';
import { createQuiet } from './quiet.js';
import type { Draft } from './draft.js';
import { goesOnWith, planSessions, type PlannedMutation } from './plan.js';
import { runFiles, type EngineFile } from './runner.js';
import { createRunningSession, type RunningSession } from './session.js';
import { storedMutants } from './stored-mutants.js';
import { createSlotPool, type ClosedPool, type SlotPool } from './slot-pool.js';
import { openTreeGuard } from './tree-guard.js';

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
  /** Asked after every round, until it answers nothing; of the lanes of the order. */
  readonly next: (measured: readonly Measured[]) => readonly PlannedMutation[];
  /** Completes the record, once: also that of a run which ended early. */
  readonly conclude: (record: RunRecord, measured: readonly Measured[]) => RunRecord;
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
  const { tree, root, runId, folder } = order;
  const facts = Promise.all([trackedFiles(tree), projectFacts(tree, root)]);
  // Awaited below, where its failure is met; until then it must not end the process.
  facts.catch(() => undefined);
  if (order.mutations.length === 0) return ok(nothingProven(order, (await facts)[1]));
  const slotOrder = { tree, root, runId, logs: `${folder}/logs`, python: order.python };
  const opened = await openFirstSlot(slotOrder, order.isolation);
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
    return ok(await proveAll(order, { first, pool }, project, tracked));
  } finally {
    await pool.close();
  }
}

function nothingProven(order: RunOrder, project: ProjectFacts): RunRecord {
  const record = assembleRecord({
    order,
    project,
    stopped: null,
    states: [],
    isolation: 'not needed',
    jobs: 0,
    notes: [],
    durationMs: 0,
  });
  return order.rounds?.conclude(record, []) ?? record;
}

async function proveAll(
  order: RunOrder,
  { first, pool }: { readonly first: FirstSlot; readonly pool: SlotPool },
  project: ProjectFacts,
  tracked: readonly string[] | null,
): Promise<RunRecord> {
  const started = performance.now();
  const guard = await openTreeGuard(order.tree, tracked, async (paths) => {
    const { commit, dirty } = project;
    const clean = paths.filter((path) => !dirty.includes(path));
    return commit === null ? new Set() : sameAsCommit(order.tree, commit, clean);
  });
  const machine = thisMachine();
  const jobs = first.slot.isolation === 'in-place' ? 1 : slotCount(order.jobs, machine);
  const context: RunContext = {
    tree: order.tree,
    root: order.root,
    git: { showFile: (rev, path) => showFile(order.tree, rev, path) },
    pool,
    isolation: first.slot.isolation,
    jobs: { jobs, isAuto: order.jobs === 'auto', cores: machine.cores },
    quiet: createQuiet(),
    guard,
    leftoversInPlace: createLeftoverWatch(order.tree, tracked === null ? null : new Set(tracked)),
    lanes: new Map(order.lanes.map((lane) => [lane.name, lane])),
    settings: order.settings,
    emit: order.emit,
    logs: createLogKeeper(`${order.folder}/logs`),
    stop: createStopFlag(),
    budget: createBudget(order.settings.budget),
    isSingle: order.mutations.length === 1 && order.rounds === undefined,
    today: todayOf(order.startedAt),
  };
  listen(order, context);
  const sessions: RunningSession[] = [];
  const mutations: PlannedMutation[] = [];
  let notes: readonly string[] = [];
  try {
    for (
      let round = order.mutations;
      round.length > 0;
      round = nextRound(order, context, sessions)
    ) {
      mutations.push(...round);
      await runFiles(filesOf(order, context, round, sessions), { concurrency: jobs });
    }
  } finally {
    const closed = await pool.close();
    noteLast(context, sessions, closed.outcomes);
    notes = closed.notes;
    guard.close();
  }
  const drafts = sessions.flatMap(({ state }) => state().drafts);
  const record = assembleRecord({
    order: { ...order, mutations },
    project,
    stopped: context.stop.reason() ?? context.budget.reason(),
    states: sessions.map(({ state }) => state()),
    isolation: isolationText(first),
    jobs: pool.size(),
    notes: [
      ...notes,
      ...(first.slot.isolation === 'in-place'
        ? await storedMutants({ ...order, project }, drafts)
        : []),
    ],
    durationMs: performance.now() - started,
  });
  return order.rounds?.conclude(record, measuredIn(order, sessions)) ?? record;
}

function nextRound(
  { rounds, ...order }: RunOrder,
  { stop }: RunContext,
  sessions: readonly RunningSession[],
): readonly PlannedMutation[] {
  if (rounds === undefined || stop.reason() !== null) return [];
  return rounds.next(measuredIn(order, sessions));
}

function measuredIn(
  { startedAt }: Pick<RunOrder, 'startedAt'>,
  sessions: readonly RunningSession[],
): readonly Measured[] {
  const today = todayOf(startedAt);
  return sessions
    .flatMap(({ state }) => state().drafts)
    .map((evidence) => ({ evidence, judgement: judge(evidence, { today }) }));
}

const todayOf = (startedAt: Date): string => startedAt.toISOString().slice(0, 10);

/** Lets signals, and whatever else must end the run, reach it. */
function listen({ interrupts, emit, onLockLost }: RunOrder, { stop, pool }: RunContext): void {
  onLockLost((why) => {
    stop.set(why);
    pool.interrupt('soon');
  });
  interrupts.onSignal((signal, count) => {
    stop.set(`interrupted by ${signal}`);
    if (count === 1) emit({ type: 'interrupted', signal });
    pool.interrupt(count === 1 ? 'soon' : 'now');
  });
}

/** The files of one round. A lane that was measured before goes on with its baseline. */
function filesOf(
  order: RunOrder,
  context: RunContext,
  mutations: readonly PlannedMutation[],
  sessions: RunningSession[],
): readonly EngineFile[] {
  const judgeNow = createProvisionalJudge(context.today);
  const onSettled = (draft: Draft): boolean => {
    const proof = judgeNow(draft);
    order.emit({ type: 'proof-finished', proof });
    const stands = proof.group === 'proven' || proof.accepted !== null;
    if (order.settings.failFast && !stands)
      context.stop.set(`--fail-fast: ${proof.id} is ${proof.verdict}`);
    return stands;
  };
  return planSessions(mutations, order.lanes).map((session) => {
    const before = sessions.find((running) => goesOnWith(running.state().session, session));
    if (before !== undefined) return before.more(session.mutations);
    const running = createRunningSession(context, session, onSettled);
    sessions.push(running);
    return running.file;
  });
}

/** What only the end of the slot showed to be amiss belongs to the proofs of that file. */
function noteLast(
  context: RunContext,
  sessions: readonly RunningSession[],
  outcomes: ClosedPool['outcomes'],
): void {
  for (const outcome of outcomes) {
    noteRestore(context, outcome);
    if (outcome.kind !== 'failed') continue;
    for (const draft of sessions.flatMap(({ state }) => state().drafts))
      if (draft.files.some(({ path }) => path === outcome.path))
        draft.restore = restoreFacts(outcome);
  }
}

const isolationText = ({ isolation, because }: FirstSlot): string =>
  because === null ? isolation : `${isolation} (${because})`;
