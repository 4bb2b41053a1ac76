import { join } from 'node:path';
import type { LoadTarget } from '../lane/lane.js';
import type { LocatedEdit, NotApplied } from '../mutation/edit.js';
import { locateMutation } from '../mutation/locate.js';
import { raiseAt } from '../mutation/reach.js';
import type { RestoreFacts, StepEvidence } from '../proof/evidence.js';
import { stopsAtBaseline } from '../proof/judge.js';
import {
  needsMutatedOnceMore,
  needsReach,
  needsRunWithout,
  needsSecondMutatedRuns,
  reachOf,
  restoredScope,
} from '../proof/plan.js';
import { err, unreachable, type Result } from '../result.js';
import type { MutationSpec } from '../spec/model.js';
import { checksum, sha256 } from '../workspace/checksum.js';
import type { RecoverOutcome } from '../workspace/recover.js';
import type { AppliedFile, RestoreOutcome } from '../workspace/workspace.js';
import type { RunContext, SlotContext } from './context.js';
import type { Draft } from './draft.js';
import { runStep, type LaneState, type StepOrder } from './lane-state.js';
import type { Opened } from './open-session.js';
import type { Session } from './plan.js';

/** From a mutation to the bytes that it means in the tree as it lies. */
export function locate(
  { tree, root, git }: Pick<RunContext, 'tree' | 'root' | 'git'>,
  spec: MutationSpec,
): Promise<Result<readonly LocatedEdit[], NotApplied>> {
  return locateMutation(spec.edits, { tree, root, git });
}

/** Files that stand untouched: their bytes are those that were located. */
export const baselineTargets = (edits: readonly LocatedEdit[]): readonly LoadTarget[] =>
  edits.map(({ path, before }) => ({ path, sha256: before === null ? null : sha256(before) }));

const mutatedTargets = (files: readonly AppliedFile[]): readonly LoadTarget[] =>
  files.map(({ path, mutated }) => ({ path, sha256: mutated }));

/**
 * The mutated half of a proof: applies, runs the lane, puts the tree back, and asks who
 * reaches the edit where nothing moved. The tree is back when this returns or throws.
 */
export async function measure(
  context: SlotContext,
  session: Session,
  opened: Opened,
  draft: Draft,
): Promise<void> {
  if (stopsAtBaseline(draft) !== null) return;
  const located = await locate(context, draft.mutation);
  if (!located.ok) {
    draft.notApplied = located.error;
    return;
  }
  const applied = await apply(context, draft.mutation.id, located.value);
  if (!applied.ok) {
    draft.notApplied = applied.error.problem;
    if (applied.error.undone !== null) draft.restore = restoreFacts(applied.error.undone);
    return;
  }
  draft.files = applied.value.map((file) => ({ ...file, restored: null }));
  try {
    await runMutated(context, session, opened, draft);
  } finally {
    const outcome = await restore(context);
    draft.restore = restoreFacts(outcome);
    if (outcome.kind !== 'failed') {
      const sums = new Map(outcome.files.map(({ path, sha256: sum }) => [path, sum]));
      draft.files = draft.files.map((file) => ({ ...file, restored: sums.get(file.path) ?? null }));
    }
  }
  if (context.stop.reason() === null && needsReach(draft) && asksReach(session, draft))
    await measureReach(context, session, opened, draft, located.value);
}

const asksReach = ({ mutations }: Session, { mutation }: Draft): boolean =>
  !mutations.some(({ spec, reach }) => reach === 'not asked' && spec.id === mutation.id);

interface ApplyFailure {
  readonly problem: NotApplied;
  /** Edits that had landed were taken back, and not everything was as it should be. */
  readonly undone: RestoreOutcome | null;
}

async function apply(
  context: SlotContext,
  label: string,
  edits: readonly LocatedEdit[],
): Promise<Result<readonly AppliedFile[], ApplyFailure>> {
  const plain = edits.map(({ path, before, after }) => ({ path, before, after }));
  context.guard.inPlace(plain.map(({ path }) => path));
  const applied = await context.slot.call('apply', { label, edits: plain });
  if (applied.ok) return applied;
  context.guard.inPlace([]);
  const { path, why, undone } = applied.error;
  if (undone !== undefined) noteRestore(context, undone);
  return err({ problem: { kind: 'unwritable', path, why }, undone: undone ?? null });
}

async function restore(context: SlotContext): Promise<RestoreOutcome> {
  const outcome = await context.slot.call('restore', null);
  context.guard.inPlace([]);
  noteRestore(context, outcome);
  return outcome;
}

/** Nothing more is measured on a tree that did not come back plainly. */
export function noteRestore(
  { stop }: Pick<RunContext, 'stop'>,
  outcome: RestoreOutcome | RecoverOutcome,
): void {
  if (outcome.kind === 'failed') stop.set(`${outcome.path} could not be restored: ${outcome.why}`);
  if (outcome.kind === 'changed')
    stop.set(`the tree changed while it was measured: ${outcome.changed.join(', ')}`);
  if (outcome.kind === 'kept') {
    const names = outcome.kept.map(({ path, keptAs }) => `${path} (kept as ${keptAs})`);
    stop.set(`a test or somebody wrote into a mutated file: ${names.join(', ')}`);
  }
}

/** After the slot died that was to restore: what recovery did, and what is on disk now. */
export async function restoreOf(
  draft: Draft,
  outcome: RecoverOutcome,
  tree: string,
): Promise<void> {
  draft.restore = outcome.kind === 'nothing' ? { kind: 'restored' } : restoreFacts(outcome);
  draft.files = await Promise.all(
    draft.files.map(async (file) => ({ ...file, restored: await checksum(join(tree, file.path)) })),
  );
}

async function runMutated(
  context: SlotContext,
  session: Session,
  { lane, outside }: Opened,
  draft: Draft,
): Promise<void> {
  const { id } = draft.mutation;
  const targets = mutatedTargets(draft.files);
  const run = async (
    state: LaneState,
    scope: StepEvidence['scope'],
    { without = [], isAlone = false }: Pick<StepOrder, 'without' | 'isAlone'> = {},
  ): Promise<StepEvidence> => {
    const order = { step: 'mutated', id, scope, without, targets, isAlone } as const;
    const answer = await runStep(context, state, session.probes, order);
    if (answer.build.length > 0)
      draft.build = [...draft.build, { step: 'mutated', causes: answer.build }];
    await noticeTouched(context, draft);
    return answer.evidence;
  };
  const goesOn = (): boolean => context.stop.reason() === null && draft.touched.length === 0;

  if (!goesOn()) return;
  draft.mutated = await run(lane, 'lane');
  const ender = goesOn() ? needsRunWithout(draft) : null;
  if (ender !== null) draft.withoutEnder = await run(lane, 'lane', { without: [ender] });
  for (const steps of draft.outsideControls) {
    const state = outside.find(({ config }) => config.name === steps.lane.name);
    const scope = restoredScope(draft).get(steps.lane.name) ?? [];
    if (!goesOn() || state === undefined || scope.length === 0) continue;
    steps.mutated = await run(state, scope);
  }
  for (const state of [lane, ...outside]) {
    const { name } = state.config;
    const steps = [draft, ...draft.outsideControls].find((each) => each.lane.name === name);
    if (!goesOn() || steps === undefined) continue;
    const second = needsSecondMutatedRuns(draft).find((each) => each.lane === name);
    if (second === undefined) continue;
    const isAlone = steps.company === 'beside-others';
    steps.mutatedAgain = await run(state, second.scope, { isAlone });
    for (
      let field = needsMutatedOnceMore(draft, name);
      goesOn() && steps.mutated !== null && field !== null;
      field = needsMutatedOnceMore(draft, name)
    )
      steps[field] = await run(state, steps.mutated.scope, { isAlone });
  }
}

/** A checksum after the run too: a test, or somebody at an editor, may have written into the mutant. */
async function noticeTouched(context: SlotContext, draft: Draft): Promise<void> {
  const sums = await context.slot.call('sums', { paths: draft.files.map(({ path }) => path) });
  const touched = draft.files.filter(({ path, mutated }) => sums.get(path) !== mutated);
  const by = context.isolation === 'overlay' ? ('lane' as const) : ('either' as const);
  const added = touched.map(({ path }) => ({ path, by }));
  draft.touched = [...draft.touched, ...added];
}

/**
 * One more run for a survivor: raises at the head of the edited function, which shows the
 * tests that get there and, where the lane has no liveness mutation, that it can fail at all.
 */
async function measureReach(
  context: SlotContext,
  session: Session,
  { lane }: Opened,
  draft: Draft,
  edits: readonly LocatedEdit[],
): Promise<void> {
  const raises: LocatedEdit[] = [];
  for (const edit of edits) {
    const raise = raiseAt(edit);
    if (!raise.ok) {
      draft.reach = { state: 'unknown', why: raise.error.why };
      return;
    }
    raises.push(raise.value);
  }
  const { id } = draft.mutation;
  if (lane.baseline === null) return;
  const applied = await apply(context, `${id} (reach)`, raises);
  if (!applied.ok) {
    draft.reach = { state: 'unknown', why: 'the raise could not be put in place' };
    if (applied.error.undone !== null) draft.restore = restoreFacts(applied.error.undone);
    return;
  }
  try {
    const targets = mutatedTargets(applied.value);
    const order = { step: 'reach', id, scope: 'lane', targets } as const;
    draft.reachStep = (await runStep(context, lane, session.probes, order)).evidence;
    draft.reach = reachOf(draft.reachStep, lane.baseline);
  } finally {
    const outcome = await restore(context);
    if (outcome.kind !== 'restored') draft.restore = restoreFacts(outcome);
  }
}

export function restoreFacts(
  outcome: Exclude<RestoreOutcome | RecoverOutcome, { readonly kind: 'nothing' }>,
): RestoreFacts {
  switch (outcome.kind) {
    case 'restored':
      return { kind: 'restored' };
    case 'kept':
      return { kind: 'kept', kept: outcome.kept };
    case 'changed':
      return { kind: 'changed', changed: outcome.changed };
    case 'failed': {
      const { path, why, original } = outcome;
      return { kind: 'failed', path, why, original };
    }
    default:
      return unreachable(outcome);
  }
}
