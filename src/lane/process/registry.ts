/** All runs that are alive in this process, so that none outlives it. */
import type { Members } from './members.js';

export interface LiveRun {
  readonly members: Members;
  /** Notes that the end is ours, so that it is not taken for a crash. */
  readonly abandon: () => void;
}

const live = new Set<LiveRun>();
let hooked = false;

/** @returns a function that takes the run out again. */
export function register(run: LiveRun): () => void {
  if (!hooked) {
    hooked = true;
    // A detached child gets no Ctrl-C from the terminal and no end from ours.
    process.on('exit', killAllGroups);
  }
  live.add(run);
  return () => {
    live.delete(run);
  };
}

/** Twice: a fork that happened during the first look is found by the second. */
const LOOKS = 2;

/**
 * Kills every run of this process, synchronously: for our own signal path and for `exit`.
 * Their promises then settle as `cancelled`.
 */
export function killAllGroups(): void {
  for (const run of live) run.abandon();
  for (let look = 0; look < LOOKS; look += 1) {
    for (const run of live) run.members.signal('SIGKILL');
  }
}
