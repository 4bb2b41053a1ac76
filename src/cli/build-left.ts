import { join, resolve } from 'node:path';
import { buildAnew } from '../engine/build-anew.js';
import { shellText } from '../report/wording.js';
import { unbuiltLanes, type UnbuiltLane } from '../workspace/unbuilt.js';
import { CommandError } from './exit.js';
import { catchSignals } from './interrupts.js';
import { printMessage } from './output.js';
import { openProject, startFolder, type PlaceOptions } from './project.js';

/**
 * Builds the lanes of a tree that is back, where a killed run may have built them of a mutant. Call
 * with the tree's lock held.
 *
 * @returns those of which that is still so
 */
export async function buildLeft(
  tree: string,
  options: PlaceOptions,
): Promise<readonly UnbuiltLane[]> {
  const noted = await unbuiltLanes(tree);
  if (noted.length === 0) return [];
  const interrupts = catchSignals();
  try {
    for (const root of new Set(noted.map((lane) => lane.root))) {
      if (interrupts.received() !== null) break;
      const own = noted.filter((lane) => lane.root === root);
      const lanes = await configured(join(tree, root), own, options);
      if (lanes.length === 0) continue;
      for (const lane of own) printMessage(`Building lane ${lane.lane} anew: ${buildText(lane)}\n`);
      const problems = await buildAnew({
        tree,
        root: join(tree, root),
        lanes,
        written: own.flatMap(({ paths }) => paths),
        onInterrupt: interrupts.onSignal,
      });
      for (const problem of problems) printMessage(`${problem}\n`);
    }
  } finally {
    interrupts.release();
  }
  return unbuiltLanes(tree);
}

/** What a person has to do about a lane that could not be built. */
export function unbuiltText(tree: string, lane: UnbuiltLane): string {
  const folder = join(tree, lane.root, lane.cwd);
  return `What the build of lane ${lane.lane} made may be of a mutant. Run it in ${folder}:\n  ${buildText(lane)}\nor start the next run in place, which does so before its baseline.\n`;
}

export const buildText = ({ build }: Pick<UnbuiltLane, 'build'>): string =>
  typeof build === 'string' ? build : shellText(build);

/** Those of the lanes that the configuration still has. */
async function configured(
  root: string,
  noted: readonly UnbuiltLane[],
  options: PlaceOptions,
): ReturnType<typeof lanesOf> {
  try {
    return await lanesOf(root, noted, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    printMessage(`${error.message}\n`);
    return [];
  }
}

async function lanesOf(root: string, noted: readonly UnbuiltLane[], options: PlaceOptions) {
  const config =
    options.config === undefined ? undefined : resolve(startFolder(options), options.config);
  const project = await openProject({ ...options, directory: root, config });
  const names = new Set(noted.map(({ lane }) => lane));
  return project.root === root ? project.config.lanes.filter(({ name }) => names.has(name)) : [];
}
