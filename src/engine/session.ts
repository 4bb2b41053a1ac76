import type { ClosingFacts, StepEvidence } from '../proof/evidence.js';
import { closingVoids, mayShareRestored, movedTests, openProof } from '../proof/plan.js';
import { idRules, matchIds } from '../proof/select.js';
import { idsOf } from '../proof/step.js';
import { isAsBaseline, type MeasuredLane } from '../proof/stability.js';
import { openSession, type Opened } from './open-session.js';
import type { RunContext } from './context.js';
import { createDraft, type Draft } from './draft.js';
import { inTree, runStep } from './lane-state.js';
import { createLasting, TRIES } from './lasting.js';
import { measure, restoreFacts, restoreOf } from './measure.js';
import type { PlannedMutation, Session } from './plan.js';
import type { EngineFile } from './runner.js';
import { settle, type Settlement } from './settle.js';

/** A session's proofs, and what its lane's own runs showed. */
export interface SessionState {
  readonly session: Session;
  readonly opened: Opened | null;
  readonly drafts: readonly Draft[];
  readonly closing: readonly StepEvidence[];
}

export interface RunningSession {
  readonly file: EngineFile;
  readonly state: () => SessionState;
}

/** Verdicts wait for a shared restored run; this bounds how long. */
const MOST_PENDING = 8;

/**
 * @param onSettled called once for each mutation that was taken up, when only the end of its
 *   lane can still change its verdict
 */
export function createRunningSession(
  context: RunContext,
  session: Session,
  onSettled: (draft: Draft) => void,
): RunningSession {
  let opened: Opened | null = null;
  const drafts = new Map<string, Draft>();
  /** Measured, bytes back, tests not yet run on the restored tree. */
  let pending: Draft[] = [];
  /** Settled since the whole lane was last green on the restored tree. */
  let open: Draft[] = [];
  const closing: StepEvidence[] = [];
  /** A mutation was measured since the whole lane was last green: it may have left state behind. */
  let afterOthers = false;
  /** The same of the lanes of controls, which are never run whole on the restored tree. */
  let outsideAfterOthers = false;
  /** When a draft's evidence was last added to, by the process's own clock. */
  const measuredAt = new Map<Draft, number>();
  const goesOn = (): boolean => context.stop.reason() === null;
  const { lasting, survive } = createLasting(context, session.lane.name);

  const around: EngineFile['around'] = async (runBodies) => {
    if (!goesOn()) return;
    const { name } = session.lane;
    context.emit({ type: 'lane-started', lane: name, mutations: session.mutations.length });
    try {
      opened = await lasting(async (attempt) => {
        // A successor places again what the dead slot had placed.
        if (attempt > 1) await context.slot.call('unplace', null);
        return openSession(context, session);
      });
      if (opened === null) return;
      for (const one of session.mutations) drafts.set(one.spec.id, newDraft(one));
      if (opened.blocked === null) {
        await runBodies();
        await finish();
      } else {
        for (const draft of drafts.values()) onSettled(draft);
      }
    } finally {
      await lasting(takeProbesAway);
    }
  };

  const newDraft = (one: PlannedMutation): Draft => {
    if (opened === null) throw new Error('Internal error: the session is not open');
    const draft = createDraft(one, opened);
    const { blocked } = opened;
    if (blocked?.kind === 'probes') draft.notApplied = blocked.problem;
    if (blocked?.kind === 'touched')
      draft.touched = blocked.paths.map((path) => ({ path, by: 'lane' as const }));
    return draft;
  };

  const body = async (one: PlannedMutation): Promise<void> => {
    if (opened === null || !goesOn()) {
      const skipped = drafts.get(one.spec.id);
      if (skipped !== undefined) skipped.interrupted = true;
      return;
    }
    await settleBeforeExpected(one);
    const lane = session.lane.name;
    context.emit({ type: 'mutation-started', lane, id: one.spec.id, slot: 0 });
    const { draft, leftovers } = await measured(one);
    pending.push(draft);
    measuredAt.set(draft, performance.now());
    await watchTree('due');
    if (context.settings.verify === 'full' || leftovers) await settlePending('lane');
    else if (pending.length >= MOST_PENDING || context.settings.failFast)
      await settlePending('moved');
  };

  /** Measures one mutation, again where a test moved that has not been green since it last did. */
  const measured = async (
    one: PlannedMutation,
  ): Promise<{ readonly draft: Draft; readonly leftovers: boolean }> => {
    let draft = newDraft(one);
    for (let attempt = 1; ; attempt += 1) {
      const started = performance.now();
      drafts.set(one.spec.id, draft);
      draft.company = afterOthers ? 'after-others' : null;
      for (const steps of draft.outsideControls)
        steps.company = outsideAfterOthers ? 'after-others' : null;
      try {
        if (opened !== null) await measure(context, session, opened, draft);
      } catch (error) {
        await restoreOf(draft, await survive(error), context.tree);
        draft.slotDied = true;
      }
      draft.durationMs = performance.now() - started;
      if (draft.files.length > 0) [afterOthers, outsideAfterOthers] = [true, true];
      const leftovers = draft.mutated !== null && (await context.leftovers.since()).length > 0;
      if (!draft.slotDied && shares(draft)) return { draft, leftovers };
      if (attempt === TRIES || !goesOn()) return { draft, leftovers };
      if (draft.slotDied && draft.files.length > 0 && !(await isGreenAgain()))
        return { draft, leftovers };
      await settlePending(leftovers ? 'lane' : 'moved');
      draft = newDraft(one);
    }
  };

  /**
   * What a dead slot's run had moved has to be green once before it may count as a flip again,
   * and which tests that were died with it: so the whole lane.
   */
  const isGreenAgain = async (): Promise<boolean> => {
    if (opened === null) return false;
    const { lane } = opened;
    const order = { step: 'restored', id: null, scope: 'lane', targets: [] } as const;
    const run = await lasting(() => runStep(context, lane, session.probes, order));
    const isGreen = run !== null && isAsBaseline(measuredLane(), run.evidence);
    if (isGreen) afterOthers = false;
    return isGreen;
  };

  const shares = (draft: Draft): boolean =>
    mayShareRestored(pending.map(movesOf), { moved: mutatedMoves(draft) }, 'in-place');

  /** What is expected to move again must have been green first; asked before, it saves a run. */
  const settleBeforeExpected = async ({ spec }: PlannedMutation): Promise<void> => {
    const baseline = opened?.lane.baseline;
    if (pending.length === 0 || baseline === undefined || baseline === null) return;
    const ids = idsOf(baseline);
    const rules = idRules(opened?.lane.selection ?? null);
    const expected =
      spec.flips.kind === 'tests'
        ? spec.flips.tests.flatMap(({ test }) => matchIds(test, ids, rules))
        : [];
    const moved = expected.map((id) => inLane(spec.lane, id));
    if (!mayShareRestored(pending.map(movesOf), { moved }, 'in-place'))
      await settlePending('moved');
  };

  /** @returns the restored runs of the lane */
  const settlePending = async (extent: Settlement['extent']): Promise<readonly StepEvidence[]> => {
    if (opened === null || pending.length === 0) return [];
    const settling = pending;
    pending = [];
    const started = performance.now();
    const { lane, outside } = opened;
    const order = { context, session, lane, outside, drafts: settling, extent };
    const settled = goesOn() ? await lasting(() => settle(order)) : null;
    const runs = settled ?? [];
    if (settled === null)
      for (const draft of settling) draft[goesOn() ? 'slotDied' : 'interrupted'] = true;
    const share = (performance.now() - started) / settling.length;
    const green = runs.some((run) => run.scope === 'lane' && isAsBaseline(measuredLane(), run));
    open = green ? [] : [...open, ...settling];
    if (green) {
      afterOthers = false;
      await context.leftovers.restoredGreen();
    }
    for (const draft of settling) {
      draft.durationMs += share;
      measuredAt.set(draft, performance.now());
      onSettled(draft);
    }
    return runs;
  };

  /** What was measured since the last look that found nothing amiss is void if this one does. */
  const watchTree = async (when: 'now' | 'due'): Promise<void> => {
    const since = context.guard.cleanSince();
    const changed = await context.guard.check(when);
    if (changed.length === 0) return;
    const touched = changed.map((path) => ({ path, by: 'somebody' as const }));
    for (const [draft, at] of measuredAt)
      if (at >= since && draft.touched.length === 0) draft.touched = touched;
    context.stop.set(`the tree changed while it was measured: ${changed.join(', ')}`);
  };

  /**
   * The whole lane once more, which also is the restored run of what is pending: a difference
   * voids what was measured since the lane was last green.
   */
  const finish = async (): Promise<void> => {
    const { closing: wanted } = context.settings;
    const ran = [...open, ...pending].filter(({ mutated }) => mutated !== null);
    if (ran.length > 0) await watchTree('now');
    if (opened === null || !wanted || !goesOn()) {
      await settlePending('moved-but-raised');
      return;
    }
    const settled = await settlePending('lane');
    if (ran.length === 0 || !goesOn()) return;
    const { lane } = opened;
    const order = { step: 'closing', id: null, scope: 'lane', targets: [] } as const;
    const run = async (): Promise<StepEvidence | null> =>
      lasting(async () => (await runStep(context, lane, session.probes, order)).evidence);
    const first = settled[0] ?? (await run());
    if (first === null) {
      for (const draft of ran) draft.interrupted = true;
      return;
    }
    // An interrupted run is one that was not there: what was proven before it stands.
    if (first.ending.kind === 'cancelled') return;
    const repeats = !isAsBaseline(measuredLane(), first) && goesOn();
    const repeat = repeats ? (settled[1] ?? (await run())) : null;
    const again = repeat?.ending.kind === 'cancelled' ? null : repeat;
    closing.push(first, ...(again === null ? [] : [again]));
    noteClosing(ran, { first, again });
    await watchTree('now');
  };

  const measuredLane = (): MeasuredLane => {
    if (opened === null) throw new Error('Internal error: the session is not open');
    return { ...opened.lane, quarantined: session.lane.quarantine };
  };

  const noteClosing = (ran: readonly Draft[], facts: ClosingFacts): void => {
    const { voided, why } = closingVoids(ran.map(openProof), measuredLane(), facts);
    const concerned = new Set(voided);
    for (const draft of ran)
      if (why === 'none' || concerned.has(draft.mutation.id)) draft.closing = facts;
    if (voided.length === 0) return;
    context.emit({
      type: 'notice',
      level: 'warning',
      lane: session.lane.name,
      id: null,
      text: `the closing run differs from the baseline; it voids ${voided.length} of ${ran.length} verdicts`,
    });
  };

  const takeProbesAway = async (): Promise<void> => {
    if (session.probes.length === 0) return;
    const outcome = await context.slot.call('unplace', null);
    context.guard.inPlace([]);
    if (outcome.kind === 'restored') return;
    for (const draft of drafts.values()) draft.restore = restoreFacts(outcome);
    const paths = session.probes.map(({ path }) => inTree(context, path)).join(', ');
    context.stop.set(`probe files could not be taken away: ${paths}`);
  };

  return {
    file: {
      name: session.lane.name,
      around,
      bodies: session.mutations.map((one) => ({ name: one.spec.id, run: () => body(one) })),
    },
    state: () => ({ session, opened, drafts: [...drafts.values()], closing }),
  };
}

const inLane = (lane: string, test: string): string => `${lane}\0${test}`;

/** What moved under the mutation, in its own lane and in those of its controls. */
function mutatedMoves(draft: Draft): readonly string[] {
  const outside = draft.outsideControls.flatMap(({ lane, mutated }) =>
    (mutated?.results ?? []).map(({ id }) => inLane(lane.name, id)),
  );
  return [...movedTests(draft).map((id) => inLane(draft.lane.name, id)), ...outside];
}

/** What moved under the mutation, and under the raise that asked who reaches it. */
function movesOf(draft: Draft): { readonly moved: readonly string[] } {
  const raised = (draft.reachStep?.results ?? []).map(({ id }) => inLane(draft.lane.name, id));
  return { moved: [...mutatedMoves(draft), ...raised] };
}
