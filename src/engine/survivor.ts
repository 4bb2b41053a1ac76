/** Which tests get to a mutation that moved nothing. */
import type { LocatedEdit } from '../mutation/edit.js';
import { raiseAt } from '../mutation/reach.js';
import { reachOf } from '../proof/plan.js';
import { runInstead, type Asking } from './instead.js';

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
