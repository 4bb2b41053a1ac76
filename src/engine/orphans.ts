/** Ends and removes what a run, or a slot of it, has left because it was killed. */
import { sweepRun, sweepTree, runMark, type LeftoverProcess } from '../lane/process.js';
import { removeScratchOf } from '../slot/scratch.js';

/** Only with the tree's lock held, and before this process has started a slot. */
export async function endOrphansOf(tree: string): Promise<readonly LeftoverProcess[]> {
  const ended = await sweepTree(tree);
  await removeScratchOf(tree);
  return ended;
}

/** What the slot of this run left, which is dead. */
export async function endOrphansOfSlot(
  tree: string,
  runId: string,
): Promise<readonly LeftoverProcess[]> {
  const ended = await sweepRun(runMark(tree, runId));
  await removeScratchOf(tree);
  return ended;
}
