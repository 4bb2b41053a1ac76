import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveTarget } from '../../src/mutation/target.js';

let base: string;
let tree: string;
let root: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'counterproof with späces ')));
  tree = join(base, 'tree');
  root = join(tree, 'sub project');
  await mkdir(root, { recursive: true });
  await mkdir(join(tree, '.git'));
  await mkdir(join(tree, '.counterproof'));
  await writeFile(join(root, 'a.py'), 'a\n');
  await writeFile(join(tree, 'top.py'), 'top\n');
  await writeFile(join(tree, '.git', 'config'), 'x');
  await writeFile(join(tree, '.counterproof', 'x'), 'x');
  await writeFile(join(base, 'outside.py'), 'x');
});

afterEach(() => rm(base, { recursive: true, force: true }));

const find = async (file: string) => {
  const result = await resolveTarget({ tree, root }, file);
  return result.ok
    ? { path: result.value.path, text: result.value.bytes?.toString() ?? null }
    : result.error;
};
const refused = (why: string) => ({ kind: 'refused', why: expect.stringContaining(why) });

const readFile = () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }));

describe('a path of a spec', () => {
  test('is relative to the root, and the answer to the tree', async () => {
    expect(await find('a.py')).toEqual({ path: 'sub project/a.py', text: 'a\n' });
    expect(await find('../top.py')).toEqual({ path: 'top.py', text: 'top\n' });
  });

  test('of a file that does not exist yet', async () => {
    expect(await find('new/deep/b.py')).toEqual({ path: 'sub project/new/deep/b.py', text: null });
  });

  test('that is a link leads to the file behind it', async () => {
    await symlink('a.py', join(root, 'link.py'));
    await symlink(tree, join(root, 'up'));
    expect(await find('link.py')).toEqual({ path: 'sub project/a.py', text: 'a\n' });
    expect(await find('up/top.py')).toEqual({ path: 'top.py', text: 'top\n' });
    expect(await find('up/new.py')).toEqual({ path: 'new.py', text: null });
  });

  test('works where the tree itself is reached through a link', async () => {
    const link = join(base, 'link to tree');
    await symlink(tree, link);
    const result = await resolveTarget({ tree: link, root: join(link, 'sub project') }, 'a.py');
    expect(result).toMatchObject({ value: { path: 'sub project/a.py' } });
  });

  test.each([
    ['outside the tree', '../../outside.py', 'outside the tree'],
    ['a new file outside the tree', '../../new.py', 'outside the tree'],
    ['the tree itself', '..', 'outside the tree'],
    ['absolute', '/etc/hosts', 'absolute'],
    ['empty', '', 'no file name'],
    ['with a NUL', 'a\0.py', 'no file name'],
    ["git's own", '../.git/config', '.git'],
    ["a new file of git's", '../.git/hooks/x', '.git'],
    ['another case of the same name', '../.GIT/x', '.GIT'],
    ['our own', '../.counterproof/x', '.counterproof'],
    ['a folder', '../sub project', 'a folder'],
    ['under a file', 'a.py/b.py', 'under a file'],
    ['new under a file', 'a.py/b/c.py', 'under a file'],
  ])('is refused: %s', async (_, file, why) => {
    expect(await find(file)).toMatchObject(refused(why));
  });

  test('is refused where a link leads out of the tree', async () => {
    await symlink(join(base, 'outside.py'), join(root, 'out.py'));
    await symlink(base, join(root, 'out'));
    expect(await find('out.py')).toMatchObject(refused('where a symbolic link leads'));
    expect(await find('out/new.py')).toMatchObject(refused('outside the tree'));
  });

  test('is refused where a link leads nowhere or to itself', async () => {
    await symlink('gone.py', join(root, 'dangling.py'));
    await symlink('gone', join(root, 'dangling'));
    await symlink('loop.py', join(root, 'loop.py'));
    expect(await find('dangling.py')).toMatchObject(refused('does not exist'));
    expect(await find('dangling/a.py')).toMatchObject(refused('does not exist'));
    expect(await find('loop.py')).toMatchObject(refused('back to itself'));
  });

  test('is refused for a pipe, without waiting for somebody to write into it', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await find('pipe')).toMatchObject(refused('no regular file'));
  });

  test('is refused for a socket', async () => {
    const server = createServer();
    // Socket names are limited to 107 bytes, so a short one, relative to the working folder.
    const place = await mkdtemp(join(tmpdir(), 'cp-'));
    await new Promise<void>((done) => server.listen(join(place, 's'), done));
    const result = await resolveTarget({ tree: place, root: place }, 's');
    await new Promise((done) => server.close(done));
    await rm(place, { recursive: true, force: true });
    expect(result).toMatchObject({ error: refused('no regular file') });
  });

  test('is refused where it cannot be read', async () => {
    expect(await resolveTarget({ tree, root, readFile }, 'a.py')).toMatchObject({
      error: refused('EACCES'),
    });
  });
});
