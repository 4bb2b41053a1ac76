/** Kills one process of a run at a moment that a seed chooses, and says what is left of it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import { allGone, processesOf, until, type RunningProcess } from './processes.js';
import { prove, startCli, verdicts, type TestProject } from './project.js';

export const VICTIMS = ['coordinator', 'unshare', 'process 1', 'worker', 'lane'] as const;
export type Victim = (typeof VICTIMS)[number];

const isVictim: Readonly<Record<Victim, (process: RunningProcess) => boolean>> = {
  coordinator: ({ command }) => command.includes('bin/counterproof.js'),
  unshare: ({ command }) => /^unshare\b/.test(command),
  'process 1': ({ command }) => /^sh -c\b.*counterproof-slot/.test(command),
  worker: ({ command }) => /^\S*node\S* \S*slot\/entry\.js/.test(command),
  lane: ({ command }) => command.startsWith('sh run.sh '),
};

/** Small, known and good enough: a linear congruential generator. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Kill {
  readonly victim: Victim;
  /** After so many events of the run. */
  readonly after: number;
}

export interface KillBench {
  readonly project: TestProject;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The user's tree, with all that must not differ. */
  readonly look: () => ReadonlyMap<string, string>;
  readonly expected: Readonly<Record<string, string>>;
}

/**
 * Starts a run, kills the victim, and waits for the end of all of it. A run without that victim
 * (no namespace, a lane between two steps) loses its worker instead.
 */
export async function killOnce(bench: KillBench, { victim, after }: Kill): Promise<Victim> {
  const { project, args, env, look } = bench;
  const before = look();
  const known = new Set(runsOf(project));
  const { child, ended } = await startCli(project, [...args, '--json'], { env });
  let over = false;
  child.once('close', () => {
    over = true;
  });
  await until(() => over || eventsOf(project, known) >= after, 5);
  const found = [victim, 'worker' as const, 'coordinator' as const].flatMap((name) => {
    const running = processesOf(project).filter(isVictim[name]);
    return running.length === 0 ? [] : [{ name, pid: running[after % running.length]?.pid ?? 0 }];
  })[0];
  if (found !== undefined) kill(found.pid);
  const { stdout, stderr, exitCode } = await ended;
  const what = `${found?.name ?? 'nobody'} after ${after}: exit ${String(exitCode)}\n${stderr}`;
  await allGone(project);
  expect(look(), what).toEqual(before);
  if (found?.name === 'coordinator') expect(child.signalCode).toBe('SIGKILL');
  else expectSound(recordIn(stdout, what), bench.expected, what);
  return found?.name ?? victim;
}

function recordIn(stdout: string, stderr: string): RunRecord {
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as RunRecord;
}

/** A verdict may be missing over a kill; a wrong one may not be there. */
function expectSound(record: RunRecord, expected: KillBench['expected'], stderr: string): void {
  for (const { id, verdict, reason } of record.proofs)
    expect([expected[id], 'incomplete', 'flaky'], `${id}: ${reason}\n${stderr}`).toContain(verdict);
  for (const { files } of record.proofs)
    for (const { baseline, restored } of files) expect(restored).toBe(baseline);
}

/** The next start sees to what was left, and proves all of it. */
export async function expectClean(
  { project, args, env, look, expected }: KillBench,
  leftOf: () => readonly string[],
): Promise<void> {
  const before = look();
  const run = await prove(project, args, { env });
  expect(verdicts(run)).toEqual(expected);
  expect(look()).toEqual(before);
  expect(processesOf(project)).toEqual([]);
  expect(leftOf()).toEqual([]);
}

const runsFolder = (project: TestProject): string => join(project.folder, '.counterproof', 'runs');

function runsOf(project: TestProject): readonly string[] {
  try {
    return readdirSync(runsFolder(project));
  } catch {
    return [];
  }
}

function eventsOf(project: TestProject, known: ReadonlySet<string>): number {
  const run = runsOf(project).find((name) => !known.has(name));
  if (run === undefined) return 0;
  try {
    const text = readFileSync(join(runsFolder(project), run, 'events.jsonl'), 'utf8');
    return text.split('\n').length - 1;
  } catch {
    return 0;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
