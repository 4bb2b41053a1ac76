import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layOut, takeAway } from '../../src/git/worktree.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
let apart: string;
let commit: string;
beforeEach(async () => {
  repository = await createRepository();
  apart = await realpath(await mkdtemp(join(tmpdir(), 'counterproof-apart-')));
  await repository.put('a.py', 'x = 1\n');
  commit = repository.commit();
});
afterEach(async () => {
  await repository.remove();
  await rm(apart, { recursive: true, force: true });
});

const worktrees = (): readonly string[] =>
  repository
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice('worktree '.length));

describe('a commit that is laid out', () => {
  test('lies there whole, and is forgotten afterwards', async () => {
    const folder = join(apart, 'made', 'commit');
    expect(await layOut(repository.dir, commit, folder)).toMatchObject({ ok: true });
    expect(await readFile(join(folder, 'a.py'), 'utf8')).toBe('x = 1\n');
    expect(worktrees()).toEqual([repository.dir, folder]);
    await takeAway(repository.dir, folder);
    expect(existsSync(folder)).toBe(false);
    expect(worktrees()).toEqual([repository.dir]);
  });

  test('costs nobody a worktree whose folder is away', async () => {
    const [away, folder] = [join(apart, 'away'), join(apart, 'commit')];
    repository.git('worktree', 'add', '--quiet', '--detach', away, commit);
    await rm(away, { recursive: true });
    await layOut(repository.dir, commit, folder);
    await takeAway(repository.dir, folder);
    expect(worktrees()).toEqual([repository.dir, away]);
  });

  test.each(['its folder is gone', 'its link is damaged', 'it was named by way of a link'])(
    'is forgotten where %s',
    async (how) => {
      const [away, real] = [join(apart, 'away'), join(apart, 'commit')];
      repository.git('worktree', 'add', '--quiet', '--detach', away, commit);
      await rm(away, { recursive: true });
      await symlink(apart, join(apart, 'link'));
      const folder = how.endsWith('link') ? join(apart, 'link', 'commit') : real;
      expect(await layOut(repository.dir, commit, folder)).toMatchObject({ ok: true });
      if (how.endsWith('gone')) await rm(folder, { recursive: true });
      else await writeFile(join(folder, '.git'), 'nonsense');
      await takeAway(repository.dir, folder);
      expect(existsSync(real)).toBe(false);
      expect(worktrees()).toEqual([repository.dir, away]);
    },
  );

  test.runIf(process.platform === 'linux')('is refused where no folder can be made', async () => {
    expect(await layOut(repository.dir, commit, '/proc/nope/a/commit')).toMatchObject({
      ok: false,
      error: {
        kind: 'failed',
        message: expect.stringMatching(/^\/proc\/nope\/a cannot be made: /),
      },
    });
  });
});
