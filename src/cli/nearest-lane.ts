import { nearestLane as nearestOf } from '../adhoc/nearest-lane.js';
import { type Change, pathOf } from '../prove/fix.js';
import type { LaneConfig } from '../spec/model.js';
import type { OpenedProject } from './project.js';

/** The lane of the tests that are likeliest to notice a range; null: the whole lane is as near. */
export async function nearestLane({
  project: { tree, root },
  lane,
  changes,
}: {
  readonly project: OpenedProject;
  readonly lane: LaneConfig;
  readonly changes: readonly Change[];
}): Promise<LaneConfig | null> {
  const named = changes.filter((change) => change.class === 'test').map(pathOf);
  const sources = changes
    .filter((change) => change.class === 'source')
    .flatMap(({ parts }) => parts.map(({ file }) => file.path));
  const nearest = await nearestOf({ tree, root, lane, sources, named });
  return nearest?.lane ?? null;
}
