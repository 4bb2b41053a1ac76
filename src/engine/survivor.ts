/** Which tests get to a mutation that moved nothing. */
import type { LocatedEdit } from '../mutation/edit.js';
import { raiseAt } from '../mutation/reach.js';
import { reachOf } from '../proof/plan.js';
import type { SlotContext } from './context.js';
import type { Draft } from './draft.js';
import { runInstead } from './instead.js';
import type { Opened } from './open-session.js';
import type { Session } from './plan.js';

/**
 * One more run for a survivor: raises at the head of the edited function, which shows the
 * tests that get there and, where the lane has no liveness mutation, that it can fail at all.
 */
export async function measureReach(
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
  if (lane.baseline === null) return;
  const label = `${draft.mutation.id} (reach)`;
  const run = await runInstead({ context, session, lane, draft }, label, raises);
  if (!run.ok) {
    draft.reach = { state: 'unknown', why: 'the raise could not be put in place' };
    return;
  }
  draft.reachStep = run.value;
  draft.reach = reachOf(run.value, lane.baseline);
}
