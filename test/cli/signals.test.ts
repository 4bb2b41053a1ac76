import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import { CALC, GATED_FILES, MUTANT, openGate, type Place } from '../support/gate.js';
import { allGone, processesOf } from '../support/processes.js';
import { createProject, prove, startCli, type TestProject } from '../support/project.js';
import { ownCache } from '../support/untouched.js';

/** The newest record that a run of this project left. */
function lastRecord(project: TestProject): RunRecord {
  const runs = join(project.folder, '.counterproof', 'runs');
  const newest = readdirSync(runs).toSorted().at(-1) ?? '';
  return JSON.parse(readFileSync(join(runs, newest, 'record.json'), 'utf8')) as RunRecord;
}

const CASES: readonly (readonly [Place, NodeJS.Signals, number])[] = [
  ['before the baseline', 'SIGINT', 130],
  ['during the baseline', 'SIGTERM', 143],
  ['between the edit and the mutated run', 'SIGINT', 130],
  ['during the mutated run', 'SIGHUP', 143],
  ['between the restore and the restored run', 'SIGTERM', 143],
  ['during the restored run', 'SIGQUIT', 131],
  ['during the closing run', 'SIGINT', 130],
];

const COMMANDS = {
  run: ['run'],
  try: ['try', 'calc.py:2'],
  prove: ['prove', 'HEAD~1..HEAD'],
} as const;

const EACH = [
  ['run', 'in-place', 'SIGINT SIGINT', 130],
  ['run', 'overlay', 'SIGINT', 130],
  ['run', 'overlay', 'SIGQUIT', 131],
  ['try', 'in-place', 'SIGINT', 130],
  ['try', 'in-place', 'SIGQUIT', 131],
  ['try', 'overlay', 'SIGHUP', 143],
  ['prove', 'in-place', 'SIGQUIT', 131],
  ['prove', 'in-place', 'SIGHUP', 143],
  ['prove', 'overlay', 'SIGINT SIGINT', 130],
  ['prove', 'overlay', 'SIGTERM', 143],
] as const;

describe('a signal at the coordinator', () => {
  it.each(CASES)(
    '%s, %s: the tree is back, the run says that it was stopped',
    async (place, signal, code) => {
      const project = createProject(GATED_FILES);
      const before = project.snapshot();
      const gate = openGate(project, place);
      const { child, ended } = await startCli(project, ['run', '-x'], { env: gate.env });
      await gate.held();

      child.kill(signal);

      expect(await ended).toMatchObject({ exitCode: code, signal: null });
      expect(processesOf(project)).toEqual([]);
      expect(project.snapshot()).toEqual(before);
      expect(readdirSync(gate.tmp)).toEqual([]);
      const record = lastRecord(project);
      expect(record).toMatchObject({
        complete: false,
        stopped: `interrupted by ${signal}`,
        exitCode: code,
      });
      // What was settled before the closing run stays; that this run is missing is said.
      const settled = place === 'during the closing run';
      expect(record.proofs.map(({ verdict }) => verdict)).toEqual(
        settled ? ['pinned'] : expect.not.arrayContaining(['pinned']),
      );
      if (settled) expect(record.notVerified.join()).toContain('a closing run of the lane');
    },
  );

  it('three Ctrl-C at once, with a test that ignores SIGTERM, end it at once', async () => {
    const project = createProject({
      ...GATED_FILES,
      'test_deaf.py': `import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_deaf():
    pass
`,
    });
    const before = project.snapshot();
    const gate = openGate(project, 'during the mutated run');
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();

    for (let count = 0; count < 3; count += 1) child.kill('SIGINT');

    expect((await ended).exitCode).toBe(130);
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(gate.tmp)).toEqual([]);
    expect((await prove(project)).exitCode).toBe(0);
  });

  it.each(EACH)('ends `%s` %s with %s', async (command, isolation, sent, code) => {
    const project = createProject({ ...GATED_FILES, 'calc.py': MUTANT });
    project.write({ 'calc.py': CALC });
    project.git('commit', '-qam', 'fix');
    const before = project.snapshot();
    const gate = openGate(project, 'during the mutated run');
    const args = [...COMMANDS[command], '--isolation', isolation];
    const env = { ...gate.env, ...ownCache(project) };
    const { child, ended } = await startCli(project, args, { env });
    await gate.held();

    for (const signal of sent.split(' ')) child.kill(signal as NodeJS.Signals);

    expect((await ended).exitCode).toBe(code);
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(gate.tmp)).toEqual([]);
    const record = lastRecord(project);
    expect(record).toMatchObject({ complete: false, exitCode: code });
    expect(record.environment.isolation).toMatch(isolation.replace('-', ' '));
  });

  it.each([
    ['lane', 'SIGINT', { exitCode: 130, stdout: '' }],
    ['lane', 'SIGTERM', { exitCode: 143, stdout: '' }],
    ['lane', 'SIGHUP', { exitCode: 143, stdout: '' }],
    ['lane', 'SIGQUIT', { exitCode: 131, stdout: '' }],
    ['lane', 'SIGKILL', { exitCode: null, signal: 'SIGKILL' }],
    ['check --collect', 'SIGINT', { exitCode: 130, stdout: '' }],
  ] as const)('ends the collection of `%s`: %s', async (line, signal, expected) => {
    const project = createProject({
      ...GATED_FILES,
      'conftest.py': `import os
import subprocess


def pytest_collection_finish(session):
    subprocess.run(["sh", "gate.sh", "run", str(os.getpid())], check=False)
`,
    });
    const before = project.snapshot();
    const gate = openGate(project, 'during the baseline');
    const { child, ended } = await startCli(project, line.split(' '), { env: gate.env });
    await gate.held();

    child.kill(signal);

    expect(await ended).toMatchObject(expected);
    await allGone(project);
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(gate.tmp)).toEqual([]);
  });
});
