import { createHash } from 'node:crypto';
import type { LoadTarget } from '../lane/lane.js';
import type { LocatedEdit, NotApplied } from '../mutation/edit.js';
import type { Breakage, ProofEvidence } from '../proof/evidence.js';
import { err } from '../result.js';
import type { MutationSpec } from '../spec/model.js';
import type { RunContext } from './context.js';
import { inTree, measureBaseline, unmeasured, type LaneState } from './lane-state.js';
import { baselineTargets, locate } from './measure.js';
import type { Session } from './plan.js';

/** What is known of a mutation before anything is written. */
export interface Ahead {
  readonly notApplied: NotApplied | null;
  readonly edits: ProofEvidence['edits'];
  readonly patch: string | null;
  /** Mutants that the lane's interpreter refuses. */
  readonly compile: readonly Breakage[];
}

export type Blocked =
  /** Not one of its mutations lands, so there is nothing to run for. */
  | { readonly kind: 'nothing-lands' }
  | { readonly kind: 'probes'; readonly problem: NotApplied }
  /** A baseline, the lane's own or one of controls, changed tracked files. */
  | { readonly kind: 'touched'; readonly paths: readonly string[] }
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
}

/** Compiling mutants ahead keeps their bytes in memory; this bounds how many at a time. */
const COMPILE_BATCH = 50;
const NOTHING: Ahead = { notApplied: null, edits: [], patch: null, compile: [] };

export async function openSession(context: RunContext, session: Session): Promise<Opened> {
  const targets = new Map<string, LoadTarget>();
  const ahead = new Map<string, Ahead>();
  for (const { spec, notApplied } of session.mutations) {
    const located = notApplied === null ? await locate(context, spec) : err(notApplied);
    ahead.set(spec.id, located.ok ? described(located.value) : failed(located.error));
    if (!located.ok) continue;
    for (const target of baselineTargets(located.value)) targets.set(target.path, target);
  }
  const probes = session.probes.map(({ path, content }) => ({
    path: inTree(context, path),
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  if (targets.size === 0 && [...ahead.values()].every((each) => each.notApplied !== null)) {
    const lane = unmeasured(session.lane);
    return { lane, outside: [], probes: [], ahead, blocked: { kind: 'nothing-lands' } };
  }
  await context.guard.expect([...targets.keys(), ...probes.map(({ path }) => path)]);
  const problem = await placeProbes(context, session);
  await context.leftovers.begin();
  const opened = await context.slot.openLane(session.lane);
  const landing = [...ahead.values()].filter(({ notApplied }) => notApplied === null).length;
  const [lane] = await Promise.all([
    measureBaseline(context, session.lane, session.probes, [...targets.values()], landing),
    opened.ok ? compileAhead(context, session, ahead) : null,
  ]);
  const blocked = whyBlocked(problem, await context.guard.check('now'), lane);
  if (blocked !== null) return { lane, outside: [], probes, ahead, blocked };
  const outside = await openOutside(context, session, [...targets.values()]);
  // The lanes of controls write into the tree too, in every step as in this one.
  await context.leftovers.baselineDone();
  await context.guard.baselineDone();
  const touched = await context.guard.check('now');
  if (touched.length > 0)
    return { lane, outside, probes, ahead, blocked: { kind: 'touched', paths: touched } };
  return { lane, outside, probes, ahead, blocked: null };
}

/** The same session with mutations that were planned later, in files that its baseline covers. */
export async function openMore(
  context: RunContext,
  session: Session,
  before: Opened,
): Promise<Opened> {
  const ahead = new Map(before.ahead);
  for (const { spec, notApplied } of session.mutations) {
    const located = notApplied === null ? await locate(context, spec) : err(notApplied);
    ahead.set(spec.id, located.ok ? described(located.value) : failed(located.error));
  }
  if (before.blocked === null) await compileAhead(context, session, ahead);
  return { ...before, ahead };
}

function whyBlocked(
  problem: NotApplied | null,
  touched: readonly string[],
  lane: LaneState,
): Blocked | null {
  if (problem !== null) return { kind: 'probes', problem };
  if (touched.length > 0) return { kind: 'touched', paths: touched };
  return lane.baseline?.ending.kind === 'complete' ? null : { kind: 'baseline' };
}

const failed = (notApplied: NotApplied): Ahead => ({ ...NOTHING, notApplied });

function described(located: readonly LocatedEdit[]): Ahead {
  return {
    ...NOTHING,
    edits: located.map(({ path, line, scope }) => ({ path, line, scope })),
    patch: located.map(({ patch }) => patch).join(''),
  };
}

async function placeProbes(context: RunContext, session: Session): Promise<NotApplied | null> {
  if (session.probes.length === 0) return null;
  const files = session.probes.map(({ path, content }) => ({
    path: inTree(context, path),
    content,
  }));
  context.guard.inPlace(files.map(({ path }) => path));
  const placed = await context.slot.call('place', { files });
  return placed.ok ? null : { kind: 'unwritable', ...placed.error };
}

/** What does not compile is known before anything is written. */
async function compileAhead(
  context: RunContext,
  session: Session,
  ahead: Map<string, Ahead>,
): Promise<void> {
  const specs = session.mutations
    .map(({ spec }) => spec)
    .filter(({ id }) => ahead.get(id)?.notApplied === null);
  for (let from = 0; from < specs.length; from += COMPILE_BATCH)
    await compileBatch(context, session.lane.name, specs.slice(from, from + COMPILE_BATCH), ahead);
}

async function compileBatch(
  context: RunContext,
  lane: string,
  specs: readonly MutationSpec[],
  ahead: Map<string, Ahead>,
): Promise<void> {
  const sources: { id: string; path: string; bytes: Buffer }[] = [];
  for (const spec of specs) {
    const located = await locate(context, spec);
    if (!located.ok) continue;
    for (const { path, after } of located.value)
      if (after !== null) sources.push({ id: spec.id, path, bytes: after });
  }
  if (sources.length === 0) return;
  const answers = await context.slot.call('compile', {
    lane,
    sources: sources.map(({ path, bytes }) => ({ path, bytes })),
  });
  for (const [index, breakage] of answers.entries()) {
    const id = sources[index]?.id;
    if (breakage === null || id === undefined) continue;
    const known = ahead.get(id) ?? NOTHING;
    ahead.set(id, { ...known, compile: [...known.compile, breakage] });
  }
}

async function openOutside(
  context: RunContext,
  session: Session,
  targets: readonly LoadTarget[],
): Promise<readonly LaneState[]> {
  /** How many mutations each of these lanes is to be run for. */
  const wanted = new Map<string, number>();
  for (const { spec } of session.mutations) {
    const names = spec.controls.flatMap(({ lane }) => lane ?? []);
    for (const name of new Set(names))
      if (name !== spec.lane) wanted.set(name, (wanted.get(name) ?? 0) + 1);
  }
  const states: LaneState[] = [];
  for (const [name, ahead] of wanted) {
    const config = context.lanes.get(name);
    if (config !== undefined)
      states.push(await measureBaseline(context, config, session.probes, targets, ahead));
  }
  return states;
}
