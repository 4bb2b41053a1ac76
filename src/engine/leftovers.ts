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
  /** After it: what every run of the lane writes anyway is no leftover of a mutation. */
  readonly baselineDone: () => Promise<void>;
  /** Tree-relative paths that are new, rewritten or gone since this was last asked. */
  readonly since: () => Promise<readonly string[]>;
}

export function createLeftoverWatch(
  tree: string,
  tracked: ReadonlySet<string> | null,
): LeftoverWatch {
  const options = { tree, tracked };
  let snapshot: UntrackedSnapshot = new Map();
  let routine: ReadonlySet<string> = new Set();

  const take = async (): Promise<readonly string[]> => {
    const changed = await leftoversSince(snapshot, options);
    if (changed.length > 0) snapshot = await untrackedSnapshot(options);
    return changed;
  };

  return {
    async begin() {
      snapshot = await untrackedSnapshot(options);
      routine = new Set();
    },
    async baselineDone() {
      routine = new Set(await take());
    },
    async since() {
      return (await take()).filter((path) => !routine.has(path));
    },
  };
}
