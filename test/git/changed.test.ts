import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { symlink, chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { changedFiles, type ChangedFile } from '../../src/git/changed.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(() => repository.remove());

async function changed(from: string, to: string | null): Promise<readonly ChangedFile[]> {
  const found = await changedFiles(repository.dir, from, to);
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value.files;
}

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index}`);
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('the runs of changed lines', () => {
  test('are maximal and finer than hunks with context, whatever the settings say', async () => {
    repository.git('config', 'diff.context', '8');
    repository.git('config', 'diff.interHunkContext', '9');
    repository.git('config', 'diff.noprefix', 'true');
    repository.git('config', 'diff.external', 'false');
    repository.git('config', 'diff.relative', 'true');
    await repository.put('a b', textOf(LINES));
    const first = repository.commit();
    const fresh = ['top', ...LINES.slice(0, 3), 'changed', ...LINES.slice(4, 6), ...LINES.slice(8)];
    await repository.put('a b', textOf(fresh));
    const expected = [
      {
        oldPath: 'a b',
        path: 'a b',
        oldKind: 'file',
        kind: 'file',
        modeChanged: false,
        isBinary: false,
        runs: [
          { old: { from: 0, to: 0 }, fresh: { from: 0, to: 1 } },
          { old: { from: 3, to: 4 }, fresh: { from: 4, to: 5 } },
          { old: { from: 6, to: 8 }, fresh: { from: 7, to: 7 } },
        ],
      },
    ];
    expect(await changed(first, null)).toEqual(expected);
    expect(await changed(first, repository.commit())).toEqual(expected);
  });

  test('hold a last line that only lost its newline, and text that looks like a header', async () => {
    await repository.put('a', 'x\ny\n');
    const first = repository.commit();
    await repository.put('a', 'diff --git a/b b/b\n@@ -1 +1 @@\ny');
    expect((await changed(first, null)).map(({ runs }) => runs)).toEqual([
      [{ old: { from: 0, to: 2 }, fresh: { from: 0, to: 3 } }],
    ]);
  });
});

test('files that came, went, moved, changed their mode, are binary, links or of another kind', async () => {
  await repository.put('gone', textOf(LINES));
  await repository.put('old/name', textOf(LINES.map((line) => `${line}!`)));
  await repository.put('mode', 'x\n');
  await repository.put('binary', Buffer.from([0, 1, 2]));
  await repository.put('becomes-link', 'x\n');
  await symlink('mode', join(repository.dir, 'link'));
  const first = repository.commit();
  await rm(join(repository.dir, 'gone'));
  repository.git('mv', 'old', 'new');
  await repository.put('new/name', textOf([...LINES.map((line) => `${line}!`), 'more']));
  await chmod(join(repository.dir, 'mode'), 0o755);
  await repository.put('binary', Buffer.from([0, 1, 3]));
  await rm(join(repository.dir, 'link'));
  await symlink('gone', join(repository.dir, 'link'));
  await rm(join(repository.dir, 'becomes-link'));
  await symlink('mode', join(repository.dir, 'becomes-link'));
  await repository.put('fresh', 'x\n');
  const second = repository.commit();
  const told = (await changed(first, second)).map((file) => ({
    paths: [file.oldPath, file.path],
    kinds: [file.oldKind, file.kind],
    runs: file.runs.length,
    ...(file.isBinary ? { isBinary: true } : {}),
    ...(file.modeChanged ? { modeChanged: true } : {}),
  }));
  expect(told).toEqual([
    { paths: ['becomes-link', 'becomes-link'], kinds: ['file', 'link'], runs: 0 },
    { paths: ['binary', 'binary'], kinds: ['file', 'file'], runs: 0, isBinary: true },
    { paths: [null, 'fresh'], kinds: [null, 'file'], runs: 1 },
    { paths: ['gone', null], kinds: ['file', null], runs: 1 },
    { paths: ['link', 'link'], kinds: ['link', 'link'], runs: 1 },
    { paths: ['mode', 'mode'], kinds: ['file', 'file'], runs: 0, modeChanged: true },
    { paths: ['old/name', 'new/name'], kinds: ['file', 'file'], runs: 1 },
  ]);
});

test('a submodule is one', async () => {
  await repository.put('a', 'x\n');
  const first = repository.commit();
  repository.git('update-index', '--add', '--cacheinfo', `160000,${first},sub`);
  repository.git('commit', '--quiet', '-m', 'x');
  expect(await changed(first, repository.git('rev-parse', 'HEAD'))).toMatchObject([
    { oldPath: null, path: 'sub', kind: 'submodule' },
  ]);
});
