/** Which process a journal entry or a lock belongs to, told apart from a later one with its number. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from './durable.js';

export const processIdentity = z.strictObject({
  pid: z.number().int().positive(),
  start: z.string().nullable().describe('clock ticks from boot to its start; null: not known here'),
  boot: z.string().nullable().describe('id of the boot that the ticks count from'),
  namespace: z.string().nullable().describe('pid namespace in which the number is valid'),
  host: z.string(),
});

export type ProcessIdentity = z.infer<typeof processIdentity>;

/** `unknown`: the number belongs to another machine or pid namespace, or cannot be asked about. */
export type Life = 'alive' | 'dead' | 'unknown';

/** Identity of a process that is alive now, by default of this one. */
export function identify(pid: number = process.pid): ProcessIdentity {
  return {
    pid,
    start: readStat(pid)?.start ?? null,
    boot: bootId(),
    namespace: pidNamespace(),
    host: hostname(),
  };
}

/**
 * Whether that very process still runs. A zombie is dead: it will write nothing more. The start
 * time guards against a reused number, the boot id against equal ticks after a restart.
 */
export function lifeOf(identity: ProcessIdentity): Life {
  if (identity.host !== hostname()) return 'unknown';
  const boot = bootId();
  if (identity.boot !== null && boot !== null && identity.boot !== boot) return 'dead';
  if (identity.namespace !== pidNamespace()) return 'unknown';
  const stat = readStat(identity.pid);
  if (stat !== null && identity.start !== null) {
    return stat.start !== identity.start || 'ZXx'.includes(stat.state) ? 'dead' : 'alive';
  }
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return codeOf(error) === 'ESRCH' ? 'dead' : 'unknown';
  }
  return identity.start === null ? 'alive' : 'unknown';
}

export const isThisProcess = (identity: ProcessIdentity): boolean =>
  identity.pid === process.pid && identity.start === identify().start;

const DEATH_MS = 5000;
const POLL_MS = 20;

/**
 * SIGKILL to exactly that process, and to its group where it leads one that is not ours. Does
 * nothing where the start time is not known: the number may be somebody else's by now.
 */
export async function endProcess(identity: ProcessIdentity): Promise<Life> {
  if (identity.start === null || isThisProcess(identity)) return lifeOf(identity);
  if (lifeOf(identity) !== 'alive') return lifeOf(identity);
  const leads = readStat(identity.pid)?.group === identity.pid;
  const own = readStat(process.pid)?.group === identity.pid;
  try {
    process.kill(leads && !own ? -identity.pid : identity.pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') return lifeOf(identity);
  }
  // Another's child sends us no event: its end can only be looked for.
  for (let waited = 0; waited < DEATH_MS && lifeOf(identity) === 'alive'; waited += POLL_MS) {
    await delay(POLL_MS);
  }
  return lifeOf(identity);
}

/** `/proc/<pid>/stat`: fields 3 (state), 5 (group) and 22 (start). The name before them may hold anything. */
function readStat(pid: number): { state: string; group: number; start: string } | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const start = fields[19];
  if (state === undefined || group === undefined || start === undefined) return null;
  return { state, group: Number(group), start };
}

const bootId = (): string | null => readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
