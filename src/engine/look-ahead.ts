/** What is known of a session's mutations before anything is written. */
import { createHash } from 'node:crypto';
import type { LoadTarget } from '../lane/lane.js';
import type { LocatedEdit, NotApplied } from '../mutation/edit.js';
import type { Breakage, ProofEvidence } from '../proof/evidence.js';
import { err } from '../result.js';
import type { MutationSpec } from '../spec/model.js';
import type { RunContext, SlotContext } from './context.js';
import { inTree } from './lane-state.js';
import { baselineTargets, locate } from './measure.js';
import type { Session } from './plan.js';

export interface Ahead {
  readonly notApplied: NotApplied | null;
  readonly edits: ProofEvidence['edits'];
  readonly patch: string | null;
  /** Mutants that the lane's interpreter refuses. */
  readonly compile: readonly Breakage[];
}

export interface LookedAhead {
  readonly ahead: Map<string, Ahead>;
  readonly targets: readonly LoadTarget[];
  readonly probes: ProofEvidence['probes'];
}

const NOTHING: Ahead = { notApplied: null, edits: [], patch: null, compile: [] };

/** Locates every edit; their bytes are not kept. */
export async function lookAhead(context: RunContext, session: Session): Promise<LookedAhead> {
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
  return { ahead, targets: [...targets.values()], probes };
}

const failed = (notApplied: NotApplied): Ahead => ({ ...NOTHING, notApplied });

function described(located: readonly LocatedEdit[]): Ahead {
  return {
    ...NOTHING,
    edits: located.map(({ path, line, scope }) => ({ path, line, scope })),
    patch: located.map(({ patch }) => patch).join(''),
  };
}

/** Compiling mutants ahead keeps their bytes in memory; this bounds how many at a time. */
const COMPILE_BATCH = 50;

/** What does not compile is known before anything is written. The lane is open in the slot. */
export async function compileAhead(
  context: SlotContext,
  session: Session,
  { ahead }: LookedAhead,
): Promise<void> {
  const specs = session.mutations
    .map(({ spec }) => spec)
    .filter(({ id }) => ahead.get(id)?.notApplied === null);
  for (let from = 0; from < specs.length; from += COMPILE_BATCH)
    await compileBatch(context, session.lane.name, specs.slice(from, from + COMPILE_BATCH), ahead);
}

async function compileBatch(
  context: SlotContext,
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
