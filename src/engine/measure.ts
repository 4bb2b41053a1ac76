import { join } from 'node:path';
import type { LoadTarget } from '../lane/lane.js';
import type { LocatedEdit, NotApplied } from '../mutation/edit.js';
import { locateMutation } from '../mutation/locate.js';
import type { StepEvidence } from '../proof/evidence.js';
import { stopsAtBaseline } from '../proof/judge.js';
import { needsCompiledCheck } from '../proof/left-out.js';
import {
  needsMutatedOnceMore,
  needsReach,
  needsRunWithout,
  needsSecondMutatedRuns,
  restoredScope,
} from '../proof/plan.js';
import type { Result } from '../result.js';
import type { MutationSpec } from '../spec/model.js';
import { checksum, sha256 } from '../workspace/checksum.js';
import type { RecoverOutcome } from '../workspace/recover.js';
import { apply, mutatedTargets, restore, restoreFacts } from './applying.js';
import { measureCompiled } from './compiled.js';
import type { RunContext, SlotContext } from './context.js';
import type { Draft } from './draft.js';
import { runStep, type LaneState, type StepOrder } from './lane-state.js';
import type { Opened } from './open-session.js';
import type { Session } from './plan.js';
import { measureReach } from './survivor.js';

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

/**
 * The mutated half of a proof: applies, runs the lane, puts the tree back, and asks where nothing
 * moved whether the edit is in the build, and who reaches it. The tree is back when this returns
 * or throws.
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
  const asking = { context, session, lane: opened.lane, draft, edits: located.value };
  if (context.stop.reason() === null && needsCompiledCheck(draft)) await measureCompiled(asking);
  if (context.stop.reason() === null && needsReach(draft) && asksReach(session, draft))
    await measureReach(asking);
}

const asksReach = ({ mutations }: Session, { mutation }: Draft): boolean =>
  !mutations.some(({ spec, reach }) => reach === 'not asked' && spec.id === mutation.id);

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
    const { patch } = draft;
    const order = { step: 'mutated', id, scope, without, targets, isAlone, patch } as const;
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
