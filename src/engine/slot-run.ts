/** One slot at work on a session: measures mutations one after another, and settles them together. */
import type { StepEvidence } from '../proof/evidence.js';
import { mayShareRestored, openProof } from '../proof/plan.js';
import { isAsBaseline, type MeasuredLane } from '../proof/stability.js';
import { createClosing } from './closing.js';
import type { SlotContext } from './context.js';
import type { Draft } from './draft.js';
import { runStep } from './lane-state.js';
import { createLasting, WORK_TRIES } from './lasting.js';
import { measure, restoreOf } from './measure.js';
import { expectedMoves, mutatedMoves, movesOf } from './moves-of.js';
import type { Opened } from './open-session.js';
import type { PlannedMutation, Session } from './plan.js';
import { settle, type Settlement } from './settle.js';
import type { TreeLook } from './tree-look.js';
import { createDoubted, doubtNotice, restsOn, type WarmDoubt } from './warm-doubt.js';

export interface SlotRun {
  /** Proves one mutation but for its end, which it may share with others. */
  readonly prove: (one: PlannedMutation) => Promise<void>;
  /**
   * The whole lane once more, which also is the restored run of what is pending: a difference
   * voids what was measured since the lane was last green.
   */
  readonly finish: () => Promise<void>;
  /** The lane's last runs in this slot: none, one, or one and its repeat. */
  readonly closing: () => readonly StepEvidence[];
  /** Whether something is to be measured anew, so that it has to be finished once more. */
  readonly isInDoubt: () => boolean;
}

export interface SlotRunOrder {
  readonly context: SlotContext;
  readonly session: Session;
  /** Grows by what is known of mutations that are planned later. */
  readonly opened: () => Opened;
  readonly tree: TreeLook;
  readonly doubt: WarmDoubt;
  /** A draft with everything that was known before it is measured; it takes the place of an earlier one. */
  readonly newDraft: (one: PlannedMutation) => Draft;
  /** Called again for one that is measured anew. Gives whether the proof stands: proven or accepted. */
  readonly onSettled: (draft: Draft) => boolean;
}

/** Verdicts wait for a shared restored run; this bounds how long. */
const MOST_PENDING = 8;

export function createSlotRun(order: SlotRunOrder): SlotRun {
  const { session, tree, newDraft, onSettled } = order;
  const doubted = createDoubted(order.doubt);
  const context: SlotContext = { ...order.context, warmDoubt: order.doubt };
  const planned = new Map<string, PlannedMutation>();
  /** The latest draft of each mutation; a second measurement replaces the first. */
  const latest = new Map<string, Draft>();
  const { lane, outside, slots } = order.opened();
  const { isolation } = context.slot;
  const isBesideOthers = slots.length > 1;
  /** Measured, bytes back, tests not yet run on the restored tree. */
  let pending: Draft[] = [];
  /** Settled since the whole lane was last green on the restored tree. */
  let open: Draft[] = [];
  /** What was open at any time since `finish` was last begun. */
  let inTurn = new Set<string>();
  /** A mutation was measured since the whole lane was last green: it may have left state behind. */
  let afterOthers = false;
  /** The same of the lanes of controls, which are never run whole on the restored tree. */
  let outsideAfterOthers = false;
  const goesOn = (): boolean => context.stop.reason() === null;
  const { lasting, survive } = createLasting(context, session.lane.name);
  const measuredLane: MeasuredLane = { ...lane, quarantined: session.lane.quarantine };
  const closing = createClosing(context, { ...measuredLane, name: session.lane.name });

  const companyOf = (after: boolean): Draft['company'] =>
    isBesideOthers ? 'beside-others' : after ? 'after-others' : null;

  /** Measures one mutation, again where a test moved that has not been green since it last did. */
  const measured = async (
    one: PlannedMutation,
  ): Promise<{ readonly draft: Draft; readonly leftovers: boolean }> => {
    for (let attempt = 1; ; attempt += 1) {
      const draft = newDraft(one);
      latest.set(one.spec.id, draft);
      const started = performance.now();
      draft.company = companyOf(afterOthers);
      for (const steps of draft.outsideControls) steps.company = companyOf(outsideAfterOthers);
      try {
        await measure(context, session, order.opened(), draft);
      } catch (error) {
        await restoreOf(draft, await survive(error), context.tree);
        draft.slotDied = true;
      }
      draft.durationMs = performance.now() - started;
      if (draft.files.length > 0) [afterOthers, outsideAfterOthers] = [true, true];
      const leftovers = draft.mutated !== null && (await context.leftovers.since()).length > 0;
      if (!draft.slotDied && shares(draft)) return { draft, leftovers };
      if (attempt === WORK_TRIES || !goesOn()) return { draft, leftovers };
      const mustBeGreen = draft.slotDied && draft.files.length > 0 && isolation === 'in-place';
      if (mustBeGreen && !(await isGreenAgain())) return { draft, leftovers };
      await settlePending(leftovers ? 'lane' : 'moved');
    }
  };

  /**
   * What a dead slot's run had moved has to be green once before it may count as a flip again,
   * and which tests that were died with it: so the whole lane.
   */
  const isGreenAgain = async (): Promise<boolean> => {
    const step = { step: 'restored', id: null, scope: 'lane', targets: [] } as const;
    const run = await lasting(() => runStep(context, lane, session.probes, step));
    const isGreen = run !== null && isAsBaseline(measuredLane, run.evidence);
    if (isGreen) afterOthers = false;
    return isGreen;
  };

  const measuredInTurn = (): readonly Draft[] =>
    [...inTurn].flatMap((id) => latest.get(id) ?? []).filter(({ mutated }) => mutated !== null);

  const shares = (draft: Draft): boolean =>
    mayShareRestored(pending.map(movesOf), { moved: mutatedMoves(draft) }, isolation);

  /** What is expected to move again must have been green first; asked before, it saves a run. */
  const settleBeforeExpected = async ({ spec }: PlannedMutation): Promise<void> => {
    if (pending.length === 0) return;
    const edits = order.opened().ahead.get(spec.id)?.edits ?? [];
    const moved = expectedMoves(spec, edits, lane, pending);
    if (!mayShareRestored(pending.map(movesOf), { moved }, isolation)) await settlePending('moved');
  };

  /** @returns the restored runs of the lane */
  const settlePending = async (extent: Settlement['extent']): Promise<readonly StepEvidence[]> => {
    if (pending.length === 0) return [];
    const settling = pending;
    pending = [];
    const started = performance.now();
    const settlement = { context, session, lane, outside, drafts: settling, extent };
    const settled = goesOn() && !doubted.isAny() ? await lasting(() => settle(settlement)) : null;
    if (doubted.isAny() && goesOn())
      return settlePending((await measureAnew(settling)) ? 'lane' : extent);
    const runs = settled ?? [];
    if (settled === null || doubted.isAny())
      for (const draft of settling) draft[goesOn() ? 'slotDied' : 'interrupted'] = true;
    const share = (performance.now() - started) / settling.length;
    const green = runs.some((run) => run.scope === 'lane' && isAsBaseline(measuredLane, run));
    open = green ? [] : [...open, ...settling];
    for (const { mutation } of settling) inTurn.add(mutation.id);
    if (green) {
      afterOthers = false;
      await context.leftovers.restoredGreen();
    }
    const settledDrafts = settling.map((draft) => {
      draft.durationMs += share;
      tree.measured(draft);
      return { draft, stands: onSettled(draft) };
    });
    await context.logs.settled(settledDrafts);
    return runs;
  };

  /**
   * A warm interpreter that tells a test otherwise than a new one may have done so before, in runs
   * that nobody compared: it ages (a library that counts from its import). From now on each
   * interpreter is new, so what waits for its restored run is measured anew, and so is all that
   * was settled and rests on such a test, or was voided by a run that may have been of such.
   *
   * @returns whether that left something in the tree
   */
  const measureAnew = async (settling: readonly Draft[]): Promise<boolean> => {
    const tests = doubted.take();
    const waiting = new Set([...settling, ...pending]);
    const rests = [...latest.values()].filter(
      (draft) =>
        !waiting.has(draft) &&
        (closing.hasVoided(draft) || restsOn(tests, openProof(draft).concerns)),
    );
    const again = [...rests, ...settling].filter(({ mutated }) => mutated !== null);
    open = open.filter((draft) => !rests.includes(draft));
    if (again.length > 0) context.emit(doubtNotice(session.lane.name, tests, again));
    let left = false;
    for (const { mutation } of again) {
      const one = planned.get(mutation.id);
      if (one === undefined || !goesOn()) continue;
      const { draft, leftovers } = await measured(one);
      pending.push(draft);
      left ||= leftovers;
    }
    // They had no evidence before, and are not to be taken for settled.
    pending.push(...settling.filter((draft) => !again.includes(draft)));
    return left;
  };

  return {
    async prove(one) {
      planned.set(one.spec.id, one);
      await settleBeforeExpected(one);
      context.emit({
        type: 'mutation-started',
        lane: session.lane.name,
        id: one.spec.id,
        slot: context.slot.number,
      });
      const { draft, leftovers } = await measured(one);
      pending.push(draft);
      tree.measured(draft);
      await tree.look('due');
      if (context.settings.verify === 'full' || leftovers) await settlePending('lane');
      else if (pending.length >= MOST_PENDING || context.settings.failFast)
        await settlePending('moved');
    },

    async finish() {
      inTurn = new Set(open.map(({ mutation }) => mutation.id));
      const left = doubted.isAny() && goesOn() && (await measureAnew(pending.splice(0)));
      if ([...open, ...pending].some(({ mutated }) => mutated !== null)) await tree.look('now');
      if (!context.settings.closing || !goesOn()) {
        await settlePending(left ? 'lane' : 'moved-but-raised');
        return;
      }
      let settled = await settlePending('lane');
      if (measuredInTurn().length === 0 || !goesOn()) return;
      const step = { step: 'closing', id: null, scope: 'lane', targets: [] } as const;
      const run = async (): Promise<StepEvidence | null> =>
        lasting(async () => (await runStep(context, lane, session.probes, step)).evidence);
      let first = settled[0] ?? (await run());
      if (doubted.isAny() && goesOn()) {
        await measureAnew([]);
        const anew = await settlePending('lane');
        if (anew.length > 0) [settled, first] = [anew, anew[0] ?? first];
      }
      const ran = measuredInTurn();
      if (first === null) {
        for (const draft of ran) draft.interrupted = true;
        return;
      }
      // An interrupted run is one that was not there: what was proven before it stands.
      if (first.ending.kind === 'cancelled') return;
      if (isAsBaseline(measuredLane, first)) open = [];
      await closing.close(ran, first, async () => {
        const again = goesOn() ? (settled[1] ?? (await run())) : null;
        return again?.ending.kind === 'cancelled' ? null : again;
      });
      await tree.look('now');
    },

    closing: closing.runs,
    isInDoubt: () => doubted.isAny() && goesOn(),
  };
}
