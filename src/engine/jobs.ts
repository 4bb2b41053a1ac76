/** How many slots: by cores and memory, or as asked; a lane may want fewer. */
import { availableParallelism, freemem } from 'node:os';
import { readFileSync } from 'node:fs';
import type { LaneConfig } from '../spec/model.js';

/** A test run of an ordinary project; a lane that needs more says so by `slots`. */
const MEMORY_PER_SLOT = 2 ** 30;

export interface Machine {
  readonly cores: number;
  /** Bytes that can be had without swapping. */
  readonly freeMemory: number;
}

export function thisMachine(): Machine {
  const limit = process.constrainedMemory();
  const free = availableMemory() ?? freemem();
  return {
    cores: availableParallelism(),
    freeMemory: limit > 0 ? Math.min(free, limit) : free,
  };
}

/** @param asked as `--jobs` has it */
export function slotCount(asked: number | 'auto', { cores, freeMemory }: Machine): number {
  if (asked !== 'auto') return asked;
  return Math.max(1, Math.min(cores, Math.floor(freeMemory / MEMORY_PER_SLOT)));
}

export interface LaneSlots {
  readonly count: number;
  /** Why it is one where there could be more; null: there could not. */
  readonly why: string | null;
}

/**
 * Without a word of the user's there is one: tests that write to a fixed place outside the tree
 * (a file below /tmp, a database, a port) tell of the other slot's mutant there, and the untouched
 * tree, which writes the same in all slots, does not show it.
 *
 * A `build` may install what the tests load (`make install`, `pip install .`), and all slots would
 * load what the last of them installed: two of them only where the lane says so.
 *
 * @param jobs slots of the run; a lane of controls runs in them too, so it is among the lanes
 */
export function slotsOf(
  lanes: readonly LaneConfig[],
  { jobs, isAuto }: { readonly jobs: number; readonly isAuto: boolean },
): LaneSlots {
  const most = lanes.map(({ slots }) => {
    if (slots !== 'auto') return slots;
    return isAuto ? 1 : jobs;
  });
  const count = Math.max(1, Math.min(jobs, ...most));
  const builds = lanes.find(({ slots, build }) => slots === 'auto' && build !== null);
  return builds === undefined || count === 1
    ? { count, why: null }
    : { count: 1, why: whyOne(builds) };
}

/**
 * What several slots at work leave unsaid: another one's mutant may have written to what all of them
 * share. Nothing where the lane, and those of its controls, say themselves how many there may be.
 *
 * @param working slots that measured a mutation
 */
export function besideGaps(lanes: readonly LaneConfig[], working: number): readonly string[] {
  const own = lanes.find(({ slots }) => slots === 'auto');
  if (working < 2 || own === undefined) return [];
  return [
    `what ${working} slots at a time left outside the tree for each other (\`slots: N\` in lane ${own.name} if its tests share nothing there)`,
  ];
}

const whyOne = ({ name }: LaneConfig): string =>
  `one slot for lane ${name}: its build may write outside the tree (\`slots: N\` in the lane if it does not)`;

/** What the kernel says can be had: free memory and what it would give back. Linux only. */
function availableMemory(): number | null {
  try {
    const match = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'latin1'));
    return match === null ? null : Number(match[1]) * 1024;
  } catch {
    return null;
  }
}
