/** One lane's turn: opens its slots, shares its mutations out among them, and closes it. */
import type { StepEvidence } from '../proof/evidence.js';
import { allOf, allSettled } from '../slot/all-of.js';
import type { RunContext, SlotContext } from './context.js';
import { createDraft, type Draft } from './draft.js';
import { createFreeList } from './free-list.js';
import { slotsOf } from './jobs.js';
import { inTree } from './lane-state.js';
import { createLasting } from './lasting.js';
import { NO_LEFTOVERS } from './leftovers.js';
import { restoreFacts } from './applying.js';
import { openMore, openSession, outsideLanes, type Opened } from './open-session.js';
import type { PlannedMutation, Session } from './plan.js';
import type { EngineFile } from './runner.js';
import type { SlotKeeper } from './slot-keeper.js';
import { createSlotRun, type SlotRun } from './slot-run.js';
import { createTreeLook } from './tree-look.js';
import { createWarmDoubt } from './warm-doubt.js';

/** A session's proofs, and what its lane's own runs showed. */
export interface SessionState {
  readonly session: Session;
  readonly opened: Opened | null;
  readonly drafts: readonly Draft[];
  /** How many slots measured something. */
  readonly working: number;
  /** Of each slot that measured something: its last run of the whole lane, and that one's repeat. */
  readonly closing: readonly (readonly StepEvidence[])[];
}

export interface RunningSession {
  readonly file: EngineFile;
  /** Further mutations on the same baseline, to be run once `file` has. */
  readonly more: (mutations: readonly PlannedMutation[]) => EngineFile;
  readonly state: () => SessionState;
  /** After a bug of ours: what is not settled has no evidence, however far it was measured. */
  readonly giveUp: () => void;
}

/**
 * @param onSettled called for each mutation that was taken up, when only the end of its lane can
 *   still change its verdict; once more for one that is measured anew; gives whether the proof stands
 */
export function createRunningSession(
  context: RunContext,
  session: Session,
  onSettled: (draft: Draft) => boolean,
): RunningSession {
  const settled = new Set<Draft>();
  const settle = (draft: Draft): boolean => {
    settled.add(draft);
    return onSettled(draft);
  };
  let opened: Opened | null = null;
  /** In the order of the session, whichever slot is done first. */
  const drafts = new Map<string, Draft>();
  let runs: readonly SlotRun[] = [];
  const working = new Set<SlotRun>();
  /** All that probes were placed in, also those that measure nothing. */
  let placed: readonly SlotContext[] = [];
  let give: (one: PlannedMutation) => Promise<void> = () => Promise.resolve();
  const { name } = session.lane;
  const tree = createTreeLook(context);
  const doubt = createWarmDoubt();
  const goesOn = (): boolean => context.stop.reason() === null;

  const isOpen = (): Opened => {
    if (opened === null) throw new Error('Internal error: the session is not open');
    return opened;
  };

  const newDraft = (one: PlannedMutation): Draft => {
    const draft = createDraft(one, isOpen());
    const { blocked } = isOpen();
    if (blocked?.kind === 'probes') draft.notApplied = blocked.problem;
    if (blocked?.kind === 'touched') draft.touched = blocked.touched;
    drafts.set(one.spec.id, draft);
    return draft;
  };

  const openFirst = async (): Promise<Opened | null> => {
    const lanes = [session.lane, ...outsideLanes(context, session).keys()];
    const possible = slotsOf(lanes, context.jobs);
    const wanted = Math.min(possible.count, session.mutations.length);
    const [first, ...others] = await context.pool.take(wanted);
    if (first === undefined) return null;
    const count = 1 + others.length;
    const slots = others.map((slot) => slotContext(context, slot, count));
    const lead = slotContext(context, first, count);
    placed = [lead, ...slots];
    const found = await openSession([lead, ...slots], session);
    const text =
      session.mutations.length > 1 && context.isolation === 'overlay' ? possible.why : null;
    if (found === null || text === null) return found;
    context.emit({ type: 'notice', level: 'info', lane: name, id: null, text });
    return { ...found, fewer: text };
  };

  /** Shares mutations out among the slots, the next one to whoever is free. */
  const spread = (): void => {
    const free = createFreeList(runs);
    const toClose = isOpen().lane.baseline?.durationMs ?? 0;
    let longest = toClose;
    give = (one) =>
      free.use(async (run) => {
        if (!goesOn() || context.budget.isSpent(longest + toClose)) return skip(one);
        const started = performance.now();
        working.add(run);
        await run.prove(one);
        tellMeasured(one, run);
        longest = Math.max(longest, performance.now() - started);
      });
  };

  /** Where its verdict is still to come. */
  const tellMeasured = ({ spec: { id }, pulledIn }: PlannedMutation, run: SlotRun): void => {
    const draft = drafts.get(id);
    if (draft !== undefined && settled.has(draft)) return;
    const slot = isOpen().slots[runs.indexOf(run)]?.slot.number ?? 0;
    context.emit({ type: 'mutation-measured', lane: name, id, slot, pulledIn });
  };

  const runAll = async (
    mutations: readonly PlannedMutation[],
    runBodies: () => Promise<void>,
  ): Promise<void> => {
    if (!goesOn() || context.budget.isSpent(0)) return;
    context.emit({ type: 'lane-started', lane: name, mutations: mutations.length });
    await allOf([
      () => proveIn(mutations, runBodies),
      () => allSettled(placed.map(takeProbesAway)),
    ]);
  };

  const proveIn = async (
    mutations: readonly PlannedMutation[],
    runBodies: () => Promise<void>,
  ): Promise<void> => {
    const before = opened;
    const found =
      before === null ? await openFirst() : await goOn(before, { ...session, mutations });
    if (found === null) return;
    opened = found;
    for (const one of mutations) newDraft(one);
    if (found.blocked !== null) {
      for (const { spec } of mutations) {
        const draft = drafts.get(spec.id);
        if (draft !== undefined) settle(draft);
      }
      return;
    }
    if (before === null) {
      const order = { session, opened: isOpen, tree, doubt, newDraft, onSettled: settle };
      runs = found.slots.map((slot) => createSlotRun({ ...order, context: slot }));
    }
    spread();
    await runBodies();
    do await allSettled(runs.map((run) => run.finish()));
    while (runs.some((run) => run.isInDoubt()));
  };

  const goOn = async (before: Opened, more: Session): Promise<Opened | null> => {
    const [lead] = before.slots;
    return lead === undefined
      ? null
      : createLasting(lead, name).lasting(() => openMore(more, before));
  };

  const skip = (one: PlannedMutation): void => {
    const skipped = drafts.get(one.spec.id);
    if (skipped !== undefined) skipped.interrupted = true;
  };

  const takeProbesAway = async (slot: SlotContext): Promise<void> => {
    if (session.probes.length === 0) return;
    await createLasting(slot, name).lasting(async () => {
      const outcome = await slot.slot.call('unplace', null);
      slot.guard.inPlace([]);
      if (outcome.kind === 'restored') return;
      for (const draft of drafts.values()) draft.restore = restoreFacts(outcome);
      const paths = session.probes.map(({ path }) => inTree(context, path)).join(', ');
      context.stop.set(`probe files could not be taken away: ${paths}`);
    });
  };

  const fileOf = (mutations: readonly PlannedMutation[]): EngineFile => ({
    name,
    around: (runBodies) => runAll(mutations, runBodies),
    bodies: mutations.map((one) => ({ name: one.spec.id, run: () => give(one) })),
  });

  return {
    file: fileOf(session.mutations),
    more: fileOf,
    giveUp() {
      for (const draft of drafts.values())
        if (!settled.has(draft)) [draft.mutated, draft.interrupted] = [null, true];
    },
    state: () => ({
      session,
      opened,
      drafts: [...drafts.values()],
      working: working.size,
      closing: runs.map((run) => run.closing()).filter((closing) => closing.length > 0),
    }),
  };
}

/** An overlay keeps our own writes from the tree, and drops what runs wrote. */
function slotContext(context: RunContext, slot: SlotKeeper, slots: number): SlotContext {
  if (slot.isolation === 'in-place')
    return { ...context, slot, slots, leftovers: context.leftoversInPlace };
  const guard = { ...context.guard, inPlace: () => undefined };
  return { ...context, slot, slots, guard, leftovers: NO_LEFTOVERS };
}
