import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyTemporary, targetFolder } from '../../../src/lane/cargo/target-folder.js';

function home(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cp-home-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const folderOf = async (
  owner: Partial<Parameters<typeof targetFolder>[0]>,
  env: Record<string, string>,
): Promise<string> => {
  const found = await targetFolder({ tree: '/w/one', lane: 'unit', slot: 0, ...owner }, env);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
};

test('every tree, lane and slot builds in a folder of its own, the same in every run', async () => {
  const env = { XDG_CACHE_HOME: home() };
  const folders = await Promise.all(
    [
      {},
      { tree: '/w/two' },
      { lane: 'unit.1' },
      { lane: 'Unit' },
      { lane: 'unit/1' },
      { lane: 'unit 1' },
      { slot: 1 },
      { lane: '..' },
    ].map((owner) => folderOf(owner, env)),
  );
  expect(new Set(folders).size).toBe(folders.length);
  for (const folder of folders) {
    expect(folder.startsWith(`${env.XDG_CACHE_HOME}/counterproof/`)).toBe(true);
    expect(existsSync(folder)).toBe(true);
  }
  expect(await folderOf({}, env)).toBe(folders[0]);
});

test.each([
  ['XDG_CACHE_HOME', (top: string) => ({ XDG_CACHE_HOME: `${top}/c`, HOME: '/h' }), 'c'],
  ['HOME, where that is relative', (top: string) => ({ XDG_CACHE_HOME: 'c', HOME: top }), '.cache'],
  ['HOME, where that is not set', (top: string) => ({ HOME: top }), '.cache'],
])('it lies under %s', async (_, environment, expected) => {
  const top = home();
  expect(await folderOf({}, environment(top))).toMatch(
    new RegExp(`^${top}/${expected}/counterproof/[0-9a-f]+/cargo/unit$`),
  );
});

test('it lies under the folder for temporary files where the cache cannot be written', async () => {
  const top = home();
  writeFileSync(path.join(top, 'file'), '');
  const folder = await folderOf({ tree: top }, { XDG_CACHE_HOME: path.join(top, 'file') });
  onTestFinished(() => {
    rmSync(path.dirname(path.dirname(folder)), { recursive: true });
  });
  expect(folder.startsWith(path.join(tmpdir(), 'counterproof-cache-'))).toBe(true);
});

test('it never lies in the tree', async () => {
  const tree = home();
  mkdirSync(path.join(tree, 'cache'));
  const folder = await folderOf({ tree }, { XDG_CACHE_HOME: path.join(tree, 'cache') });
  onTestFinished(() => {
    rmSync(path.dirname(path.dirname(folder)), { recursive: true });
  });
  expect(folder.startsWith(tree)).toBe(false);
});

test('of what it holds only the folders of tests are emptied, and they stay', async () => {
  const target = home();
  const files = ['tmp/kept', 'tmp/deep/er/kept', 'x86_64-unknown-linux-gnu/tmp/kept', 'debug/x.d'];
  for (const file of files) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    writeFileSync(path.join(target, file), '');
  }
  await emptyTemporary(target);
  expect(readdirSync(target, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'debug',
    'debug/x.d',
    'tmp',
    'x86_64-unknown-linux-gnu',
    'x86_64-unknown-linux-gnu/tmp',
  ]);
  await emptyTemporary(path.join(target, 'not-there'));
});
