import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GATED_FILES, MUTANT, openGate } from '../support/gate.js';
import { processesOf } from '../support/processes.js';
import { counterproof, createProject, prove, startCli, verdicts } from '../support/project.js';

const isRoot = process.getuid?.() === 0;
/** Nobody: owns the project of the test, and nothing else. */
const USER = 65534;

/** Gives the whole project to the ordinary user as whom the command is then started. */
function asOrdinaryUser(folder: string): readonly string[] {
  if (!isRoot) return [];
  execFileSync('chown', ['-R', `${USER}:${USER}`, folder]);
  return ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'];
}

describe('where nothing can be written, nothing is run', () => {
  it.each([
    ['the tree', '.'],
    ['.counterproof', '.counterproof'],
  ])('%s is read-only: exit code 2 names it', async (_name, place) => {
    const project = createProject(GATED_FILES);
    mkdirSync(join(project.folder, '.counterproof'));
    if (place === '.') rmSync(join(project.folder, '.counterproof'), { recursive: true });
    const before = project.snapshot();
    const through = asOrdinaryUser(dirname(project.folder));
    chmodSync(join(project.folder, place), 0o555);

    const run = await counterproof(project, ['run', '--json'], { through });

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(join(project.folder, '.counterproof'));
    expect(run.stderr).not.toContain('Internal error');
    expect(project.snapshot()).toEqual(before);
  });
});

describe('where the second copy of the originals cannot go to the home folder', () => {
  it.each([
    ['HOME and XDG_STATE_HOME unset', { HOME: undefined, XDG_STATE_HOME: undefined }],
    ['XDG_STATE_HOME below a file', { XDG_STATE_HOME: '/dev/null/state' }],
  ])('%s: the run goes on, and kill -9 is survived', async (_name, env) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const home = join(dirname(project.folder), 'home');
    mkdirSync(home);
    const gate = openGate(project, 'during the mutated run');
    const all = { ...gate.env, ...('HOME' in env ? {} : { HOME: home }), ...env };
    const { ended } = await startCli(project, ['run', '--json'], { env: all });
    await gate.held();
    await gate.release();
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode, stderr).toBe(0);
    if (!('HOME' in env)) {
      const { notVerified } = JSON.parse(stdout) as { notVerified: string[] };
      expect(notVerified).toContainEqual(
        expect.stringContaining('no copy of the originals in /dev/null/state'),
      );
    }
    expect(project.snapshot()).toEqual(before);
  });
});

/** A small file system of its own, on which projects and temporary files then lie. */
function smallDisk(): string {
  const disk = mkdtempSync(join(tmpdir(), 'cp-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', disk]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true });
  });
  return disk;
}

/** Writes until there is no room for one more byte. */
function fill(file: string): void {
  const fd = openSync(file, 'w');
  try {
    for (let size = 1 << 20; size >= 1;) {
      try {
        writeSync(fd, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(fd);
  }
}

// Only root may mount; the steps themselves fail on a full disk in the workspace's own tests.
describe.runIf(isRoot && process.platform === 'linux')('a disk that is full', () => {
  it('in the midst of a mutation: the tree comes back, and so does the verdict', async () => {
    const disk = smallDisk();
    const project = createProject(GATED_FILES, { under: disk });
    const before = project.snapshot();
    const gate = openGate(project, 'during the mutated run');
    const { ended } = await startCli(project, ['run', '--json'], {
      env: { ...gate.env, TMPDIR: tmpdir() },
    });
    await gate.held();
    expect(project.read('calc.py').toString()).toBe(MUTANT);
    fill(join(disk, 'full'));
    await gate.release();

    const { exitCode, stdout, stderr } = await ended;
    expect(stderr).not.toContain('Internal error');
    expect(JSON.parse(stdout), stderr).toMatchObject({ proofs: [{ verdict: 'pinned' }] });
    expect(exitCode).toBe(0);
    expect(project.snapshot()).toEqual(before);
    expect(processesOf(project)).toEqual([]);

    rmSync(join(disk, 'full'));
    expect(verdicts(await prove(project))).toEqual({ minus: 'pinned' });
    expect(project.snapshot()).toEqual(before);
  });

  it('before a mutation: it is not applied, and nothing of it is left', async () => {
    const disk = smallDisk();
    const project = createProject(GATED_FILES, { under: disk });
    const before = project.snapshot();
    const gate = openGate(project, 'during the baseline');
    const { ended } = await startCli(project, ['run', '--json'], {
      env: { ...gate.env, TMPDIR: tmpdir() },
    });
    await gate.held();
    fill(join(disk, 'full'));
    await gate.release();

    const { exitCode, stdout, stderr } = await ended;
    expect(JSON.parse(stdout), stderr).toMatchObject({
      proofs: [{ verdict: 'not-applied', reason: expect.stringMatching(/space/) as string }],
    });
    expect(exitCode).toBe(3);
    expect(project.snapshot()).toEqual(before);
    expect(readdirSync(join(project.folder, '.counterproof', 'journal'))).toEqual([]);
  });
});
