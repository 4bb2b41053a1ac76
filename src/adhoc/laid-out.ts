/** A commit that is worked on apart from the working tree. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { gitWords } from '../git/words.js';
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
  /** How that interpreter was found, in words; null: as the lane itself finds it. */
  readonly from: string | null;
}

/** Where a commit of this tree is laid out: the same for each run, so that builds find what they built before. */
export const commitFolder = (tree: string): string =>
  join(cacheHome(process.env), 'counterproof', treeMark(tree), 'commit');

/**
 * Works on a commit that is laid out whole, never over the working tree; the folder is gone
 * afterwards. Signals must be caught by then: one that ends the process leaves the folder behind.
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
    /** Called with the tree's lock held, before anything is laid out. */
    readonly onAlone: () => Promise<void>;
    /** Another run may be at work on the tree by now. */
    readonly onLockLost: (why: string) => void;
  },
  work: (there: LaidOut) => Promise<T>,
): Promise<Result<T, string>> {
  const { place, commit, lane, command } = request;
  const { tree, root, cwd } = place;
  let isLost = false;
  const lock = await lockTree({
    tree,
    command,
    onCompromised(why) {
      isLost = true;
      request.onLockLost(why);
    },
  });
  if (!lock.ok) {
    const { kind, message } = lock.error;
    return err(kind === 'held' ? `${message}\nWait for it, or end it.` : message);
  }
  const folder = commitFolder(tree);
  try {
    await request.onAlone();
    const laid = await layOut(tree, commit, folder);
    if (!laid.ok)
      return err(`Commit ${commit.slice(0, 10)} cannot be laid out: ${gitWords(laid.error)}`);
    const there = (path: string): string => resolve(folder, relative(tree, path));
    const found = await interpreterOf(request);
    return ok(
      await work({
        place: { tree: folder, root: there(root), cwd: existing(there(cwd), there(root)) },
        lane: laneThere(lane, root, there(root)),
        ...found,
      }),
    );
  } finally {
    try {
      // By now it may be another run's.
      if (!isLost) await takeAway(tree, folder);
    } finally {
      await lock.value.release();
    }
  }
}

const existing = (path: string, otherwise: string): string => (existsSync(path) ? path : otherwise);

/** A virtual environment beside the project is in no commit. */
async function interpreterOf({
  place: { tree, root },
  lane,
  python,
}: Pick<Parameters<typeof onCommit>[0], 'place' | 'lane' | 'python'>): Promise<
  Pick<LaidOut, 'python' | 'from'>
> {
  if (lane.runner !== 'pytest' || lane.command !== 'auto' || python !== null)
    return { python, from: null };
  const described = await createLane({ tree, root, lane, python }).describe();
  return described.ok
    ? { python: described.value.tool, from: described.value.from }
    : { python: null, from: null };
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
