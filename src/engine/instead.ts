/** Runs of the lane that ask something of a mutation: other edits than its own stand in its place. */
import type { LocatedEdit } from '../mutation/edit.js';
import type { StepEvidence } from '../proof/evidence.js';
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
 * One run with other edits than the mutation's, which are gone when this returns.
 *
 * @param scope without any test: the lane is built alone
 */
export async function runInstead(
  { context, session, lane, draft }: Asking,
  label: string,
  edits: readonly LocatedEdit[],
  scope: StepEvidence['scope'] = 'lane',
): Promise<Result<StepEvidence, ApplyFailure>> {
  const { id } = draft.mutation;
  const applied = await apply(context, label, edits);
  if (!applied.ok) {
    if (applied.error.undone !== null) draft.restore = restoreFacts(applied.error.undone);
    return applied;
  }
  try {
    const targets = mutatedTargets(applied.value);
    const order = { step: 'reach', id, scope, targets } as const;
    return ok((await runStep(context, lane, session.probes, order)).evidence);
  } finally {
    const outcome = await restore(context);
    if (outcome.kind !== 'restored') draft.restore = restoreFacts(outcome);
  }
}
