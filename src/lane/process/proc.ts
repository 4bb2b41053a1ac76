/** Linux's /proc, read synchronously: a whole look at 200 processes takes about 3 ms. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface ProcStat {
  readonly pid: number;
  /** `R S D T t Z X …` as in proc(5). */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: with the pid it names a process for good. */
  readonly startTime: string;
}

/** Numbers of all processes that we can see, ascending; null: there is no /proc. */
export function processIds(): readonly number[] | null {
  if (process.platform !== 'linux') return null;
  try {
    const ids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
    return ids.length === 0 ? null : ids;
  } catch {
    return null;
  }
}

/** The number given to the newest process; null: not known. */
export function newestId(): number | null {
  const text = readOrNull('/proc/loadavg')?.toString('latin1').trim() ?? '';
  const id = Number(text.slice(text.lastIndexOf(' ') + 1));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Processes and threads started since boot; null: not known. */
export function forkCount(): number | null {
  const match = /^processes (\d+)$/m.exec(readOrNull('/proc/stat')?.toString('latin1') ?? '');
  return match === null ? null : Number(match[1]);
}

/** null: gone, or not ours to see. */
export function readStat(pid: number): ProcStat | null {
  const text = readOrNull(`/proc/${pid}/stat`)?.toString('latin1');
  if (text === undefined) return null;
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
  };
}

/** A zombie is dead: it waits for its parent, which in a container may never look. */
export const isDead = (stat: ProcStat): boolean => stat.state === 'Z' || stat.state === 'X';

/**
 * The environment that the process was started with, as `NAME=value` ended by NUL each. Empty
 * for a kernel thread, and for a moment while a process turns into another program; null: gone,
 * or not ours to read.
 */
export const readEnvironment = (pid: number): Buffer | null => readOrNull(`/proc/${pid}/environ`);

export function environmentValue(environment: Buffer, name: string): string | null {
  const key = Buffer.from(`${name}=`);
  let at = environment.indexOf(key);
  while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(key, at + 1);
  if (at < 0) return null;
  const end = environment.indexOf(0, at);
  return environment.toString('latin1', at + key.length, end < 0 ? environment.length : end);
}

const LONGEST_COMMAND = 200;

/** The command line on one line, free of control and bidirectional characters, cut at 200 characters. */
export function commandLine(pid: number): string {
  const args = readOrNull(`/proc/${pid}/cmdline`)?.toString('utf8').replace(/\0+$/, '') ?? '';
  const text =
    args === '' ? `[${readOrNull(`/proc/${pid}/comm`)?.toString('utf8').trim() ?? '?'}]` : args;
  const clean = text.replaceAll('\0', ' ').replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');
  const points = Array.from(clean);
  return points.length > LONGEST_COMMAND
    ? `${points.slice(0, LONGEST_COMMAND - 1).join('')}…`
    : clean;
}

/** Bytes of memory that the process has in use, pages shared with others counted in full; 0: gone. */
export function residentBytes(pid: number): number {
  const pages = readOrNull(`/proc/${pid}/statm`)?.toString('latin1').split(' ')[1];
  return pages === undefined ? 0 : Number(pages) * pageSize();
}

/**
 * Bytes in use, each shared page divided by the number of its users. The kernel walks the page
 * tables for it, about 10 ms a GB: asynchronous, and only for the last word.
 */
export async function proportionalBytes(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
    const match = /^Pss:\s+(\d+) kB/m.exec(text);
    return match === null ? residentBytes(pid) : Number(match[1]) * 1024;
  } catch {
    // Kernels before 4.14 have no such file; a process that changed its user hides it.
    return residentBytes(pid);
  }
}

/** How often the kernel has ended a process for want of memory since boot; null: not known. */
export function kernelMemoryKills(): number | null {
  const match = /^oom_kill (\d+)$/m.exec(readOrNull('/proc/vmstat')?.toString('latin1') ?? '');
  return match === null ? null : Number(match[1]);
}

let knownPageSize: number | null = null;

/** Node does not tell it; the kernel does in the auxiliary vector (AT_PAGESZ is entry 6). */
function pageSize(): number {
  if (knownPageSize !== null) return knownPageSize;
  knownPageSize = 4096;
  const vector = readOrNull('/proc/self/auxv');
  const entries = vector === null ? 0 : Math.floor(vector.length / 16);
  for (let entry = 0; entry < entries; entry += 1) {
    if (vector?.readBigUInt64LE(entry * 16) === 6n) {
      knownPageSize = Number(vector.readBigUInt64LE(entry * 16 + 8));
    }
  }
  return knownPageSize;
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
