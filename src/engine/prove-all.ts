/** What a run does once its first slot has been opened. */
import { sameAsCommit } from '../git/commit.js';
import { append } from '../lists.js';
import { openHistory } from '../mutation/history.js';
import { EXIT } from '../proof/exit-code.js';
import { judge } from '../proof/judge.js';
import type { RunRecord } from '../record/schema.js';
import { asOneError } from '../slot/all-of.js';
import { assembleRecord } from './assemble.js';
import type { Budget } from './budget.js';
import { createStopFlag, type RunContext } from './context.js';
import type { Draft } from './draft.js';
import type { FirstSlot } from './isolation.js';
import { slotCount, thisMachine } from './jobs.js';
import { createLeftoverWatch } from './leftovers.js';
import { createLogKeeper } from './log-keeper.js';
import { noteRestore, restoreFacts } from './applying.js';
import { goesOnWith, planSessions, type PlannedMutation } from './plan.js';
import type { ProjectFacts } from './project-facts.js';
import { createProvisionalJudge } from './provisional.js';
import { createQuiet } from './quiet.js';
import { noteCutShort } from './cut-short.js';
import type { Measured, Ran, RunOrder } from './run.js';
import { runFiles, type EngineFile } from './runner.js';
import { createRunningSession, type RunningSession } from './session.js';
import { storedMutants } from './stored-mutants.js';
import type { ClosedPool, SlotPool } from './slot-pool.js';
import { openTreeGuard } from './tree-guard.js';

export function nothingProven(order: RunOrder, project: ProjectFacts): RunRecord {
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

/**
 * All rounds of an order, in the slots of a pool; resolves when the tree is back. What was settled
 * before a bug of ours ended it is in the record.
 */
export async function proveAll(
  order: RunOrder,
  {
    first,
    pool,
    budget,
    run = runFiles,
  }: {
    readonly first: FirstSlot;
    readonly pool: SlotPool;
    readonly budget: Budget;
    readonly run?: typeof runFiles;
  },
  project: ProjectFacts,
  tracked: readonly string[] | null,
): Promise<Ran> {
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
    git: openHistory(order.tree),
    pool,
    isolation: first.slot.isolation,
    jobs: { jobs, isAuto: order.jobs === 'auto' },
    quiet: createQuiet(),
    guard,
    leftoversInPlace: createLeftoverWatch(order.tree, tracked === null ? null : new Set(tracked)),
    lanes: new Map(order.lanes.map((lane) => [lane.name, lane])),
    settings: order.settings,
    emit: order.emit,
    logs: createLogKeeper(`${order.folder}/logs`),
    stop: createStopFlag(),
    budget,
    told:
      order.mutations.length === 1 && (order.rounds === undefined || order.settings.tellMoves)
        ? new Set()
        : null,
    today: todayOf(order.startedAt),
  };
  listen(order, context);
  const sessions: RunningSession[] = [];
  const mutations: PlannedMutation[] = [];
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => {
    const [line] = (fault instanceof Error ? fault.message : String(fault)).split('\n');
    context.stop.set(`a bug in Counterproof: ${line ?? ''}`);
  };
  try {
    for (
      let round = order.mutations;
      round.length > 0;
      round = nextRound(order, context, sessions)
    ) {
      append(mutations, round);
      await run(filesOf(order, context, round, sessions), { concurrency: jobs, onFault });
    }
  } catch (error) {
    faults.push(error);
    for (const session of sessions) session.giveUp();
  }
  const closed = await pool.close();
  guard.close();
  faults.push(...closed.faults);
  for (const fault of faults) onFault(fault);
  noteLast(context, sessions, closed.outcomes);
  const assembled = async (): Promise<RunRecord> => {
    const drafts = sessions.flatMap(({ state }) => state().drafts);
    const stopped = context.stop.reason() ?? context.budget.reason();
    if (stopped !== null) noteCutShort(drafts, order.rounds, context.today);
    const record = assembleRecord({
      order: { ...order, mutations },
      project,
      stopped,
      states: sessions.map(({ state }) => state()),
      isolation: isolationText(first),
      jobs: pool.size(),
      notes: [
        ...closed.notes,
        ...(first.slot.isolation === 'in-place'
          ? await storedMutants({ ...order, project }, drafts)
          : []),
      ],
      durationMs: budget.spentMs(),
    });
    return order.rounds?.conclude(record, measuredIn(order, sessions)) ?? record;
  };
  if (faults.length === 0) return { record: await assembled(), fault: null };
  try {
    return {
      record: { ...(await assembled()), exitCode: EXIT.internal },
      fault: asOneError(faults),
    };
  } catch (error) {
    throw asOneError([...faults, error]);
  }
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
  const { today } = context;
  const judgeNow = createProvisionalJudge(today);
  const onSettled = (draft: Draft): boolean => {
    if (context.stop.reason() !== null) noteCutShort([draft], order.rounds, today);
    const proof = judgeNow(draft);
    const measured = { evidence: draft, judgement: judge(draft, { today }) };
    const interim = order.rounds?.isInterim?.(measured) ?? null;
    if (interim !== null) {
      const { lane, id } = proof;
      order.emit({ type: 'notice', level: 'info', lane, id, text: interim });
      return false;
    }
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
