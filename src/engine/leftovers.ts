import { join } from 'node:path';
import { checksum } from '../workspace/checksum.js';
import {
  leftoversSince,
  untrackedSnapshot,
  type UntrackedSnapshot,
} from '../workspace/leftovers.js';

/**
 * Sees what test runs leave in the tree beside tracked files. In place nothing is dropped
 * between steps, so a file that one mutation left may decide the next one's run.
 */
export interface LeftoverWatch {
  /** Before a lane's baseline. */
  readonly begin: () => Promise<void>;
  /** After it: what every run of the lane writes is a leftover only while its content is another. */
  readonly baselineDone: () => Promise<void>;
  /** Tree-relative paths that are new, rewritten or gone since this was last asked. */
  readonly since: () => Promise<readonly string[]>;
  /**
   * After the whole lane was green on the restored tree: a file that still is not what the
   * baseline left there holds times or chance, and tells nothing from now on.
   */
  readonly restoredGreen: () => Promise<void>;
}

/** In an overlay what a run wrote is dropped before the next one. */
export const NO_LEFTOVERS: LeftoverWatch = {
  begin: () => Promise.resolve(),
  baselineDone: () => Promise.resolve(),
  since: () => Promise.resolve([]),
  restoredGreen: () => Promise.resolve(),
};

export function createLeftoverWatch(
  tree: string,
  tracked: ReadonlySet<string> | null,
): LeftoverWatch {
  const options = { tree, tracked };
  let snapshot: UntrackedSnapshot = new Map();
  /** What every run of the lane writes, with its sum after the baseline. */
  let routine: ReadonlyMap<string, string | null> = new Map();
  /** Of these, what differs from run to run of one tree. */
  const volatile = new Set<string>();

  const take = async (): Promise<readonly string[]> => {
    const changed = await leftoversSince(snapshot, options);
    if (changed.length > 0) snapshot = await untrackedSnapshot(options);
    return changed;
  };

  const differs = async (path: string): Promise<boolean> =>
    (await sumOf(tree, path)) !== routine.get(path);

  const isLeftover = async (path: string): Promise<boolean> =>
    !routine.has(path) || (!volatile.has(path) && (await differs(path)));

  return {
    async begin() {
      snapshot = await untrackedSnapshot(options);
      routine = new Map();
      volatile.clear();
    },
    async baselineDone() {
      const paths = await take();
      const sums = await Promise.all(paths.map((path) => sumOf(tree, path)));
      routine = new Map(paths.map((path, index) => [path, sums[index] ?? null]));
    },
    async since() {
      const changed = await take();
      const kept = await Promise.all(changed.map(isLeftover));
      return changed.filter((_, index) => kept[index]);
    },
    async restoredGreen() {
      await take();
      for (const path of routine.keys()) if (await differs(path)) volatile.add(path);
    },
  };
}

/** null: not there, or nothing that has a sum (a folder, a socket, a file that we may not read). */
const sumOf = (tree: string, path: string): Promise<string | null> =>
  path.endsWith('/') ? Promise.resolve(null) : checksum(join(tree, path)).catch(() => null);
