import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GATED_FILES, MUTANT, openGate } from '../support/gate.js';
import { stateFolders } from '../../src/workspace/state-folder.js';
import { processesOf, workerOf } from '../support/processes.js';
import { counterproof, createProject, prove, startCli, verdicts } from '../support/project.js';
import { SHELL_FILES } from '../support/shell-lane.js';

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
    expect(run.stderr).toContain(`you may not write in ${join(project.folder, place)}: `);
    expect(run.stderr).toContain('chmod u+rwx');
    expect(project.snapshot()).toEqual(before);
  });

  it.each([
    ['run', 'nothing of ours in it'],
    ['run', 'our folder in it'],
    ['recover', 'our folder in it'],
    ['recover', 'nothing of ours in it'],
  ])('the tree is mounted read-only: `%s` ends with 2 and says so (%s)', async (name, what) => {
    const project = createProject(SHELL_FILES);
    if (what.startsWith('our')) mkdirSync(join(project.folder, '.counterproof'));
    const before = project.snapshot();

    const through = inMounts(readOnly(project.folder));
    const run = await counterproof(project, [name], { through });

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`${project.folder}/.counterproof cannot be `);
    expect(run.stderr).toContain('is mounted read-only: mount it writable, or work on a copy');
    expect(run.stderr).not.toContain('by itself');
    expect(project.snapshot()).toEqual(before);
  });
});

/** A shell in mounts of its own, which runs this before the command. */
function inMounts(script: string): readonly string[] {
  const user = isRoot ? [] : ['--user', '--map-root-user'];
  return ['unshare', ...user, '--mount', 'sh', '-ec', `${script}\nexec "$@"`, 'sh'];
}

const readOnly = (folder: string): string =>
  `mount --bind "${folder}" "${folder}"\nmount -o remount,ro,bind "${folder}"\ncd "${folder}"`;

describe('a tree that becomes read-only while a mutation stands in it', () => {
  /** The script runs under the mutant `minus` alone. */
  const underMutant = (script: string) => ({
    ...SHELL_FILES,
    'extra.sh': `if grep -q 'a - b' calc.txt; then\n${script}\nfi\n`,
  });

  it('by its mode: 4, the folder and the way out, and `recover` does the rest', async () => {
    const project = createProject(underMutant('chmod a-w .'));
    const before = project.snapshot();
    const through = asOrdinaryUser(dirname(project.folder));

    const run = await prove(project, ['run'], { through });

    expect(run.exitCode).toBe(4);
    expect(run.proof('minus').verdict).toBe('not-restored');
    expect(run.record.stopped).toContain(`you may not write in ${project.folder}: `);
    const early = await counterproof(project, ['recover'], { through });
    expect(early.exitCode).toBe(4);
    expect(early.stdout).toContain(`you may not write in ${project.folder}: `);
    chmodSync(project.folder, 0o755);
    expect((await counterproof(project, ['recover'], { through })).exitCode).toBe(0);
    expect(project.snapshot()).toEqual(before);
  });

  it("by its mount: 4, and the lock that cannot be released is in nobody's way", async () => {
    const project = createProject(underMutant('mount -o remount,ro,bind .'));
    const before = project.snapshot();
    const out = join(dirname(project.folder), 'out');
    const { folder } = project;

    const run = await prove(project, ['run', '--out', out], {
      // Not yet read-only: a file that is open for writing would keep it from becoming so.
      through: inMounts(`mount --bind "${folder}" "${folder}"\ncd "${folder}"`),
    });

    expect(run.exitCode).toBe(4);
    expect(run.proof('minus').verdict).toBe('not-restored');
    expect(run.record.stopped).toContain(`of ${folder} is mounted read-only`);
    // Outside of those mounts it is writable.
    expect((await counterproof(project, ['recover'])).exitCode).toBe(0);
    expect(project.snapshot()).toEqual(before);
  });
});

it('a full disk is named as such, with the place that is full', async () => {
  const project = createProject(GATED_FILES);
  const own = join(project.folder, '.counterproof');
  mkdirSync(own);
  const user = isRoot ? [] : ['--user', '--map-root-user'];
  const mounted = ['unshare', ...user, '--mount', 'sh', '-ec'];
  // One inode: that of the folder itself.
  const through = [...mounted, `mount -t tmpfs -o nr_inodes=1 none "${own}"; exec "$@"`, 'sh'];
  const canMount = spawnSync(through[0] ?? '', [...through.slice(1), 'true']).status === 0;

  const run = await counterproof(project, ['run', '--json'], canMount ? { through } : {});

  if (!canMount) return;
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`the file system of ${own} has no room left`);
  expect(run.stderr).not.toContain('another user');
});

describe('where the second copy of the originals has no place of its own', () => {
  it.each([
    ['HOME and XDG_STATE_HOME unset', { HOME: undefined, XDG_STATE_HOME: undefined }],
    ['XDG_STATE_HOME below a file', { XDG_STATE_HOME: '/dev/null/state' }],
  ])('%s: `git clean -xfd` and kill -9 are survived', async (_name, unusable) => {
    const project = createProject(GATED_FILES);
    const before = project.snapshot();
    const gate = openGate(project, 'during the mutated run');
    // Without HOME the account's own home folder is taken.
    const [inHome] = stateFolders(project.folder, {}).candidates;
    onTestFinished(() => rmSync(inHome ?? '', { recursive: true, force: true }));
    const env = { ...gate.env, ...unusable };
    const { child, ended } = await startCli(project, ['run'], { env });
    await gate.held();
    project.git('clean', '-q', '-xfd');
    for (const pid of [child.pid ?? 0, workerOf(project)]) process.kill(pid, 'SIGKILL');
    await ended;

    const recovered = await counterproof(project, ['recover'], { env });

    expect(recovered).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('calc.py') as string,
    });
    expect(project.snapshot()).toEqual(before);
    expect(processesOf(project)).toEqual([]);
  });

  it('says where the copy could not go', async () => {
    const project = createProject(GATED_FILES);
    const { tmp } = openGate(project, null);
    const run = await prove(project, ['run'], {
      env: { XDG_STATE_HOME: '/dev/null/state', TMPDIR: tmp },
    });
    expect(run.record.notVerified).toContainEqual(
      expect.stringContaining('no copy of the originals in /dev/null/state'),
    );
  });
});

/** A small file system of its own, on which projects and temporary files then lie. */
function smallDisk(): string {
  const disk = mkdtempSync(join(tmpdir(), 'cp-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'none', disk]);
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

const NO_ROOM = {
  verdict: 'incomplete',
  reason: expect.stringContaining('there was no room left on the disk') as string,
};

// Only root may mount; the steps themselves fail on a full disk in the workspace's own tests.
describe.runIf(isRoot && process.platform === 'linux')('a disk that is full', () => {
  it('in the midst of a mutation: the tree comes back, and what failed then is no verdict', async () => {
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
    expect(JSON.parse(stdout), stderr).toMatchObject({ proofs: [NO_ROOM] });
    expect(exitCode).toBe(3);
    expect(project.snapshot()).toEqual(before);
    expect(processesOf(project)).toEqual([]);

    rmSync(join(disk, 'full'));
    expect(verdicts(await prove(project))).toEqual({ minus: 'pinned' });
    expect(project.snapshot()).toEqual(before);
  });

  it('before a mutation: nothing is applied, and nothing of it is left', async () => {
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
    expect(JSON.parse(stdout), stderr).toMatchObject({ proofs: [NO_ROOM] });
    expect(exitCode).toBe(3);
    expect(project.snapshot()).toEqual(before);
    const journal = join(project.folder, '.counterproof', 'journal');
    expect(existsSync(journal) ? readdirSync(journal) : []).toEqual([]);
  });
});
