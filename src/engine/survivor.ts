/** What is asked of a mutation that moved nothing: is its code in the build, and which tests get there. */
import type { LocatedEdit } from '../mutation/edit.js';
import { markedVersions, type Marked } from '../mutation/left-out.js';
import { raiseAt } from '../mutation/reach.js';
import type { StepEvidence } from '../proof/evidence.js';
import { isLeftOut, withoutLoad } from '../proof/left-out.js';
import { reachOf } from '../proof/plan.js';
import { ok, type Result } from '../result.js';
import { apply, type ApplyFailure, mutatedTargets, restore, restoreFacts } from './applying.js';
import type { SlotContext } from './context.js';
import type { Draft } from './draft.js';
import { runStep, type LaneState } from './lane-state.js';
import type { Session } from './plan.js';

/** A mutation of a slot, measured in its lane. */
export interface Asking {
  readonly context: SlotContext;
  readonly session: Session;
  readonly lane: LaneState;
  readonly draft: Draft;
  /** Its own. */
  readonly edits: readonly LocatedEdit[];
}

/**
 * Takes the load proof from a file of which the edit changes nothing that is in the build. Asks
 * only of code that a `cfg` or a macro may leave out: a source that does not compile if the code
 * is in it is built, and run as far as it can be built.
 */
export async function measureCompiled(asking: Asking): Promise<void> {
  const { draft, edits } = asking;
  for (const edit of edits) {
    const versions = markedVersions(edit);
    if (versions.length === 0 || !(await areLeftOut(asking, versions))) continue;
    if (draft.mutated === null) return;
    const why = [...new Set(versions.map((each) => each.why))].join('; ');
    const said = `the edited code is not compiled here: ${why}`;
    draft.mutated = withoutLoad(draft.mutated, edit.path, said);
    return;
  }
}

async function areLeftOut(asking: Asking, versions: readonly Marked[]): Promise<boolean> {
  const { context, lane, draft } = asking;
  for (const { edit } of versions) {
    if (context.stop.reason() !== null || lane.baseline === null) return false;
    const run = await runInstead(asking, `${draft.mutation.id} (cfg)`, [edit]);
    if (!run.ok || !isLeftOut(run.value, lane.baseline, edit.path)) return false;
  }
  return true;
}

/** One run of the lane with other edits than the mutation's, which are gone when this returns. */
async function runInstead(
  { context, session, lane, draft }: Asking,
  label: string,
  edits: readonly LocatedEdit[],
): Promise<Result<StepEvidence, ApplyFailure>> {
  const { id } = draft.mutation;
  const applied = await apply(context, label, edits);
  if (!applied.ok) {
    if (applied.error.undone !== null) draft.restore = restoreFacts(applied.error.undone);
    return applied;
  }
  try {
    const targets = mutatedTargets(applied.value);
    const order = { step: 'reach', id, scope: 'lane', targets } as const;
    return ok((await runStep(context, lane, session.probes, order)).evidence);
  } finally {
    const outcome = await restore(context);
    if (outcome.kind !== 'restored') draft.restore = restoreFacts(outcome);
  }
}

/**
 * One more run for a survivor: raises at the head of the edited function, which shows the
 * tests that get there and, where the lane has no liveness mutation, that it can fail at all.
 */
export async function measureReach(asking: Asking): Promise<void> {
  const { lane, draft, edits } = asking;
  const raises: LocatedEdit[] = [];
  for (const edit of edits) {
    const raise = raiseAt(edit);
    if (!raise.ok) {
      draft.reach = { state: 'unknown', why: raise.error.why };
      return;
    }
    raises.push(raise.value);
  }
  if (lane.baseline === null) return;
  const label = `${draft.mutation.id} (reach)`;
  const run = await runInstead(asking, label, raises);
  if (!run.ok) {
    draft.reach = { state: 'unknown', why: 'the raise could not be put in place' };
    return;
  }
  draft.reachStep = run.value;
  draft.reach = reachOf(run.value, lane.baseline);
}
