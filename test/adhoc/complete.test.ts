import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test, expect } from 'vitest';
import { uncommittedChanges } from '../../src/adhoc/uncommitted.js';
import { layOut } from '../../src/git/worktree.js';
import { createRepository, type Repository } from '../git/repository.js';

const RULES = { testPaths: [], sourcePaths: [], pythonFiles: [] };

interface Laid extends Repository {
  readonly apart: string;
  /** Lays the commit out and completes it; gives the folder. */
  readonly completed: () => Promise<{ readonly folder: string; readonly problem: string | null }>;
}

async function repository(): Promise<Laid> {
  const made = await createRepository();
  const apart = await mkdtemp(join(tmpdir(), 'counterproof-apart-'));
  onTestFinished(async () => {
    await made.remove();
    await rm(apart, { recursive: true, force: true });
  });
  return {
    ...made,
    apart,
    async completed() {
      const found = await uncommittedChanges(made.dir, '.', RULES);
      if (!found.ok) throw new Error(found.error.message);
      const folder = join(apart, 'commit');
      const laid = await layOut(made.dir, found.value.commit, folder);
      if (!laid.ok) throw new Error(JSON.stringify(laid.error));
      const done = await found.value.complete(folder);
      return { folder, problem: done.ok ? null : done.error };
    },
  };
}

const text = (folder: string, path: string): Promise<string> =>
  readFile(join(folder, path), 'utf8');

test.each(['git', 'no rename'])(
  'a link of the commit that became a folder is not written through (%s)',
  async (how) => {
    const { dir, git, put, commit, apart, completed } = await repository();
    const real = join(apart, 'real');
    await mkdir(real);
    await writeFile(join(real, 'README.md'), 'precious');
    await writeFile(join(real, 'gone.md'), 'precious too');
    await put('src/calc.py', 'x = 1\n');
    await symlink(real, join(dir, 'conf'));
    commit();
    if (how === 'git') git('mv', 'conf', 'zlink');
    else await rm(join(dir, 'conf'));
    await put('conf/README.md', 'fresh');
    git('add', '--all');
    await put('src/calc.py', 'x = 2\n');

    const { folder, problem } = await completed();

    expect(problem).toBeNull();
    expect(await text(real, 'README.md')).toBe('precious');
    expect(await text(real, 'gone.md')).toBe('precious too');
    expect(await text(folder, 'conf/README.md')).toBe('fresh');
    expect(await text(folder, 'src/calc.py')).toBe('x = 1\n');
    if (how === 'git') expect(await readlink(join(folder, 'zlink'))).toBe(real);
  },
);

test('a link within the tree that became a folder leaves what it led to alone', async () => {
  const { dir, git, put, commit, completed } = await repository();
  await put('calc.py', 'x = 1\n');
  await put('docs/README.md', 'the docs');
  await symlink('docs', join(dir, 'zconf'));
  commit();
  await rm(join(dir, 'zconf'));
  await put('zconf/README.md', 'fresh');
  git('add', '--all');
  await put('calc.py', 'x = 2\n');
  const { folder, problem } = await completed();
  expect(problem).toBeNull();
  expect(await text(folder, 'docs/README.md')).toBe('the docs');
  expect(await text(folder, 'zconf/README.md')).toBe('fresh');
});

test('a file may become a folder beside a rename, and a folder a file', async () => {
  const { dir, git, put, commit, completed } = await repository();
  await put('calc.py', 'x = 1\n');
  await put('notes.md', 'one\ntwo\n');
  await put('guide.md/README.md', 'a guide\n');
  commit();
  git('mv', 'notes.md', 'notes2.md');
  await put('notes.md/README.md', 'fresh');
  await rename(join(dir, 'guide.md'), join(dir, 'guides'));
  await put('guide.md', 'a file');
  git('add', '--all');
  await put('calc.py', 'x = 2\n');
  const { folder, problem } = await completed();
  expect(problem).toBeNull();
  expect(await text(folder, 'notes2.md')).toBe('one\ntwo\n');
  expect(await text(folder, 'notes.md/README.md')).toBe('fresh');
  expect(await text(folder, 'guide.md')).toBe('a file');
  expect(await text(folder, 'guides/README.md')).toBe('a guide\n');
});

test('source that is gone comes back with its mode', async () => {
  const { dir, put, commit, completed } = await repository();
  await put('calc.py', 'x = 1\n');
  await chmod(join(dir, 'calc.py'), 0o755);
  commit();
  await rm(join(dir, 'calc.py'));
  const { folder } = await completed();
  expect((await stat(join(folder, 'calc.py'))).mode & 0o100).toBe(0o100);
});

test('source that lay in what is a file now has no place', async () => {
  const { dir, put, commit, completed } = await repository();
  await put('pack.md/calc.py', 'x = 1\n');
  commit();
  await rm(join(dir, 'pack.md'), { recursive: true });
  await put('pack.md', 'a file');
  expect((await completed()).problem).toBe(
    'pack.md/calc.py cannot be laid out beside the last commit: pack.md is in its way. Commit one of the two.',
  );
});
