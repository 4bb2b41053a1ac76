/** A commit that is worked on apart from the working tree. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { layOut, takeAway } from '../git/worktree.js';
import { cacheHome } from '../home-folder.js';
import { createLane } from '../lane/create.js';
import { treeMark } from '../lane/process.js';
import type { LaneConfig } from '../spec/model.js';
import { err, ok, type Result } from '../result.js';
import { lockTree } from '../workspace/lock.js';

/** Where a project lies; all absolute. */
export interface Place {
  readonly tree: string;
  readonly root: string;
  readonly cwd: string;
}

export interface LaidOut {
  /** The same places in the folder in which the commit lies. */
  readonly place: Place;
  readonly lane: LaneConfig;
  /** The interpreter of the project as it lies, which is not in the commit; null: as it is found. */
  readonly python: string | null;
}

/**
 * Works on a commit that is laid out whole, never over the working tree. The folder is the same
 * for each run on a tree, so that builds find what they built before, and is gone afterwards.
 *
 * @returns why git does not lay it out, or that another run is at work
 */
export async function onCommit<T>(
  request: {
    readonly place: Place;
    readonly commit: string;
    readonly lane: LaneConfig;
    readonly python: string | null;
    readonly command: readonly string[];
  },
  work: (there: LaidOut) => Promise<T>,
): Promise<Result<T, string>> {
  const { place, commit, lane, command } = request;
  const { tree, root, cwd } = place;
  const lock = await lockTree({ tree, command, onCompromised: () => undefined });
  if (!lock.ok) return err(`${lock.error.message}\nWait for it, or end it.`);
  const folder = join(cacheHome(process.env), 'counterproof', treeMark(tree), 'commit');
  try {
    const laid = await layOut(tree, commit, folder);
    if (!laid.ok) {
      const why = laid.error.kind === 'failed' ? laid.error.message : laid.error.kind;
      return err(`Commit ${commit.slice(0, 10)} cannot be laid out: ${why}`);
    }
    const there = (path: string): string => resolve(folder, relative(tree, path));
    const python = await interpreterOf(request);
    return ok(
      await work({
        place: { tree: folder, root: there(root), cwd: existing(there(cwd), there(root)) },
        lane: laneThere(lane, root, there(root)),
        python,
      }),
    );
  } finally {
    await takeAway(tree, folder);
    await lock.value.release();
  }
}

const existing = (path: string, otherwise: string): string => (existsSync(path) ? path : otherwise);

/** A virtual environment beside the project is in no commit. */
async function interpreterOf({
  place: { tree, root },
  lane,
  python,
}: Parameters<typeof onCommit>[0]): Promise<string | null> {
  if (lane.runner !== 'pytest' || lane.command !== 'auto' || python !== null) return python;
  const described = await createLane({ tree, root, lane, python }).describe();
  return described.ok ? described.value.tool : null;
}

/**
 * The lane in the laid out tree: a program that lies beside the project is taken from there, and
 * `src` comes first, because an editable installation leads back to the working tree.
 */
function laneThere(lane: LaneConfig, from: string, to: string): LaneConfig {
  if (lane.runner !== 'pytest') return lane;
  const [first, ...rest] = lane.command === 'auto' ? [] : lane.command;
  const own = first === undefined ? null : resolve(from, lane.cwd, first);
  const isBeside = first?.includes('/') === true && own !== null && existsSync(own);
  const source = join(to, 'src');
  const given = lane.env['PYTHONPATH'] ?? process.env['PYTHONPATH'];
  const paths = [source, ...(given === undefined || given === '' ? [] : [given])];
  return {
    ...lane,
    ...(isBeside && !existsSync(resolve(to, lane.cwd, first)) ? { command: [own, ...rest] } : {}),
    env: existsSync(source) ? { ...lane.env, PYTHONPATH: paths.join(':') } : lane.env,
  };
}
