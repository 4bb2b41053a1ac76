import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import { CALC, GATED_FILES, MUTANT, openGate, PLACES, type Place } from '../support/gate.js';
import { allGone, processesOf, workerOf } from '../support/processes.js';
import {
  counterproof,
  createProject,
  prove,
  startCli,
  verdicts,
  type TestProject,
} from '../support/project.js';

const PINNED = { minus: 'pinned' };
/** Of a run with one mutation. */
const EVERY_PLACE = (Object.keys(PLACES) as Place[]).filter((place) => !/third|second/.test(place));
const inode = (project: TestProject): bigint =>
  lstatSync(join(project.folder, 'calc.py'), { bigint: true }).ino;
const kill = (...pids: readonly number[]): void => {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
};

describe('kill -9 of the coordinator', () => {
  it.each(EVERY_PLACE)('%s: the worker ends its lane, restores and leaves', async (place) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const inodeBefore = inode(project);
    const gate = openGate(project, place);
    const { child, ended } = await startCli(project, ['run', '-x'], { env: gate.env });
    await gate.held();

    kill(child.pid ?? 0);

    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    await allGone(project);
    expect(project.snapshot()).toEqual(before);
    expect(inode(project)).toBe(inodeBefore);
    expect(readdirSync(gate.tmp)).toEqual([]);
    const next = await counterproof(project, ['recover'], { env: { TMPDIR: gate.tmp } });
    expect(next).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Nothing/) as string,
    });
  });
});

describe('kill -9 of the worker', () => {
  it.each(EVERY_PLACE)('%s: costs one try, a fresh one goes on', async (place) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const inodeBefore = inode(project);
    const gate = openGate(project, place);
    const { ended } = await startCli(project, ['run', '-x', '--json'], { env: gate.env });
    await gate.held();

    kill(workerOf(project));

    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode, stderr + stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      complete: true,
      proofs: [{ id: 'minus', verdict: 'pinned' }],
    });
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
    expect(inode(project)).toBe(inodeBefore);
    expect(readdirSync(gate.tmp)).toEqual([]);
    // The build that the dead worker had begun is the mutant's until another one ran.
    if (place === 'between the restore and the restored run')
      expect(gate.passed().filter(isBuild)).toHaveLength(3);
  });
});

const isBuild = (word: string): boolean => word === 'build';

describe('kill -9 of coordinator and worker together', () => {
  it.each([
    ['before the baseline', 'recover'],
    ['during the baseline', 'recover'],
    ['between the edit and the mutated run', 'recover'],
    ['during the mutated run', 'run'],
    ['between the restore and the restored run', 'recover'],
    ['during the restored run', 'recover'],
    ['during the closing run', 'run'],
  ] as const)('%s: `%s` restores and ends what runs', async (place, next) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const inodeBefore = inode(project);
    const gate = openGate(project, place);
    const { child, ended } = await startCli(project, ['run', '-x'], { env: gate.env });
    await gate.held();

    kill(child.pid ?? 0, workerOf(project));

    await ended;
    const env = { TMPDIR: gate.tmp };
    if (next === 'run') expect(verdicts(await prove(project, ['run'], { env }))).toEqual(PINNED);
    else expect((await counterproof(project, ['recover'], { env })).exitCode).toBe(0);
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
    expect(inode(project)).toBe(inodeBefore);
    expect(readdirSync(gate.tmp)).toEqual([]);
  });
});

describe('a mutant that somebody gave to git before the tree came back', () => {
  const killedAfter = async (act: (project: TestProject) => void): Promise<TestProject> => {
    const project = createProject(GATED_FILES);
    const gate = openGate(project, 'during the mutated run');
    const { child, ended } = await startCli(project, ['run', '-x'], { env: gate.env });
    await gate.held();
    kill(child.pid ?? 0, workerOf(project));
    await ended;
    expect(project.read('calc.py').toString()).toBe(MUTANT);
    act(project);
    return project;
  };
  const wayOut =
    'The file is back; stage it again: git add calc.py, or take it out: git restore --staged calc.py.';

  it.each([
    ['git add', ['add', 'calc.py'], 'The index', wayOut],
    [
      'git commit',
      ['commit', '-q', '-m', 'early', 'calc.py'],
      'Commit',
      'The file is back; commit it again.',
    ],
  ])('%s: `recover` names the place and the way out', async (_, words, where, way) => {
    const project = await killedAfter(({ git }) => void git(...words));
    const { exitCode, stdout } = await counterproof(project, ['recover']);
    expect(stdout).toContain(`${where} `);
    expect(stdout).toContain('holds the mutation minus in calc.py');
    expect(stdout).toContain(way);
    expect(exitCode).toBe(4);
    expect(project.read('calc.py').toString()).toBe(CALC);
  });

  it('git add: the next run says it and goes on', async () => {
    const project = await killedAfter(({ git }) => void git('add', 'calc.py'));
    const next = await prove(project);
    expect(next.stderr).toContain(`The index holds the mutation minus in calc.py`);
    expect(next.stderr).toContain(wayOut);
    expect(verdicts(next)).toEqual(PINNED);
  });

  it('`check` names the file in which the mutant stands, until it is back', async () => {
    const project = await killedAfter(() => undefined);
    const line =
      'A killed run left its mutation in calc.py: `counterproof recover` puts that back.\n';
    expect((await counterproof(project, ['check'])).stdout).toContain(line);
    await counterproof(project, ['recover']);
    expect((await counterproof(project, ['check'])).stdout).not.toContain('killed');
  });

  it('nothing is said, and the code is 0, where nobody gave it', async () => {
    const project = await killedAfter(() => undefined);
    const { exitCode, stdout } = await counterproof(project, ['recover']);
    expect(stdout).not.toContain('holds the mutation');
    expect(exitCode).toBe(0);
  });
});

describe('kill -9 of the lane', () => {
  it.each([
    ['during the baseline', 'baseline'],
    ['during the mutated run', 'mutated'],
  ] as const)('%s: there is no verdict, and the test that ran is named', async (place, step) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const gate = openGate(project, place);
    const { ended } = await startCli(project, ['run', '--json'], { env: gate.env });

    kill(await gate.held());

    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(3);
    const { proofs } = JSON.parse(stdout) as RunRecord;
    expect(proofs).toMatchObject([{ id: 'minus', verdict: 'incomplete' }]);
    expect(proofs[0]?.reason).toContain('SIGKILL');
    expect(proofs[0]?.reason).toContain('test_calc.py::test_add');
    expect(proofs[0]?.reason).toContain(step);
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(gate.tmp)).toEqual([]);
  });
});

it('a mutation under which the worker always dies has no verdict, and the others have theirs', async () => {
  const project = createProject({
    ...GATED_FILES,
    'test_deadly.py': `import os

from calc import add


def test_deadly():
    if add(2, 3) != 5:
        os.kill(os.getppid(), 9)
`,
    'mutations/zero.yaml': `version: 1
lane: unit
mutations:
  - id: zero
    file: calc.py
    replace: { find: "a * 2", with: "a * 0" }
    flips: ["test_calc.py::test_other"]
`,
  });
  const before = project.snapshot();
  const gate = openGate(project, null);

  const run = await prove(project, ['run'], { env: { TMPDIR: gate.tmp } });

  expect(run.exitCode).toBe(3);
  expect(verdicts(run)).toEqual({ minus: 'incomplete', zero: 'pinned' });
  expect(run.proof('minus').reason).toContain('the process that runs the lane died of it');
  expect(run.stderr.match(/ended with SIGKILL/g), run.stderr).toHaveLength(2);
  expect(processesOf(project)).toEqual([]);
  expect(project.snapshot()).toEqual(before);
  expect(readdirSync(gate.tmp)).toEqual([]);
});
