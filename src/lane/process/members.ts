/** Which processes belong to a run: its group and session, whatever carries its nonce, and their children. */
import { RUN_VARIABLE } from './nonce.js';
import { environmentValue, isDead, readEnvironment, readStat, type ProcStat } from './proc.js';
import { rememberStrangers } from './strangers.js';

export interface Members {
  /** Living members; `onFound` is called as soon as one is seen. */
  readonly look: (onFound?: (member: ProcStat) => void) => readonly ProcStat[];
  /** Sends to the group and to each member outside of it. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface RunIdentity {
  /** Leader of the process group and session; null: known by the mark alone. */
  readonly leader: number | null;
  /** Whether a value of COUNTERPROOF_RUN marks a process as one of the run. */
  readonly owns: (mark: string) => boolean;
}

const nothing = (): void => {};

/**
 * To be called right after the spawn, while the leader cannot have been reaped yet.
 *
 * @param strangers Remembered before the spawn.
 */
export function membersOf(
  { leader, owns }: RunIdentity,
  strangers = rememberStrangers('nobody'),
): Members {
  // A warm interpreter forks its children ahead.
  if (leader !== null) strangers.remove(leader);
  const leaderStart = leader === null ? null : (readStat(leader)?.startTime ?? null);
  /** pid → start time. A daemon that dropped the nonce is known if its parent was seen alive. */
  const known = new Map<number, string>();

  const leads = (number: number): boolean => {
    if (number !== leader) return false;
    // No living group loses its number; a new process that bears it proves that ours is gone.
    const now = readStat(number);
    return now === null || now.startTime === leaderStart;
  };

  const judge = (stat: ProcStat): 'member' | 'stranger' | 'unsure' => {
    if (stat.pid === process.pid || isDead(stat)) return 'stranger';
    if (known.has(stat.pid) || known.has(stat.parent)) return 'member';
    if (leads(stat.group) || leads(stat.session)) return 'member';
    const environment = readEnvironment(stat.pid);
    if (environment?.length === 0) return 'unsure';
    const value = environment === null ? null : environmentValue(environment, RUN_VARIABLE);
    return value !== null && owns(value) ? 'member' : 'stranger';
  };

  const look = (onFound: (member: ProcStat) => void): readonly ProcStat[] => {
    const found: ProcStat[] = [];
    for (const pid of strangers.others()) {
      const stat = readStat(pid);
      if (known.get(pid) !== stat?.startTime) known.delete(pid);
      if (stat === null) continue;
      const judgement = judge(stat);
      if (judgement === 'member') {
        known.set(pid, stat.startTime);
        found.push(stat);
        onFound(stat);
      } else {
        known.delete(pid);
        if (judgement === 'stranger') strangers.add(pid);
      }
    }
    const living = new Set(found.map((member) => member.pid));
    for (const pid of known.keys()) if (!living.has(pid)) known.delete(pid);
    return found;
  };

  return {
    look: (onFound = nothing) => look(onFound),
    signal: (signal) => {
      // One system call for the whole group: no member can fork its way out of it.
      if (leader !== null && leads(leader)) send(-leader, signal);
      look((member) => {
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
