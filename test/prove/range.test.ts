import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exactRange, resolveRange, type Range } from '../../src/prove/range.js';
import type { RangeProblem } from '../../src/prove/range-problem.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
const folders: string[] = [];
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await repository.remove();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function grow(path: string): Promise<string> {
  await repository.put(path, `${path}\n`);
  return repository.commit();
}

async function range(written: string | null, dir = repository.dir): Promise<Range> {
  const found = await resolveRange(dir, written);
  if (!found.ok) throw new Error(`${found.error.message} ${found.error.hint ?? ''}`);
  return found.value;
}

async function problem(written: string | null, dir = repository.dir): Promise<RangeProblem> {
  const found = await resolveRange(dir, written);
  if (found.ok) throw new Error(`found ${found.value.text}`);
  return found.error;
}

/** A clone with a remote `origin`, its history cut where asked. */
async function clone(...options: readonly string[]): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'counterproof-clone-'));
  folders.push(parent);
  const dir = join(parent, 'clone');
  execFileSync('git', ['clone', '--quiet', ...options, `file://${repository.dir}`, dir]);
  return dir;
}

const inClone = (dir: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

describe('without a range', () => {
  test('it is what the branch is ahead of where it left the default branch', async () => {
    const base = await grow('a');
    repository.git('switch', '--quiet', '--create', 'fix');
    await grow('b');
    const tip = await grow('c');
    repository.git('switch', '--quiet', 'main');
    await grow('d');
    repository.git('switch', '--quiet', 'fix');
    expect(await range(null)).toEqual({
      text: 'main..HEAD',
      from: base,
      to: tip,
      commits: 2,
      subject: 'x',
      notes: [],
    });
  });

  test('the nearest of the local and the remote default branch counts', async () => {
    const base = await grow('a');
    const dir = await clone();
    inClone(dir, 'switch', '--quiet', '--create', 'fix');
    expect(await range(null, dir).catch((e: Error) => e.message)).toMatch(/nothing ahead/);
    const second = await grow('b');
    inClone(dir, 'fetch', '--quiet');
    inClone(dir, 'merge', '--quiet', 'origin/main');
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--allow-empty', '-qm', 'fix'],
      { cwd: dir },
    );
    // The local main still stands at the first commit.
    expect(inClone(dir, 'rev-parse', 'main')).toBe(base);
    expect(await range(null, dir)).toMatchObject({
      text: 'origin/main..HEAD',
      from: second,
      commits: 1,
    });
  });

  test('on the default branch itself it is what the remote does not have yet', async () => {
    const base = await grow('a');
    const dir = await clone();
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--allow-empty', '-qm', 'fix'],
      { cwd: dir },
    );
    expect(await range(null, dir)).toMatchObject({
      text: 'origin/main..HEAD',
      from: base,
      subject: 'fix',
    });
  });

  test('a default branch of another name is the one that the remote says', async () => {
    repository.git('branch', '-m', 'stable');
    const base = await grow('a');
    const dir = await clone();
    inClone(dir, 'switch', '--quiet', '--create', 'main-line');
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--allow-empty', '-qm', 'fix'],
      { cwd: dir },
    );
    expect(await range(null, dir)).toMatchObject({ from: base, commits: 1 });
  });

  test.each(['edited', 'staged', 'untracked'])(
    'it is what is not committed, where nothing is ahead: %s',
    async (how) => {
      const head = await grow('a');
      await repository.put(how === 'untracked' ? 'b' : 'a', 'new\n');
      if (how === 'staged') repository.git('add', '--all');
      expect(await range(null)).toEqual({
        text: 'uncommitted changes',
        from: head,
        to: null,
        commits: 0,
        subject: null,
        notes: [],
      });
    },
  );

  test('nothing at all says what to type', async () => {
    expect(await problem(null)).toMatchObject({ kind: 'nothing', message: /no commit yet/ });
    await grow('a');
    expect(await problem(null)).toEqual({
      kind: 'nothing',
      message: 'Nothing to prove: nothing ahead, and nothing uncommitted.',
      hint: 'counterproof prove HEAD',
    });
  });

  test('no default branch: uncommitted changes, or what to type', async () => {
    repository.git('branch', '-m', 'wip');
    await grow('a');
    expect(await problem(null)).toMatchObject({
      kind: 'unusable',
      hint: expect.stringContaining('counterproof prove HEAD') as string,
    });
    await repository.put('a', 'new\n');
    expect(await range(null)).toMatchObject({
      text: 'uncommitted changes',
      notes: ['no default branch is here, so commits were not looked at'],
    });
  });

  test('detached at the merge commit of a pull request, it is what that brings in', async () => {
    await grow('a');
    repository.git('switch', '--quiet', '--create', 'fix');
    await grow('b');
    repository.git('switch', '--quiet', 'main');
    const base = await grow('c');
    repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'fix');
    const merge = repository.git('rev-parse', 'HEAD');
    repository.git('update-ref', 'refs/pull/7/merge', merge);
    repository.git('checkout', '--quiet', '--detach');
    repository.git('branch', '--quiet', '-D', 'main', 'fix');
    expect(await range(null)).toMatchObject({
      from: base,
      to: merge,
      notes: [
        'no default branch is here',
        expect.stringMatching(/HEAD is a merge: taken against its first parent/),
      ],
    });
    // With the default branch at hand it is the plain rule that finds the same.
    repository.git('update-ref', 'refs/remotes/origin/main', base);
    expect(await range(null)).toMatchObject({ text: 'origin/main..HEAD', from: base });

    repository.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const dir = await clone('--no-checkout', '--depth=1');
    inClone(dir, 'fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/7/merge');
    inClone(dir, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
    inClone(dir, 'update-ref', '-d', 'refs/remotes/origin/main');
    vi.stubEnv('GITHUB_REF', 'refs/pull/7/merge');
    const shallow = await problem(null, dir);
    expect(shallow).toEqual({
      kind: 'unusable',
      message: 'The clone is shallow: what HEAD was made from is not here.',
      hint: 'git fetch --depth=2 origin refs/pull/7/merge && counterproof prove HEAD',
    });
    // What it says to type does it.
    inClone(dir, ...(shallow.hint ?? '').split(' && ')[0]!.split(' ').slice(1));
    expect(await range('HEAD', dir)).toMatchObject({ from: base, to: merge });
  });
});

describe('a range that was typed', () => {
  test('REV is that commit against its parent', async () => {
    const first = await grow('a');
    const second = await grow('b');
    await grow('c');
    for (const written of ['HEAD~1', second, second.slice(0, 8), 'HEAD~1^!'])
      expect(await range(written)).toMatchObject({
        from: first,
        to: second,
        commits: 1,
        notes: [],
      });
  });

  test('A..B and A...B are what B has since it left A, and it is said where A has moved on', async () => {
    const base = await grow('a');
    repository.git('switch', '--quiet', '--create', 'fix');
    const tip = await grow('b');
    for (const written of ['main..fix', 'main...fix', 'main..', 'main...HEAD'])
      expect(await range(written)).toMatchObject({ from: base, to: tip, notes: [] });
    repository.git('switch', '--quiet', 'main');
    await grow('c');
    for (const written of ['main..fix', 'main...fix', '..fix'])
      expect(await range(written)).toMatchObject({
        from: base,
        to: tip,
        notes: [expect.stringMatching(/(main|HEAD) has moved on: taken from/)],
      });
    expect(await problem('fix..main~1')).toMatchObject({
      kind: 'nothing',
      message: /fix has everything/,
    });
    expect(await problem('main..main')).toMatchObject({
      kind: 'nothing',
      message: /the same commit/,
    });
  });

  test('a merge is taken against its first parent, and that is said', async () => {
    await grow('a');
    repository.git('switch', '--quiet', '--create', 'fix');
    await grow('b');
    repository.git('switch', '--quiet', 'main');
    const base = await grow('c');
    repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'fix');
    expect(await range('HEAD')).toMatchObject({
      from: base,
      notes: [expect.stringMatching(/is a merge: taken against its first parent/)],
    });
  });

  test('a root commit is new altogether', async () => {
    const root = await grow('a');
    expect(await range('HEAD')).toMatchObject({
      from: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      to: root,
      commits: 1,
      notes: [expect.stringMatching(/root commit/)],
    });
  });

  test('at the edge of a shallow clone it says what to fetch', async () => {
    await grow('a');
    const tip = await grow('b');
    repository.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const dir = await clone('--depth=1');
    const shallow = await problem('HEAD', dir);
    expect(shallow).toMatchObject({
      kind: 'unusable',
      hint: `git fetch --depth=2 origin ${tip} && counterproof prove HEAD`,
    });
    inClone(dir, ...(shallow.hint ?? '').split(' && ')[0]!.split(' ').slice(1));
    expect(await range('HEAD', dir)).toMatchObject({ to: tip, commits: 1 });
  });

  test('what is not here says so', async () => {
    await grow('a');
    expect(await problem('nowhere')).toMatchObject({
      kind: 'unusable',
      message: 'There is no commit nowhere here.',
      hint: 'git fetch --all --tags',
    });
    repository.git('update-ref', 'refs/remotes/origin/release', 'HEAD');
    expect(await problem('release..HEAD')).toMatchObject({ hint: 'write origin/release' });
    repository.git('switch', '--quiet', '--orphan', 'alone');
    await grow('b');
    expect(await problem('main..alone')).toMatchObject({
      message: 'main and alone have no common ancestor.',
      hint: 'counterproof prove --arms main alone',
    });
  });

  test('works from a folder inside the repository', async () => {
    const first = await grow('sub/a');
    const second = await grow('sub/b');
    expect(await range('HEAD', join(repository.dir, 'sub'))).toMatchObject({
      from: first,
      to: second,
    });
  });

  test('outside a repository it says that there is none', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'counterproof-plain-'));
    folders.push(dir);
    expect(await problem(null, dir)).toMatchObject({
      kind: 'unusable',
      hint: 'counterproof try FILE:LINE',
    });
  });
});

test('two whole trees are taken as they are', async () => {
  const a = await grow('a');
  repository.git('switch', '--quiet', '--orphan', 'alone');
  const b = await grow('b');
  expect(await exactRange(repository.dir, 'main', 'alone')).toMatchObject({
    ok: true,
    value: { text: 'main..alone', from: a, to: b },
  });
  expect(await exactRange(repository.dir, 'alone', b)).toMatchObject({
    ok: false,
    error: { kind: 'nothing' },
  });
});
