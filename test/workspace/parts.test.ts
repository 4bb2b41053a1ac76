import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  assertSumOfContent,
  checksum,
  EMPTY_SHA256,
  sha256,
  shortSum,
} from '../../src/workspace/checksum.js';
import { parseMountInfo } from '../../src/workspace/mounts.js';
import { besideNames, isBesideName, pathProblem } from '../../src/workspace/names.js';
import { identify, lifeOf } from '../../src/workspace/owner.js';
import { leaveStateFolders, stateFolders } from '../../src/workspace/state-folder.js';
import { findTree } from '../../src/workspace/tree.js';
import { makeBench } from './helpers.js';

describe('checksum', () => {
  test('is SHA-256 from disk, null for an absent file', async () => {
    const { tree } = makeBench({ 'a b': 'abc', empty: '' });
    expect(await checksum(join(tree, 'a b'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(await checksum(join(tree, 'empty'))).toBe(EMPTY_SHA256);
    expect(await checksum(join(tree, 'none'))).toBeNull();
    expect(await checksum(join(tree, 'a b/none'))).toBeNull();
  });

  test('of empty input never stands for a file with content', () => {
    expect(sha256(Buffer.alloc(0))).toBe(EMPTY_SHA256);
    expect(() => assertSumOfContent(EMPTY_SHA256, 1, 'a.py')).toThrow('Internal error');
    expect(() => assertSumOfContent(EMPTY_SHA256, 0, 'a.py')).not.toThrow();
  });

  test('is shown with 16 digits', () => {
    expect(shortSum(EMPTY_SHA256)).toBe('e3b0c44298fc1c14');
  });
});

describe('paths that may be written', () => {
  test.each(['a', '-rf', 'a/b c', 'ü/x', '..a', 'a/.gitignore', '.counterproofs/x', 'x.git'])(
    '%s',
    (path) => {
      expect(pathProblem(path)).toBeNull();
    },
  );
  test.each([
    '',
    '.',
    '..',
    '../a',
    'a/../b',
    '/a',
    'a/',
    'a//b',
    './a',
    'a\0',
    '.git/x',
    'sub/.git/x',
    '.GIT/x',
    '.counterproof/x',
    'x\uFFFD',
  ])('not %j', (path) => {
    expect(pathProblem(path)).not.toBeNull();
  });
});

test('names beside a file are dotted, short, recognised, and no source for anybody', () => {
  for (const path of ['a.py', 'd/test_x.py', 'ü'.repeat(127), `d/${'x'.repeat(255)}`]) {
    for (const name of Object.values(besideNames(path, '0123abcd'))) {
      const base = name.slice(name.lastIndexOf('/') + 1);
      expect(name.slice(0, name.lastIndexOf('/') + 1)).toBe(
        path.slice(0, path.lastIndexOf('/') + 1),
      );
      expect(base).toMatch(/^\..*counterproof-[a-z]+$/);
      expect(Buffer.byteLength(base)).toBeLessThanOrEqual(143);
      expect(isBesideName(base)).toBe(true);
      expect(Buffer.from(base).toString()).toBe(base);
    }
  }
  expect(isBesideName('.a.py.counterproof-new')).toBe(false);
});

const line = (point: string): string =>
  `36 35 98:0 /r ${point} rw,noatime master:1 - ext3 /dev/root rw`;

test('mount points are read with their escapes', () => {
  const text = [line('/mnt/a\\040b'), line('/x\\134y'), ''].join('\n');
  expect([...parseMountInfo(text)]).toEqual(['/mnt/a b', '/x\\y']);
});

describe('the life of a process', () => {
  const self = identify();
  test.each([
    ['this one', self, 'alive'],
    ['one with another start time', { ...self, start: '1' }, 'dead'],
    ['one of an earlier boot', { ...self, boot: 'other' }, 'dead'],
    ['one in another pid namespace', { ...self, namespace: 'pid:[1]' }, 'unknown'],
    ['one on another machine', { ...self, host: `${hostname()}x` }, 'unknown'],
    ['a number that nothing has', { ...self, pid: 2 ** 22 + 1 }, 'dead'],
    ['one whose start is not known', { ...self, start: null }, 'alive'],
  ] as const)('%s', (_, identity, life) => {
    expect(lifeOf(identity)).toBe(life);
  });
});

describe('the tree', () => {
  test('is the git top level, the root relative to it, both without symlinks', async () => {
    const { tree } = makeBench();
    symlinkSync(tree, `${tree} link`);
    mkdirSync(join(tree, 'pkg/deep ü'));
    expect(await findTree(join(`${tree} link`, 'pkg/deep ü'), tree)).toEqual({
      tree,
      root: 'pkg/deep ü',
    });
    expect(await findTree(`${tree} link`, `${tree} link`)).toEqual({ tree, root: '.' });
  });

  test('is the root without git, or where git means another project', async () => {
    const { tree } = makeBench();
    expect(await findTree(tree, null)).toEqual({ tree, root: '.' });
    expect(await findTree(tree, join(tree, 'pkg'))).toEqual({ tree, root: '.' });
    mkdirSync(`${tree}-sibling`);
    expect(await findTree(`${tree}-sibling`, tree)).toEqual({ tree: `${tree}-sibling`, root: '.' });
  });
});

const at = (environment: NodeJS.ProcessEnv): string | undefined =>
  stateFolders('/t', environment).candidates[0];

describe('the place outside the tree', () => {
  test('is under XDG_STATE_HOME where it is absolute, else under HOME', () => {
    expect(at({ HOME: '/h' })).toMatch(/^\/h\/\.local\/state\/counterproof\/[0-9a-f]{16}$/);
    expect(at({ HOME: '/h', XDG_STATE_HOME: '/s' })).toMatch(/^\/s\/counterproof\//);
    expect(at({ HOME: '/h', XDG_STATE_HOME: 's' })).toMatch(/^\/h\//);
    expect(at({ HOME: '/h', XDG_STATE_HOME: '' })).toMatch(/^\/h\//);
  });

  test('is never inside the tree, nor below a file', async () => {
    const { tree } = makeBench();
    const inside = stateFolders(tree, { HOME: tree });
    expect(await inside.problem(inside.candidates[0] ?? '')).toContain('inside the tree');
    writeFileSync(`${tree}.file`, '');
    const below = stateFolders(tree, { HOME: `${tree}.file` });
    expect(await below.problem(below.candidates[0] ?? '')).not.toBeNull();
  });

  test('is left as it was found, unless something lies in it', async () => {
    const { tree } = makeBench();
    const environment = { XDG_STATE_HOME: `${tree}.state` };
    const folders = stateFolders(tree, environment);
    const [folder = ''] = folders.candidates;
    expect(await folders.problem(folder)).toBeNull();
    writeFileSync(join(folder, 'original'), '');
    await leaveStateFolders(tree, environment);
    expect(existsSync(folder)).toBe(true);
    rmSync(join(folder, 'original'));
    await leaveStateFolders(tree, environment);
    expect(readdirSync(`${tree}.state`)).toEqual([]);
  });
});
