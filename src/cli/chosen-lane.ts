import { didYouMean } from '../spec/distance.js';
import { implicitLane } from '../spec/lanes.js';
import type { LaneConfig } from '../spec/model.js';
import { CommandError } from './exit.js';
import type { OpenedProject } from './project.js';

/**
 * The lane of a command that names no mutation: `--lane`, the default, the only one, or one
 * that is detected. What stood behind `--` is added to its arguments.
 *
 * @throws CommandError where several are meant, or none
 */
export function chosenLane(
  { lane: named, rest }: { readonly lane?: string | undefined; readonly rest: readonly string[] },
  { config }: Pick<OpenedProject, 'config'>,
): LaneConfig {
  const lane = laneNamed(named, config);
  return { ...lane, args: [...lane.args, ...rest] };
}

function laneNamed(named: string | undefined, config: OpenedProject['config']): LaneConfig {
  const { lanes, defaults } = config;
  const wanted = named ?? defaults.lane ?? (lanes.length === 1 ? lanes[0]?.name : undefined);
  if (lanes.length === 0) {
    if (named !== undefined && named !== implicitLane().name)
      throw new CommandError(`--lane ${named}: no lane is configured here; leave it out.`);
    return implicitLane();
  }
  const names = lanes.map(({ name }) => name);
  if (wanted === undefined)
    throw new CommandError(`Which lane? --lane NAME is one of ${names.join(', ')}.`);
  const lane = lanes.find(({ name }) => name === wanted);
  if (lane !== undefined) return lane;
  throw new CommandError(
    `--lane ${wanted}: there is no such lane; ${didYouMean(wanted, names) ?? `lanes are ${names.join(', ')}`}`,
  );
}
