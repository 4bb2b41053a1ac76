import { laneOfFile } from '../spec/lane-choice.js';
import type { LaneConfig } from '../spec/model.js';
import { laneNamed } from './chosen-lanes.js';
import { CommandError } from './exit.js';
import type { OpenedProject } from './project.js';

/**
 * The lane of a command that names no mutation: `--lane`, or the one that most of the edited
 * files are meant for. What stood behind `--` is added to its arguments.
 *
 * @param files relative to the root
 * @throws CommandError where several are meant, or none
 */
export function chosenLane(
  { lane: named, rest }: { readonly lane?: string | undefined; readonly rest: readonly string[] },
  { config }: Pick<OpenedProject, 'config'>,
  files: readonly string[],
): LaneConfig {
  const lane = named === undefined ? laneOfFiles(config, files) : laneNamed(named, config.lanes);
  return { ...lane, args: [...lane.args, ...rest] };
}

function laneOfFiles(config: OpenedProject['config'], files: readonly string[]): LaneConfig {
  const counts = new Map<LaneConfig, number>();
  for (const file of files.length === 0 ? [''] : files) {
    const lane = laneOfFile(config, file);
    if (lane !== null) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most !== undefined) return most[0];
  const names = config.lanes.map(({ name }) => name);
  throw new CommandError(`Which lane? --lane NAME is one of ${names.join(', ')}.`);
}
