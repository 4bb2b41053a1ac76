/** Ends and removes what a run, or a slot of it, has left because it was killed. */
import { sweepRun, sweepTree, type LeftoverProcess } from '../lane/process.js';
import { removeScratchOf, removeScratchOfSlot } from '../slot/scratch.js';
import { removeLayersOf } from '../workspace/overlay/layers.js';

/** Only with the tree's lock held, and before this process has started a slot. */
export async function endOrphansOf(tree: string): Promise<readonly LeftoverProcess[]> {
  const ended = await sweepTree(tree);
  await removeScratchOf(tree);
  await removeLayersOf(tree);
  return ended;
}

/** What a slot left, which is dead: by the mark that all of it carries. */
export async function endOrphansOfSlot(
  tree: string,
  { mark, slot }: { readonly mark: string; readonly slot: number },
): Promise<readonly LeftoverProcess[]> {
  const ended = await sweepRun(mark);
  await removeScratchOfSlot(tree, slot);
  return ended;
}
