/** Ends what outlived a run, until nothing of it is left. */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { membersOf, send, type Members } from './members.js';
import { belongsToRun, belongsToTree } from './nonce.js';
import { commandLine, type ProcStat } from './proc.js';

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
 * A process that forks and exits every 2 ms is gone before a slow look gets to it: one empty
 * look proves nothing, and only quick ones, one upon the other, end such a storm.
 */
const CLEAN_AFTER_STORM = 5;

/**
 * @param hurry Aborted: nothing is given time to end by itself.
 * @returns the processes that had to be killed, at most 50.
 */
export async function sweep(
  members: Members,
  hurry: AbortSignal,
): Promise<readonly LeftoverProcess[]> {
  const leftovers: LeftoverProcess[] = [];
  const seen = new Set<string>();
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;

  let living = members.look();
  for (let pause = 1; living.length > 0 && !hurry.aborted && elapsed() < LINGER_MS; pause *= 2) {
    await delay(Math.min(pause, 25));
    living = members.look();
  }
  if (living.length === 0) return [];

  const end = (member: ProcStat): void => {
    const key = `${member.pid}:${member.startTime}`;
    if (!seen.has(key)) {
      seen.add(key);
      if (seen.size <= LISTED) {
        leftovers.push({ pid: member.pid, command: commandLine(member.pid) });
      }
    }
    send(member.pid, 'SIGKILL');
  };
  living.forEach(end);
  // The group in one call: no member of it can fork its way out.
  members.signal('SIGKILL');
  let stormy = false;
  for (let round = 0, empty = 0; empty < (stormy ? CLEAN_AFTER_STORM : 1); round += 1) {
    if (elapsed() > LINGER_MS + PATIENCE_MS) break;
    const before = seen.size;
    living = members.look(end);
    stormy ||= seen.size > before;
    empty = living.length === 0 && seen.size === before ? empty + 1 : 0;
    await (stormy ? nextTurn() : delay(Math.min(round, 10)));
  }
  return leftovers;
}

/**
 * Kills whatever carries this nonce or one that continues it: for a run whose own process was
 * killed before it could. Linux only; elsewhere it finds nothing.
 */
export function sweepRun(nonce: string): Promise<readonly LeftoverProcess[]> {
  return sweepMarked((mark) => belongsToRun(mark, nonce));
}

/**
 * Kills whatever a run on this tree, whichever, has started. Only
 * with the tree's lock held: then no such run is alive.
 */
export function sweepTree(tree: string): Promise<readonly LeftoverProcess[]> {
  return sweepMarked((mark) => belongsToTree(mark, tree));
}

const sweepMarked = (owns: (mark: string) => boolean): Promise<readonly LeftoverProcess[]> =>
  sweep(membersOf({ leader: null, owns }), AbortSignal.abort());
