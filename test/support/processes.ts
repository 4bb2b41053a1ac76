/** Who is still running for a project. Linux only, as the sweep that is tested with it. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestProject } from './project.js';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
  /** Value of COUNTERPROOF_RUN; null: it carries none. */
  readonly mark: string | null;
}

/**
 * Living processes that were started by a command of this project: all of them inherit
 * variables that name its state folder or its gate.
 */
export function processesOf(project: TestProject): readonly RunningProcess[] {
  const own = dirname(project.folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): RunningProcess[] => {
      const environment = read(`/proc/${name}/environ`).split('\0');
      if (!environment.some((each) => each.includes(own)) || isDead(name)) return [];
      const mark = environment.find((each) => each.startsWith('COUNTERPROOF_RUN='));
      return [
        {
          pid: Number(name),
          command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(),
          mark: mark?.slice('COUNTERPROOF_RUN='.length) ?? null,
        },
      ];
    });
}

/** The worker of the run that is under way. Throws where there is none. */
export function workerOf(project: TestProject): number {
  const found = processesOf(project).find(({ command }) => command.includes('slot/entry.js'));
  if (found === undefined) throw new Error('there is no worker');
  return found.pid;
}

/** Resolves when nothing of the project runs any more. */
export async function allGone(project: TestProject): Promise<void> {
  await until(() => processesOf(project).length === 0, 100);
}

/** Looks again and again until it is so; the limit of the test ends what never becomes so. */
export async function until(isSo: () => boolean, everyMs = 20): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, everyMs));
}

const isDead = (pid: string): boolean => {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || 'ZX'.includes(stat.slice(stat.lastIndexOf(')') + 2, -1)[0] ?? 'Z');
};

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
