/** One lane's turn: opens its slots, shares its mutations out among them, and closes it. */
import type { StepEvidence } from '../proof/evidence.js';
import type { RunContext, SlotContext } from './context.js';
import { createDraft, type Draft } from './draft.js';
import { createFreeList } from './free-list.js';
import { slotsOf } from './jobs.js';
import { inTree } from './lane-state.js';
import { createLasting } from './lasting.js';
import { NO_LEFTOVERS } from './leftovers.js';
import { restoreFacts } from './measure.js';
import { openSession, outsideLanes, type Opened } from './open-session.js';
import type { PlannedMutation, Session } from './plan.js';
import type { EngineFile } from './runner.js';
import type { SlotKeeper } from './slot-keeper.js';
import { createSlotRun, type SlotRun } from './slot-run.js';
import { createTreeLook } from './tree-look.js';

/** A session's proofs, and what its lane's own runs showed. */
export interface SessionState {
  readonly session: Session;
  readonly opened: Opened | null;
  readonly drafts: readonly Draft[];
  /** Of each slot that measured something: its last run of the whole lane, and that one's repeat. */
  readonly closing: readonly (readonly StepEvidence[])[];
}

export interface RunningSession {
  readonly file: EngineFile;
  readonly state: () => SessionState;
}

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
  /** In the order of the session, whichever slot is done first. */
  const drafts = new Map<string, Draft>();
  let runs: readonly SlotRun[] = [];
  let give: (one: PlannedMutation) => Promise<void> = () => Promise.resolve();
  const { name } = session.lane;
  const tree = createTreeLook(context);
  const goesOn = (): boolean => context.stop.reason() === null;

  const newDraft = (one: PlannedMutation): Draft => {
    if (opened === null) throw new Error('Internal error: the session is not open');
    const draft = createDraft(one, opened);
    const { blocked } = opened;
    if (blocked?.kind === 'probes') draft.notApplied = blocked.problem;
    if (blocked?.kind === 'touched')
      draft.touched = blocked.paths.map((path) => ({ path, by: 'lane' as const }));
    drafts.set(one.spec.id, draft);
    return draft;
  };

  const around: EngineFile['around'] = async (runBodies) => {
    if (!goesOn()) return;
    context.emit({ type: 'lane-started', lane: name, mutations: session.mutations.length });
    const wanted = slotsOf([session.lane, ...outsideLanes(context, session)], context.jobs);
    const [first, ...others] = await context.pool.take(Math.min(wanted, session.mutations.length));
    if (first === undefined) return;
    const count = 1 + others.length;
    const lead = slotContext(context, first, count);
    const slots = [lead, ...others.map((slot) => slotContext(context, slot, count))] as const;
    try {
      opened = await openSession(slots, session);
      if (opened === null) return;
      for (const one of session.mutations) newDraft(one);
      if (opened.blocked !== null) {
        for (const draft of drafts.values()) onSettled(draft);
        return;
      }
      const order = { session, opened, tree, newDraft, onSettled };
      runs = opened.slots.map((slot) => createSlotRun({ ...order, context: slot }));
      const free = createFreeList(runs);
      give = (one) => free.use((run) => (goesOn() ? run.prove(one) : skip(one)));
      await runBodies();
      await Promise.all(runs.map((run) => run.finish()));
    } finally {
      await Promise.all(slots.map(takeProbesAway));
    }
  };

  const skip = (one: PlannedMutation): Promise<void> => {
    const skipped = drafts.get(one.spec.id);
    if (skipped !== undefined) skipped.interrupted = true;
    return Promise.resolve();
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

  return {
    file: {
      name,
      around,
      bodies: session.mutations.map((one) => ({ name: one.spec.id, run: () => give(one) })),
    },
    state: () => ({
      session,
      opened,
      drafts: [...drafts.values()],
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
