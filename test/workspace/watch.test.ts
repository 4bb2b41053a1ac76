import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { leftoversSince, untrackedSnapshot } from '../../src/workspace/leftovers.js';
import { openWatch } from '../../src/workspace/watch.js';
import { edit, FILES, makeBench, must, open } from './helpers.js';

vi.setConfig({ testTimeout: 300_000 });

const none = (): ReadonlySet<string> => new Set();

describe('a touched file is seen:', () => {
  const touches: [string, (path: string) => void][] = [
    ['written', (path) => writeFileSync(path, 'longer content')],
    [
      'written with the same size and its time set back',
      (path) => {
        const { atime, mtime } = lstatSync(path);
        writeFileSync(path, 'Untouched\n');
        utimesSync(path, atime, mtime);
      },
    ],
    [
      'replaced by rename',
      (path) => {
        writeFileSync(`${path}~`, 'untouched\n');
        renameSync(`${path}~`, path);
      },
    ],
    ['deleted', (path) => rmSync(path)],
    ['made executable', (path) => chmodSync(path, 0o755)],
    [
      'replaced by a link',
      (path) => {
        rmSync(path);
        symlinkSync('a.py', path);
      },
    ],
  ];
  test.each(touches)('%s', async (_, touch) => {
    for (const files of [Object.keys(FILES), null]) {
      const { tree } = makeBench();
      const watch = await openWatch({ tree, files, own: none });
      expect(await watch.changed()).toEqual([]);
      touch(join(tree, 'other.txt'));
      expect(await watch.changed()).toEqual(['other.txt']);
      await watch.snapshot();
      expect(await watch.changed()).toEqual([]);
    }
  });
});

describe('files of our own are compared by sum:', () => {
  test('a restored file has not changed, a written one has', async () => {
    const bench = makeBench();
    const { tree } = bench;
    const own = new Set(['a.py', 'not-tracked.py']);
    const watch = await openWatch({ tree, files: Object.keys(FILES), own: () => own });
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(tree, 'a.py', 'x')]));
    expect(await watch.changed()).toEqual(['a.py']);
    await workspace.restore();
    expect(await watch.changed()).toEqual([]);
    writeFileSync(join(tree, 'a.py'), 'def f():\n    return 3\n');
    expect(await watch.changed()).toEqual(['a.py']);
  });

  test('one that was named after the snapshot is known by inode, size and time', async () => {
    const bench = makeBench();
    const { tree } = bench;
    const own = new Set<string>();
    const watch = await openWatch({ tree, files: Object.keys(FILES), own: () => own });
    own.add('a.py');
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(tree, 'a.py', 'x')]));
    await workspace.restore();
    expect(await watch.changed()).toEqual([]);
    writeFileSync(join(tree, 'a.py'), 'y');
    expect(await watch.changed()).toEqual(['a.py']);
  });
});

test('without git, what is no source does not count', async () => {
  const { tree } = makeBench({ 'a.py': 'a', 'env/pyvenv.cfg': '', 'target/CACHEDIR.TAG': '' });
  const watch = await openWatch({ tree, files: null, own: none });
  for (const path of [
    'env/lib.py',
    'target/x',
    '__pycache__/a.pyc',
    'node_modules/m.js',
    '.git/index',
    '.counterproof/journal/x',
  ]) {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    writeFileSync(join(tree, path), 'new');
  }
  expect(await watch.changed()).toEqual([]);
});

test('5,000 files are compared without blocking others for long', async () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 5000; n++) files[`d${n % 50}/f${n}`] = '';
  const { tree } = makeBench(files);
  const watch = await openWatch({ tree, files: Object.keys(files), own: none });
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  expect(await watch.changed()).toEqual([]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

describe('leftovers', () => {
  test('are untracked files and folders that are new, rewritten or gone', async () => {
    const bench = makeBench({ ...FILES, 'old.log': '1', 'away.log': '1', 'same.log': '1' });
    const { tree } = bench;
    const options = { tree, tracked: new Set(Object.keys(FILES)) };
    const before = await untrackedSnapshot(options);
    writeFileSync(join(tree, 'x.lock'), '');
    writeFileSync(join(tree, 'old.log'), '12');
    writeFileSync(join(tree, 'a.py'), 'tracked, not ours to tell');
    mkdirSync(join(tree, '__pycache__'));
    writeFileSync(join(tree, '__pycache__/a.pyc'), '');
    mkdirSync(join(tree, 'lock.d'));
    rmSync(join(tree, 'away.log'));
    expect(await leftoversSince(before, options)).toEqual([
      'away.log',
      'lock.d/',
      'old.log',
      'x.lock',
    ]);
  });

  test('are none of our own files', async () => {
    const bench = makeBench();
    const options = { tree: bench.tree, tracked: new Set(Object.keys(FILES)) };
    const before = await untrackedSnapshot(options);
    must(await (await open(bench)).apply('m', [edit(bench.tree, 'a.py', 'x')]));
    expect(await leftoversSince(before, options)).toEqual([]);
  });
});
