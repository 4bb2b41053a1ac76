/** Brings a session's slots to where mutations can be measured: probes placed, baselines equal. */
import type { LoadTarget } from '../lane/lane.js';
import { append } from '../lists.js';
import type { NotApplied } from '../mutation/edit.js';
import type { ProofEvidence, Touched } from '../proof/evidence.js';
import { pairIds } from '../proof/changing-ids.js';
import { baselinesDiffer, type Disagreement } from '../proof/stability.js';
import type { LaneConfig } from '../spec/model.js';
import { adoptBaselines } from './adopt.js';
import type { RunContext, SlotContext } from './context.js';
import { inTree, measureBaseline, unmeasured, type LaneState } from './lane-state.js';
import { createLasting } from './lasting.js';
import { compileAhead, lookAhead, type Ahead, type LookedAhead } from './look-ahead.js';
import type { Session } from './plan.js';
import { foundInTree } from './tree-look.js';

export type Blocked =
  /** Not one of its mutations lands, so there is nothing to run for. */
  | { readonly kind: 'nothing-lands' }
  | { readonly kind: 'probes'; readonly problem: NotApplied }
  /** A baseline, the lane's own or one of controls, changed tracked files. */
  | { readonly kind: 'touched'; readonly touched: readonly Touched[] }
  /** The baseline did not finish; its ending says why. */
  | { readonly kind: 'baseline' };

/** A session with its probes in place and its baseline measured. */
export interface Opened {
  readonly lane: LaneState;
  /** Lanes of controls outside the session's own. */
  readonly outside: readonly LaneState[];
  readonly probes: ProofEvidence['probes'];
  readonly ahead: ReadonlyMap<string, Ahead>;
  /** Why no mutation of it can be measured; null: they can. */
  readonly blocked: Blocked | null;
  /** Slots whose baselines agree; the first one's counts. */
  readonly slots: readonly SlotContext[];
  /** Why they are fewer than there could be; null: they are not. */
  readonly fewer: string | null;
}

/** null: a slot died of it twice, or the run is to stop. */
export async function openSession(
  slots: readonly [SlotContext, ...SlotContext[]],
  session: Session,
): Promise<Opened | null> {
  const [first, ...others] = slots;
  const looked = await lookAhead(first, session);
  const { ahead, targets, probes } = looked;
  if (targets.length === 0 && [...ahead.values()].every((each) => each.notApplied !== null)) {
    const lane = unmeasured(session.lane);
    const blocked = { kind: 'nothing-lands' } as const;
    return { lane, outside: [], probes: [], ahead, blocked, slots: [first], fewer: null };
  }
  await first.guard.expect([...targets.map(({ path }) => path), ...probes.map(({ path }) => path)]);
  const count = [...ahead.values()].filter(({ notApplied }) => notApplied === null).length;
  const order = { targets, landing: Math.ceil(count / slots.length), compiles: null };
  const [lead, ...joined] = await Promise.all([
    inSlot(first, session, { ...order, compiles: looked }),
    ...others.map((slot) => inSlot(slot, session, order)),
  ]);
  if (lead === null || lead === undefined) return null;
  if (lead.blocked !== null || others.length === 0)
    return { ...lead, probes, ahead, slots: [first], fewer: null };
  const fewer = joined.flatMap((each) => (each === null ? [] : whyApart(lead, each)))[0] ?? null;
  if (fewer !== null) {
    const text = `one slot for lane ${session.lane.name}: ${fewer}`;
    first.emit({ type: 'notice', level: 'warning', lane: session.lane.name, id: null, text });
    // The first one's baseline was measured beside the others too.
    const alone = await inSlot(first, session, { ...order, landing: count, isRepeat: true });
    return alone === null ? null : { ...alone, probes, ahead, slots: [first], fewer: text };
  }
  const agreeing = await adoptBaselines(
    others.filter((_, index) => joined[index] !== null),
    [lead.lane, ...lead.outside],
  );
  return { ...lead, probes, ahead, slots: [first, ...agreeing], fewer: null };
}

/** The same session with mutations that were planned later, in files that its baseline covers. */
export async function openMore(session: Session, before: Opened): Promise<Opened> {
  const [lead] = before.slots;
  if (lead === undefined) return before;
  const more = await lookAhead(lead, session);
  const ahead = new Map([...before.ahead, ...more.ahead]);
  if (before.blocked === null) await compileAhead(lead, session, { ...more, ahead });
  return { ...before, ahead };
}

type Measured = Pick<Opened, 'lane' | 'outside' | 'blocked'>;

interface SlotOrder {
  readonly targets: readonly LoadTarget[];
  /** Mutations that are to be measured in the slot. */
  readonly landing: number;
  /** Compiles the mutants meanwhile; null: another slot does. */
  readonly compiles: LookedAhead | null;
  /** Probes and lanes are there from a measurement before. */
  readonly isRepeat?: boolean;
}

function inSlot(
  context: SlotContext,
  session: Session,
  order: SlotOrder,
): Promise<Measured | null> {
  return createLasting(context, session.lane.name).lasting(async (attempt) => {
    // A successor places again what the dead slot had placed.
    if (attempt > 1 || order.isRepeat === true) await context.slot.call('unplace', null);
    return measureIn(context, session, order);
  });
}

async function measureIn(
  context: SlotContext,
  session: Session,
  { targets, landing, compiles }: SlotOrder,
): Promise<Measured> {
  const problem = await placeProbes(context, session);
  await context.leftovers.begin();
  const opened = await context.slot.openLane(session.lane);
  const [lane] = await Promise.all([
    measureBaseline(context, session.lane, session.probes, targets, landing),
    opened.ok && compiles !== null ? compileAhead(context, session, compiles) : null,
  ]);
  const written = await trackedWritten(context);
  const blocked = whyBlocked(problem, [...written, ...(await changedInTree(context))], lane);
  if (blocked !== null) return { lane, outside: [], blocked };
  const outside: LaneState[] = [];
  for (const [config, ahead] of outsideLanes(context, session)) {
    outside.push(await measureBaseline(context, config, session.probes, targets, ahead));
    append(written, await trackedWritten(context));
  }
  // The lanes of controls write into the tree too, in every step as in this one.
  await context.leftovers.baselineDone();
  await context.guard.baselineDone();
  const touched = [...written, ...(await changedInTree(context))];
  if (touched.length > 0) return { lane, outside, blocked: { kind: 'touched', touched } };
  return { lane, outside, blocked: null };
}

/** In an overlay the tree itself does not show what a lane wrote over it. */
async function trackedWritten(context: SlotContext): Promise<Touched[]> {
  const written = await context.slot.call('written', null);
  return written.filter(context.guard.covers).map((path) => ({ path, by: 'lane' }));
}

const changedInTree = async ({ guard, isolation }: SlotContext): Promise<readonly Touched[]> =>
  foundInTree(await guard.check('now'), isolation);

function whyBlocked(
  problem: NotApplied | null,
  touched: readonly Touched[],
  lane: LaneState,
): Blocked | null {
  if (problem !== null) return { kind: 'probes', problem };
  if (touched.length > 0) return { kind: 'touched', touched };
  return lane.baseline?.ending.kind === 'complete' ? null : { kind: 'baseline' };
}

async function placeProbes(context: SlotContext, session: Session): Promise<NotApplied | null> {
  if (session.probes.length === 0) return null;
  const files = session.probes.map(({ path, content }) => ({
    path: inTree(context, path),
    content,
  }));
  context.guard.inPlace(files.map(({ path }) => path));
  const placed = await context.slot.call('place', { files });
  return placed.ok ? null : { kind: 'unwritable', ...placed.error };
}

/** Lanes that controls of the session name beside its own, and how many mutations run each. */
export function outsideLanes(
  { lanes }: Pick<RunContext, 'lanes'>,
  session: Session,
): ReadonlyMap<LaneConfig, number> {
  const wanted = new Map<LaneConfig, number>();
  for (const { spec } of session.mutations) {
    const names = new Set(spec.controls.map(({ lane }) => lane ?? spec.lane));
    for (const config of lanes.values())
      if (config.name !== spec.lane && names.has(config.name))
        wanted.set(config, (wanted.get(config) ?? 0) + 1);
  }
  return wanted;
}

/** In one line each, why two slots that measured at the same time do not tell the same. */
function whyApart(lead: Measured, other: Measured): readonly string[] {
  if (other.blocked !== null) return ['a baseline beside the first one did not come to its end'];
  return [lead.lane, ...lead.outside].flatMap(({ config, baseline }) => {
    const theirs = [other.lane, ...other.outside].find(
      ({ config: { name } }) => name === config.name,
    );
    if (baseline === null || theirs === undefined || theirs.baseline === null) return [];
    return apartText(baselinesDiffer(baseline, theirs.baseline));
  });
}

function apartText(differences: readonly Disagreement[]): readonly string[] {
  const lacking = (index: number): readonly string[] =>
    differences.filter(({ outcomes }) => outcomes[index] === null).map(({ test }) => test);
  const renamed = pairIds(lacking(1), lacking(0));
  return [
    ...renamed.map(
      ({ was, now }) => `a test has another id at each run: ${was} in one slot, ${now} in another`,
    ),
    ...differences.map(
      ({ test, outcomes }) =>
        `${test} is ${outcomes.map((outcome) => outcome ?? 'missing').join(' in one slot and ')} in another that ran at the same time`,
    ),
  ];
}
