/** Builds lanes in the tree as it lies, where a killed run may have left what they made of a mutant. */
import { tmpdir } from 'node:os';
import type { LaneConfig } from '../spec/model.js';
import { openSlot } from './slot-keeper.js';

/**
 * Call with the tree's lock held, the tree back, and nothing of an earlier run alive. What was built
 * is forgotten by the note of unbuilt lanes.
 *
 * @returns what went wrong, in whole sentences
 */
export async function buildAnew(order: {
  readonly tree: string;
  readonly root: string;
  readonly lanes: readonly LaneConfig[];
  /** Tree-relative files that were written while the builds may have run. */
  readonly written: readonly string[];
  /** Calls `react` when it is to end at once. */
  readonly onInterrupt: (react: () => void) => void;
}): Promise<readonly string[]> {
  const { tree, root, lanes, written: stale } = order;
  const runId = `recover-${process.pid}`;
  const placement = { kind: 'in-place' } as const;
  const given = { tree, root, runId, logs: tmpdir(), python: null, stale, number: 0, placement };
  const slot = await openSlot(given, { tries: 1 });
  if (!slot.ok) return [slot.error];
  order.onInterrupt(() => {
    slot.value.interrupt('now');
  });
  const problems: string[] = [];
  for (const lane of lanes) {
    const opened = await slot.value.openLane(lane);
    if (!opened.ok) problems.push(`lane ${lane.name}: ${opened.error.message}`);
  }
  // A slot ends with the builds of all its lanes.
  const { notes, fault } = await slot.value.close();
  if (fault !== null) throw fault;
  return [...problems, ...notes];
}
