/** Which processes belong to a run: its group and session, whatever carries its nonce, and their children. */
import { belongsToRun, RUN_VARIABLE } from './nonce.js';
import { environmentValue, isDead, newestId, processIds, readStat, type ProcStat } from './proc.js';

export interface Members {
  /** Living members. Looks closely only at processes that were not here at the last look. */
  readonly glance: () => readonly ProcStat[];
  /** Living members, every process looked at anew; `onFound` is called as soon as one is seen. */
  readonly search: (onFound?: (member: ProcStat) => void) => readonly ProcStat[];
  /** Looks for a while at each process as it is born, and nowhere else. */
  readonly ambush: (onFound: (member: ProcStat) => void) => void;
  /** Sends to the group and to each member outside of it. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface RunIdentity {
  /** Leader of the process group and session; null: known by the nonce alone. */
  readonly leader: number | null;
  readonly nonce: string;
}

const nothing = (): void => {};

/** Births looked at in one go, at about 0.02 ms each. */
const MOST_BIRTHS = 256;
/** Synchronous: nothing else happens meanwhile. */
const AMBUSH_MS = 20;

/** To be called right after the spawn, while the leader cannot have been reaped yet. */
export function membersOf({ leader, nonce }: RunIdentity): Members {
  const leaderStart = leader === null ? null : (readStat(leader)?.startTime ?? null);
  /** pid → start time. A daemon that dropped the nonce is known if its parent was seen alive. */
  const known = new Map<number, string>();
  let strangers = new Set<number>();

  const leads = (number: number): boolean => {
    if (number !== leader) return false;
    // No living group loses its number; a new process that bears it proves that ours is gone.
    const now = readStat(number);
    return now === null || now.startTime === leaderStart;
  };

  const isMember = (stat: ProcStat): boolean => {
    if (stat.pid === process.pid) return false;
    if (known.has(stat.pid) || known.has(stat.parent)) return true;
    if (leads(stat.group) || leads(stat.session)) return true;
    const value = environmentValue(stat.pid, RUN_VARIABLE);
    return value !== null && belongsToRun(value, nonce);
  };

  const look = (
    skip: ReadonlySet<number>,
    onFound: (member: ProcStat) => void,
  ): readonly ProcStat[] => {
    const ids = processIds() ?? [];
    const present = new Set(ids);
    for (const pid of known.keys()) if (!present.has(pid)) known.delete(pid);
    const found: ProcStat[] = [];
    const others = new Set<number>();
    for (const pid of ids) {
      if (skip.has(pid)) {
        others.add(pid);
        continue;
      }
      const stat = readStat(pid);
      if (stat === null) continue;
      if (known.get(pid) !== stat.startTime) known.delete(pid);
      if (isDead(stat)) {
        known.delete(pid);
        others.add(pid);
      } else if (isMember(stat)) {
        known.set(pid, stat.startTime);
        found.push(stat);
        onFound(stat);
      } else {
        others.add(pid);
      }
    }
    strangers = others;
    return found;
  };

  return {
    glance: () => look(strangers, nothing),
    ambush: (onFound) => {
      let seen = newestId() ?? 0;
      const until = performance.now() + AMBUSH_MS;
      while (performance.now() < until) {
        const newest = newestId() ?? seen;
        // Numbers start again from below when they are used up.
        const from = newest < seen ? newest - MOST_BIRTHS : Math.max(seen, newest - MOST_BIRTHS);
        for (let pid = newest; pid > from; pid -= 1) {
          const stat = readStat(pid);
          if (stat !== null && !isDead(stat) && isMember(stat)) onFound(stat);
        }
        seen = newest;
      }
    },
    search: (onFound = nothing) => look(new Set(), onFound),
    signal: (signal) => {
      // One system call for the whole group: no member can fork its way out of it.
      if (leader !== null && leads(leader)) send(-leader, signal);
      look(new Set(), (member) => {
        if (member.group !== leader) send(member.pid, signal);
      });
    },
  };
}

/** False: it is gone, or may not be signalled. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
