import { didYouMean } from '../spec/distance.js';
import type { LaneConfig } from '../spec/model.js';
import { CommandError } from './exit.js';

/** @throws CommandError for a name that no lane has */
export function chosenLanes(
  names: readonly string[],
  lanes: readonly LaneConfig[],
): readonly LaneConfig[] {
  if (names.length === 0) return lanes;
  const known = lanes.map(({ name }) => name);
  return names.map((name) => {
    const lane = lanes.find((each) => each.name === name);
    if (lane !== undefined) return lane;
    throw new CommandError(
      `There is no lane ${name}; ${didYouMean(name, known) ?? `lanes are ${known.join(', ')}`}`,
    );
  });
}
