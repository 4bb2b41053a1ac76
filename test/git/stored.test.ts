import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stagedFile } from '../../src/git/stored.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
  await repository.put('a[1].py', 'old\n');
  repository.commit();
});
afterEach(() => repository.remove());

test('a staged file is read from the index, and one that is not in it is known to be absent', async () => {
  const { dir, git, put } = repository;
  await put('a[1].py', 'new\n');
  git('add', '--all');
  expect(String(await stagedFile(dir, 'a[1].py'))).toBe('new\n');
  git('rm', '--quiet', '--cached', 'a[1].py');
  expect(await stagedFile(dir, 'a[1].py')).toBeNull();
});

test('where git fails, nothing is known of the file', async () => {
  const { dir, git, put } = repository;
  await put('a[1].py', 'new\n');
  git('add', '--all');
  const blob = git('rev-parse', ':a[1].py');
  await rm(join(dir, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  expect(await stagedFile(dir, 'a[1].py')).toBe('unknown');
  await writeFile(join(dir, '.git/index'), 'no index');
  expect(await stagedFile(dir, 'a[1].py')).toBe('unknown');
});
