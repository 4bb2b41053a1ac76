/** Ends what outlived a run, until nothing of it is left. */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { membersOf, send, type Members } from './members.js';
import { commandLine } from './proc.js';

export interface LeftoverProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Helpers end a moment after their parent: Python's resource tracker removes shared memory
 * only then, and killing it at once would leak that memory and call an orderly run untidy.
 */
const LINGER_MS = 250;
/** A process in uninterruptible sleep does not die; nobody waits for it for ever. */
const PATIENCE_MS = 10_000;
/** A storm of forks is listed by its first members. */
const LISTED = 50;

/**
 * @param hurry Aborted: nothing is given time to end by itself.
 * @returns the processes that had to be killed, at most 50.
 */
export async function sweep(
  members: Members,
  hurry: AbortSignal,
): Promise<readonly LeftoverProcess[]> {
  const leftovers = new Map<string, LeftoverProcess>();
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;

  let living = members.search();
  for (let pause = 1; living.length > 0 && !hurry.aborted && elapsed() < LINGER_MS; pause *= 2) {
    await delay(Math.min(pause, 25));
    living = members.search();
  }
  if (living.length === 0) return [];

  // Two empty looks: a process that forks and exits in turn may slip through one.
  for (let round = 0, empty = 0; empty < 2 && elapsed() < LINGER_MS + PATIENCE_MS; round += 1) {
    living = members.search((member) => {
      const key = `${member.pid}:${member.startTime}`;
      if (leftovers.size < LISTED && !leftovers.has(key)) {
        leftovers.set(key, { pid: member.pid, command: commandLine(member.pid) });
      }
      send(member.pid, 'SIGKILL');
    });
    members.signal('SIGKILL');
    empty = living.length === 0 ? empty + 1 : 0;
    // Against a storm only speed helps; a process that takes long to die is waited for.
    await (round < 20 ? nextTurn() : delay(10));
  }
  return [...leftovers.values()];
}

/**
 * Kills whatever carries this nonce or one that continues it: for a run whose own process was
 * killed before it could. Linux only; elsewhere it finds nothing.
 */
export function sweepRun(nonce: string): Promise<readonly LeftoverProcess[]> {
  return sweep(membersOf({ leader: null, nonce }), AbortSignal.abort());
}
