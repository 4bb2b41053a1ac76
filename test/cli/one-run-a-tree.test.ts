import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { GATED_FILES, MUTANT, openGate } from '../support/gate.js';
import { allGone, workerOf } from '../support/processes.js';
import {
  counterproof,
  createProject,
  eachOf,
  prove,
  startCli,
  verdicts,
} from '../support/project.js';

it('a second run on the tree is refused by name, one in another worktree is not', async () => {
  const project = createProject(GATED_FILES);
  const before = project.snapshot();
  const other = join(dirname(project.folder), 'zweiter Baum');
  project.git('worktree', 'add', '-q', '--detach', other);
  const gate = openGate(project, 'during the mutated run');
  const { child, ended } = await startCli(project, ['run'], { env: gate.env });
  await gate.held();

  const others = [['run', '--json'], ['try', 'calc.py:2'], ['recover']];
  for (const second of await eachOf(project, others)) {
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(second.stderr).toContain(
      `counterproof run --isolation in-place (pid ${String(child.pid)}`,
    );
  }
  const elsewhere = await prove(project, ['run'], { cwd: other });
  expect(elsewhere.exitCode).toBe(0);
  expect(verdicts(elsewhere)).toEqual({ minus: 'pinned' });
  expect(project.read('calc.py').toString()).toBe(MUTANT);

  await gate.release();
  expect((await ended).exitCode).toBe(0);
  expect(project.snapshot()).toEqual(before);
});

it('`git clean -xfd` in the midst of a mutation and then kill -9: recover has its own copy', async () => {
  const project = createProject(GATED_FILES);
  const before = project.snapshot();
  const gate = openGate(project, 'during the mutated run');
  const { child, ended } = await startCli(project, ['run'], { env: gate.env });
  await gate.held();

  project.git('clean', '-q', '-xfd');
  expect(existsSync(join(project.folder, '.counterproof', 'journal'))).toBe(false);
  for (const pid of [child.pid ?? 0, workerOf(project)]) process.kill(pid, 'SIGKILL');
  await ended;

  expect(project.read('calc.py').toString()).toBe(MUTANT);
  const recovered = await counterproof(project, ['recover'], { env: { TMPDIR: gate.tmp } });
  expect(recovered.exitCode).toBe(0);
  expect(recovered.stdout).toContain('calc.py');
  expect(project.snapshot()).toEqual(before);
  await allGone(project);
  expect(readdirSync(gate.tmp)).toEqual([]);
  expect(await counterproof(project, ['recover'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Nothing to put back') as string,
  });
});

it('`.counterproof` taken away in the midst of a mutation costs the run nothing', async () => {
  const project = createProject(GATED_FILES);
  const before = project.snapshot();
  const gate = openGate(project, 'during the mutated run');
  const { ended } = await startCli(project, ['run', '--json'], { env: gate.env });
  await gate.held();

  rmSync(join(project.folder, '.counterproof'), { recursive: true });
  await gate.release();

  const { exitCode, stdout, stderr } = await ended;
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ complete: true, proofs: [{ verdict: 'pinned' }] });
  expect(project.snapshot()).toEqual(before);
  expect(project.git('status', '--porcelain')).toBe('');
});

it('recover waits for nothing and says what was set aside, with exit code 4', async () => {
  const project = createProject(GATED_FILES);
  const before = project.snapshot();
  const gate = openGate(project, 'during the mutated run');
  const { child, ended } = await startCli(project, ['run'], { env: gate.env });
  await gate.held();
  for (const pid of [child.pid ?? 0, workerOf(project)]) process.kill(pid, 'SIGKILL');
  await ended;
  project.write({ 'calc.py': '# mine\n' });

  const recovered = await counterproof(project, ['recover']);

  expect(recovered.exitCode).toBe(4);
  const kept = /kept as (.*)/.exec(recovered.stdout)?.[1] ?? '';
  expect(execFileSync('cat', [kept], { encoding: 'utf8' })).toBe('# mine\n');
  expect(project.snapshot()).toEqual(before);
  await allGone(project);
  expect((await prove(project)).exitCode).toBe(0);
});
