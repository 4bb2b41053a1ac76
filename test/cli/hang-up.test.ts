import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GATED_FILES, openGate } from '../support/gate.js';
import { allGone, processesOf } from '../support/processes.js';
import { cliEnvironment, COMMAND, createProject, startCli } from '../support/project.js';
import { venv } from '../support/venvs.js';

const TERMINAL = fileURLToPath(new URL('../fixtures/terminal.py', import.meta.url));

describe('a real terminal', () => {
  it.each([
    ['Ctrl-C, which reaches every process in the foreground', 'interrupt', 130],
    ['Ctrl-\\, which does so too', 'quit', 131],
    ['a terminal that is closed', 'hang-up', 143],
  ])('%s: the tree is back, nothing runs', async (_name, act, code) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const gate = openGate(project, 'during the mutated run');
    const { python } = await venv('default');
    const child = spawn(python, [TERMINAL, gate.env.GATE, act, process.execPath, COMMAND, 'run'], {
      cwd: project.folder,
      env: await cliEnvironment(project, { ...gate.env, TERM: 'xterm' }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });

    const exitCode = await new Promise((resolve) => child.once('exit', resolve));

    expect(exitCode).toBe(code);
    await allGone(project);
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(gate.tmp)).toEqual([]);
  });
});

describe('output that nobody reads any more', () => {
  it.each([['stdout'], ['stderr']] as const)('%s: the run ends as it would', async (stream) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const gate = openGate(project, 'during the mutated run');
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();

    child[stream]?.destroy();
    await gate.release();

    expect(await ended).toMatchObject({ exitCode: 0, signal: null });
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });
});
