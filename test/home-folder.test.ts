import { existsSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cacheHome, homeFolder, makeFolders, stateHome } from '../src/home-folder.js';

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cp-home-'));
});
afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

it('home is what HOME says, where that does not depend on where we stand', () => {
  expect(homeFolder({ HOME: '/somewhere' })).toBe('/somewhere');
  for (const HOME of [undefined, '', 'here']) expect(homeFolder({ HOME })).toBe(userInfo().homedir);
});

it('folders for caches and for state lie there, or where an absolute path says', () => {
  const named = { HOME: '/h', XDG_CACHE_HOME: '/c', XDG_STATE_HOME: '/s' };
  expect([cacheHome(named), stateHome(named)]).toEqual(['/c', '/s']);
  for (const path of [undefined, '', 'here']) {
    const unnamed = { HOME: '/h', XDG_CACHE_HOME: path, XDG_STATE_HOME: path };
    expect([cacheHome(unnamed), stateHome(unnamed)]).toEqual(['/h/.cache', '/h/.local/state']);
  }
});

it('folders are made with those above them, and may be there', async () => {
  const folder = join(top, 'a', 'b', 'c');
  await Promise.all([makeFolders(folder, 0o700), makeFolders(folder, 0o700)]);
  await makeFolders(folder, 0o700);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  await makeFolders('/', 0o700);
});

it('a file in the way is an error', async () => {
  writeFileSync(join(top, 'file'), '');
  await expect(makeFolders(join(top, 'file'), 0o700)).rejects.toThrow('EEXIST');
  await expect(makeFolders(join(top, 'file', 'a'), 0o700)).rejects.toThrow('ENOTDIR');
});

it.runIf(existsSync('/proc/self'))(
  'below a folder that takes none it comes to an end',
  async () => {
    await expect(makeFolders('/proc/nope/a/b', 0o700)).rejects.toThrow('ENOENT');
  },
);
