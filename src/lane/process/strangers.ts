/** Which processes need no second look: one that was no member cannot become one. */
import { forkCount, newestId, processIds } from './proc.js';

export interface Strangers {
  /** Numbers in use now, without those of known strangers. */
  readonly others: () => readonly number[];
  readonly add: (pid: number) => void;
  /** Takes back that it is one. */
  readonly remove: (pid: number) => void;
}

/** Who runs, as the system tells it. */
export interface ProcessTable {
  readonly newestId: () => number | null;
  readonly forkCount: () => number | null;
  readonly processIds: () => readonly number[] | null;
}

/** Numbers are handed out in turn; the smallest range that Linux goes through is 32,768. */
const SURELY_ONE_TURN = 10_000;

/**
 * To look at 150 processes closely takes 5 ms, and 200 ms on a busy machine; to leave out those
 * that were here before, 0.7 ms. Exact all the same: what was started since bears a number
 * between the newest then and the newest now, and all these are looked at again.
 *
 * @param everybody `everybody`: all that is here now is a stranger, because the run is yet to begin.
 */
export function rememberStrangers(
  everybody: 'everybody' | 'nobody',
  table: ProcessTable = { newestId, forkCount, processIds },
): Strangers {
  let newest = table.newestId();
  let forks = table.forkCount();
  let known = new Set(everybody === 'everybody' ? table.processIds() : []);
  return {
    others: () => {
      const newestBefore = newest;
      const forksBefore = forks;
      newest = table.newestId();
      forks = table.forkCount();
      const ids = table.processIds() ?? [];
      const inTurn =
        newest !== null &&
        newestBefore !== null &&
        newest >= newestBefore &&
        forks !== null &&
        forksBefore !== null &&
        forks - forksBefore < SURELY_ONE_TURN;
      const isOld = (pid: number): boolean => pid <= (newestBefore ?? 0) || pid > (newest ?? 0);
      const present = inTurn ? ids.filter((pid) => known.has(pid) && isOld(pid)) : [];
      known = new Set(present);
      return ids.filter((pid) => !known.has(pid));
    },
    add: (pid) => {
      known.add(pid);
    },
    remove: (pid) => {
      known.delete(pid);
    },
  };
}
