/** What runs on this machine, from /proc. Nothing is found where there is none. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const pids = (): readonly number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

/** Command lines of processes whose working directory is below a folder. */
export function processesBelow(folder: string): readonly string[] {
  return pids().flatMap((pid) => {
    let cwd;
    try {
      cwd = readlinkSync(`/proc/${String(pid)}/cwd`);
    } catch {
      return [];
    }
    if (cwd !== folder && !cwd.startsWith(`${folder}/`)) return [];
    return [
      read(`/proc/${String(pid)}/cmdline`)
        .replaceAll('\0', ' ')
        .trim(),
    ];
  });
}

/**
 * Follows a process and the Node processes below it.
 *
 * @returns a function that stops following, and gives the most that one of them ever held, in bytes
 */
export function followMemory(root: number): () => number {
  const peaks = new Map<number, number>();
  const look = (): void => {
    for (const pid of [root, ...childrenOf(root)]) {
      const status = read(`/proc/${String(pid)}/status`);
      if (!/^Name:\s+(node|MainThread)/m.test(status)) continue;
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
      peaks.set(pid, Math.max(peaks.get(pid) ?? 0, Number(kilobytes ?? 0) * 1024));
    }
  };
  const timer = setInterval(look, 100);
  return () => {
    look();
    clearInterval(timer);
    return Math.max(0, ...peaks.values());
  };
}

const childrenOf = (parent: number): readonly number[] =>
  read(`/proc/${String(parent)}/task/${String(parent)}/children`)
    .trim()
    .split(' ')
    .map(Number)
    .filter((pid) => pid > 0);
