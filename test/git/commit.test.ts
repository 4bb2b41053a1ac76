import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { headCommit, resolveCommit, sameAsCommit, showFile } from '../../src/git/commit.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await repository.remove();
});

const ABSENT = '0123456789012345678901234567890123456789';
const BYTES = Buffer.from('\xff\xfe\r\n\0caf\xe9\n\n', 'latin1');

describe('the commit that is checked out', () => {
  test('is its whole id', async () => {
    const id = repository.commit();
    expect(await headCommit(repository.dir)).toEqual({ ok: true, value: id });
  });

  test('is null before the first one', async () => {
    expect(await headCommit(repository.dir)).toEqual({ ok: true, value: null });
  });

  test('is no error without a repository', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'counterproof-plain-'));
    expect(await headCommit(dir)).toEqual({ ok: false, error: { kind: 'no-repository', dir } });
    await rm(dir, { recursive: true });
  });
});

describe('a revision', () => {
  test('is resolved from an id, its beginning, a tag and an annotated tag', async () => {
    const id = repository.commit();
    repository.git('tag', 'light');
    repository.git('tag', '--annotate', '--message=x', 'heavy');
    for (const rev of [id, id.slice(0, 8), 'light', 'heavy', 'HEAD', 'main']) {
      expect(await resolveCommit(repository.dir, rev)).toEqual({ ok: true, value: id });
    }
  });

  test.each([
    ['a whole id', ABSENT, `git fetch origin ${ABSENT}`],
    ['the beginning of one', ABSENT.slice(0, 8), 'git fetch --all'],
    ['a name', 'v9', 'git fetch --all --tags'],
    ['what looks like an option', '--all', 'a revision does not begin with -: write all'],
    ['what is not in a branch', '^main', 'a revision does not begin with ^: write main'],
    ['nothing but a mark', '^', 'a revision does not begin with ^: write a commit'],
    ['a folder', 'HEAD^{tree}', 'it is the content of a folder (tree): write a commit'],
    ['a file', 'HEAD:.gitattributes', 'it is the content of a file (blob): write a commit'],
    ['a path', 'HEAD:a', 'git fetch --all --tags'],
    ['an empty text', '', 'git fetch --all --tags'],
  ])('that is not here says what to do: %s', async (_, rev, hint) => {
    await repository.put('.gitattributes', '');
    repository.commit();
    expect(await resolveCommit(repository.dir, rev)).toEqual({
      ok: false,
      error: { kind: 'no-revision', rev, hint },
    });
  });

  test('that a shallow clone lacks says how to deepen it', async () => {
    const old = repository.commit();
    repository.commit();
    const clone = join(repository.dir, 'clone');
    repository.git('clone', '--quiet', '--depth=1', `file://${repository.dir}`, clone);
    expect(await resolveCommit(clone, old)).toMatchObject({
      error: {
        kind: 'no-revision',
        hint: `this clone is shallow: git fetch --depth=1 origin ${old}`,
      },
    });
    expect(await resolveCommit(clone, 'v1')).toMatchObject({
      error: { hint: 'this clone is shallow: git fetch --unshallow --tags' },
    });
  });
});

describe('a file of a revision', () => {
  test('comes byte by byte, whatever the tree holds now', async () => {
    await repository.put('sub dir/é*.bin', BYTES);
    const id = repository.commit();
    await repository.put('sub dir/é*.bin', 'changed');
    expect(await showFile(repository.dir, id, 'sub dir/é*.bin')).toEqual({
      ok: true,
      value: BYTES,
    });
  });

  test('has the line ends that a checkout would give it', async () => {
    await repository.put('.gitattributes', '*.txt text eol=crlf\n');
    await repository.put('a.txt', 'a\r\nb\r\n');
    const id = repository.commit();
    expect(repository.git('cat-file', 'blob', 'HEAD:a.txt')).toBe('a\nb');
    expect(await showFile(repository.dir, id, 'a.txt')).toEqual({
      ok: true,
      value: Buffer.from('a\r\nb\r\n'),
    });
  });

  test('may have a name that git could take for a pattern', async () => {
    await repository.put(':(top)a[b]', 'a');
    const id = repository.commit();
    expect(await showFile(repository.dir, id, ':(top)a[b]')).toMatchObject({ ok: true });
  });

  test('an empty one is empty', async () => {
    await repository.put('a', '');
    expect(await showFile(repository.dir, repository.commit(), 'a')).toEqual({
      ok: true,
      value: Buffer.alloc(0),
    });
  });

  test.each([
    ['that does not exist', 'gone', 'does not exist'],
    ['that is a folder', 'dir', 'is a folder'],
    ['that is a link', 'link', 'symbolic link'],
    ['named by a pattern', 'dir/*', 'does not exist'],
  ])('%s', async (_, path, why) => {
    await repository.put('dir/a', 'a');
    await symlink('dir/a', join(repository.dir, 'link'));
    const id = repository.commit();
    expect(await showFile(repository.dir, id, path)).toMatchObject({
      ok: false,
      error: { kind: 'no-file', path, why: expect.stringContaining(why) },
    });
  });

  test('that a partial clone lacks is not fetched, but named', async () => {
    await repository.put('a', 'old');
    const old = repository.commit();
    await repository.put('a', 'new');
    repository.commit();
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(repository.dir, 'clone');
    repository.git('clone', '--quiet', '--filter=blob:none', `file://${repository.dir}`, clone);
    execFileSync('git', ['remote', 'set-url', 'origin', 'file:///nowhere'], { cwd: clone });
    expect(await showFile(clone, old, 'a')).toMatchObject({
      ok: false,
      error: { kind: 'no-revision', hint: expect.stringContaining('partial') },
    });
  });

  test('needs the revision first', async () => {
    repository.commit();
    expect(await showFile(repository.dir, ABSENT, 'a')).toMatchObject({
      error: { kind: 'no-revision' },
    });
  });
});

describe('files that hold what a commit holds', () => {
  test('are those with its bytes and mode, wherever branch and index have moved', async () => {
    const { dir, put, git } = repository;
    const names = [
      'same.txt',
      'mit leer ü.txt',
      'other.txt',
      'mode.sh',
      'gone.txt',
      'link',
      'late',
    ];
    for (const name of names.slice(0, 5)) await put(name, 'as it was\n');
    await symlink('same.txt', join(dir, 'link'));
    const commit = repository.commit();
    for (const name of ['same.txt', 'mit leer ü.txt']) await put(name, 'as it was\n');
    await put('other.txt', 'as it is!\n');
    await put('late', 'x\n');
    await chmod(join(dir, 'mode.sh'), 0o755);
    await rm(join(dir, 'gone.txt'));
    git('add', '--all');
    git('commit', '--quiet', '--message=later');

    expect([...(await sameAsCommit(dir, commit, names))].toSorted()).toEqual([
      'mit leer ü.txt',
      'same.txt',
    ]);
  });

  test('are unknown where git converts them', async () => {
    const { dir, put } = repository;
    await put('.gitattributes', '*.txt text eol=crlf\n');
    await put('a.txt', 'one\r\n');
    expect(await sameAsCommit(dir, repository.commit(), ['a.txt'])).toEqual(new Set());
  });
});
