import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GitProblem } from '../../src/git/run.js';
import { dirtyFiles, topLevel, trackedFiles, treeId } from '../../src/git/tree.js';
import type { Result } from '../../src/result.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await repository.remove();
});

/** Every file under `.git` with its content's sum, and its time where git does not renew it. */
async function insideGit(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(join(dir, '.git'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const time = path.includes('/.git/objects/') ? '' : (await stat(path)).mtimeMs;
    const sum = createHash('sha256').update(await readFile(path));
    files[path] = `${sum.digest('hex')} ${time}`;
  }
  return files;
}

const value = async (result: Promise<Result<unknown, GitProblem>>): Promise<unknown> => {
  const done = await result;
  return done.ok ? done.value : done.error;
};

describe('the top of the tree', () => {
  test('is found from a folder inside it', async () => {
    await repository.put('a b/é/x', '');
    expect(await value(topLevel(join(repository.dir, 'a b', 'é')))).toBe(repository.dir);
  });

  test('outside of any repository there is none', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'counterproof-plain-'));
    expect(await value(topLevel(dir))).toEqual({ kind: 'no-repository', dir });
    await rm(dir, { recursive: true });
    expect(await value(topLevel(dir))).toEqual({ kind: 'no-repository', dir });
  });

  test('inside of git there is none', async () => {
    expect(await value(topLevel(join(repository.dir, '.git')))).toMatchObject({
      kind: 'no-repository',
    });
  });

  test('without git there is no answer', async () => {
    vi.stubEnv('PATH', join(repository.dir, 'nowhere'));
    expect(await value(topLevel(repository.dir))).toEqual({ kind: 'no-git' });
  });

  test('variables of a hook that is running do not redirect it', async () => {
    vi.stubEnv('GIT_DIR', join(repository.dir, 'elsewhere'));
    vi.stubEnv('GIT_WORK_TREE', '/');
    vi.stubEnv('GIT_INDEX_FILE', join(repository.dir, 'elsewhere'));
    expect(await value(topLevel(repository.dir))).toBe(repository.dir);
  });

  test('a repository of another user is named, with the way out', async () => {
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
    vi.stubEnv('GIT_CONFIG_COUNT', undefined);
    expect(await value(topLevel(repository.dir))).toEqual({
      kind: 'untrusted',
      dir: repository.dir,
      hint: `git config --global --add safe.directory ${JSON.stringify(repository.dir)}`,
    });
  });
});

describe('tracked files', () => {
  test('are named as they are, whatever their letters', async () => {
    await repository.put('a b.py', '');
    await repository.put('é\n"x".py', '');
    await repository.put('sub/c.py', '');
    repository.git('add', '--all');
    await repository.put('untracked.py', '');
    expect(await value(trackedFiles(repository.dir))).toEqual({
      paths: ['a b.py', 'sub/c.py', 'é\n"x".py'],
      notUtf8: [],
    });
  });

  test('names that are not UTF-8 come as bytes', async () => {
    const name = Buffer.from('caf\xe9', 'latin1');
    await writeFile(Buffer.concat([Buffer.from(`${repository.dir}/`), name]), '');
    repository.git('add', '--all');
    expect(await value(trackedFiles(repository.dir))).toEqual({ paths: [], notUtf8: [name] });
  });
});

test('dirty files are the changed and the untracked ones, not the ignored', async () => {
  await repository.put('.gitignore', 'ignored\n');
  for (const name of ['same', 'changed', 'staged', 'deleted', 'é']) await repository.put(name, 'a');
  repository.commit();
  for (const name of ['changed', 'staged', 'é', 'ignored', 'new/file', 'added']) {
    await repository.put(name, 'b');
  }
  repository.git('add', 'staged', 'added');
  await rm(join(repository.dir, 'deleted'));
  expect(await value(dirtyFiles(repository.dir))).toEqual({
    changed: ['added', 'changed', 'deleted', 'staged', 'é'],
    untracked: ['new/file'],
  });
});

/** What a commit of everything would have, made with the repository's own index. */
const committed = () => {
  repository.commit();
  return repository.git('rev-parse', 'HEAD^{tree}');
};

describe('the id of the tree', () => {
  test('is the one that a commit of everything has, and nothing is written for it', async () => {
    await repository.put('.gitignore', 'ignored\n');
    await repository.put('a', 'a');
    await repository.put('gone', 'a');
    repository.commit();
    await repository.put('a', 'b');
    await repository.put('new/é', 'c');
    await repository.put('ignored', 'd');
    await rm(join(repository.dir, 'gone'));
    await symlink('a', join(repository.dir, 'link'));
    const before = await insideGit(repository.dir);
    const id = await value(treeId(repository.dir));
    expect(await insideGit(repository.dir)).toEqual(before);
    expect(id).toBe(committed());
  });

  test('starts no hook of the user', async () => {
    await repository.put('a.txt', 'one\n');
    repository.commit();
    const told = join(repository.dir, '.git', 'told');
    const hook = join(repository.dir, '.git', 'hooks', 'post-index-change');
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\ntouch '${told}'\n`, { mode: 0o755 });
    await repository.put('a.txt', 'two\n');
    await value(treeId(repository.dir));
    await expect(stat(told)).rejects.toThrow('ENOENT');
  });

  test('before the first commit, and with nothing in the tree', async () => {
    expect(await value(treeId(repository.dir))).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    await repository.put('a', 'a');
    const id = await value(treeId(repository.dir));
    expect(id).toBe(committed());
  });

  test('does not depend on what is staged', async () => {
    await repository.put('a', 'a');
    repository.commit();
    await repository.put('a', 'b');
    const id = await value(treeId(repository.dir));
    repository.git('add', 'a');
    expect(await value(treeId(repository.dir))).toBe(id);
  });

  test('sees an edit of the same size in the second in which the index was written', async () => {
    await repository.put('a', 'a');
    repository.commit();
    const path = join(repository.dir, 'a');
    const index = join(repository.dir, '.git', 'index');
    // The worst case: file system and index agree to the second, and only the content differs.
    repository.git('config', 'core.checkStat', 'minimal');
    repository.git('config', 'core.trustctime', 'false');
    const second = Math.floor(Date.now() / 1000) - 100;
    await utimes(path, second, second);
    repository.git('update-index', '--refresh');
    await utimes(index, second, second);
    await writeFile(path, 'b');
    await utimes(path, second, second);
    const id = await value(treeId(repository.dir));
    expect(id).not.toBe(repository.git('rev-parse', 'HEAD^{tree}'));
  });

  test('in a worktree whose git folder lies elsewhere', async () => {
    await repository.put('a', 'a');
    repository.commit();
    const other = join(repository.dir, 'other: "tree"');
    repository.git('worktree', 'add', '--quiet', other, 'HEAD');
    await writeFile(join(other, 'b'), 'b');
    const id = await value(treeId(other));
    repository.git('-C', other, 'add', '--all');
    expect(id).toBe(repository.git('-C', other, 'write-tree'));
  });

  test('in a repository whose path holds a colon', async () => {
    const dir = join(repository.dir, 'a:b');
    await mkdir(dir);
    repository.git('-C', dir, 'init', '--quiet');
    await writeFile(join(dir, 'a'), 'a');
    // Old enough that git trusts the index, so that the object is found in the repository alone.
    await utimes(join(dir, 'a'), 1_600_000_000, 1_600_000_000);
    repository.git('-C', dir, 'add', '--all');
    expect(await value(treeId(dir))).toBe(repository.git('-C', dir, 'write-tree'));
  });

  test('leaves nothing in the temporary folder', async () => {
    const scratch = join(repository.dir, 'scratch');
    await mkdir(scratch);
    vi.stubEnv('TMPDIR', scratch);
    await value(treeId(repository.dir));
    expect(await readdir(scratch)).toEqual([]);
  });

  test('is no error without a repository', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'counterproof-plain-'));
    expect(await value(treeId(dir))).toEqual({ kind: 'no-repository', dir });
    await rm(dir, { recursive: true });
  });
});
