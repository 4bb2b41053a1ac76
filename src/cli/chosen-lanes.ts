import { didYouMean } from '../spec/distance.js';
import { areImplicit } from '../spec/implicit-lanes.js';
import type { LaneConfig } from '../spec/model.js';
import { CommandError } from './exit.js';

/** @throws CommandError for a name that no lane has */
export const chosenLanes = (
  names: readonly string[],
  lanes: readonly LaneConfig[],
): readonly LaneConfig[] =>
  names.length === 0 ? lanes : names.map((name) => laneNamed(name, lanes));

/** @throws CommandError for a name that no lane has */
export function laneNamed(name: string, lanes: readonly LaneConfig[]): LaneConfig {
  const found = lanes.find((lane) => lane.name === name);
  if (found !== undefined) return found;
  const known = lanes.map((lane) => lane.name);
  throw new CommandError(
    areImplicit(lanes)
      ? `There is no lane ${name}: no lane is configured here. Leave it out, or name ${known.join(' or ')}.`
      : `There is no lane ${name}. ${didYouMean(name, known) ?? `The lanes are ${known.join(', ')}.`}`,
  );
}
