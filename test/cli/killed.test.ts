import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATED_FILES, openGate, PLACES, type Place } from '../support/gate.js';
import { allGone, processesOf, workerOf } from '../support/processes.js';
import { createProject, prove, startCli, verdicts, type TestProject } from '../support/project.js';

const EVERY_PLACE = Object.keys(PLACES) as Place[];
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
    const next = await prove(project, ['run'], { env: { TMPDIR: gate.tmp } });
    expect(next.exitCode).toBe(0);
    expect(verdicts(next)).toEqual({ minus: 'pinned' });
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(gate.tmp)).toEqual([]);
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
  });
});

describe('kill -9 of coordinator and worker together', () => {
  it.each(EVERY_PLACE)('%s: the next start restores and ends what runs', async (place) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const inodeBefore = inode(project);
    const gate = openGate(project, place);
    const { child, ended } = await startCli(project, ['run', '-x'], { env: gate.env });
    await gate.held();

    kill(child.pid ?? 0, workerOf(project));

    await ended;
    const next = await prove(project, ['run'], { env: { TMPDIR: gate.tmp } });
    expect(next.exitCode).toBe(0);
    expect(verdicts(next)).toEqual({ minus: 'pinned' });
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
    expect(inode(project)).toBe(inodeBefore);
    expect(readdirSync(gate.tmp)).toEqual([]);
  });
});
