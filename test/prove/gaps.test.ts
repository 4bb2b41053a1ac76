import { expect, test } from 'vitest';
import { wholeTrees } from '../../src/prove/arms.js';
import { changesOf } from '../../src/prove/changes.js';
import { PYTHON_FILES } from '../../src/prove/classify.js';
import { gapsOf } from '../../src/prove/proving.js';
import type { RangeFile } from '../../src/prove/read-fix.js';

const rules = { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES };

const created = (path: string, text = 'x = 1\n', rest: Partial<RangeFile> = {}): RangeFile => {
  const after = Buffer.from(text);
  return {
    change: {
      oldPath: null,
      path,
      oldKind: null,
      kind: 'file',
      modeChanged: false,
      runs: [],
      isBinary: false,
    },
    file: { path, oldPath: null, before: null, after, now: after },
    isMarkedGenerated: false,
    isTestModule: null,
    unreadable: null,
    ...rest,
  };
};

test.each([
  ['docs/render.py', 'docs/render.py (documentation in docs/)'],
  ['docs/a.md', null],
  ['setup.py', 'setup.py (build and settings)'],
  ['app/test_run.py', 'app/test_run.py (named like test_*.py)'],
  ['app/tests/test_run.py', null],
  ['app/run.py', null],
])('code that stays by its place or name is named: %s', (path, said) => {
  expect(gapsOf(changesOf([created(path)], rules))).toEqual(
    said === null ? [] : [`changes that are not taken back: ${said}`],
  );
});

test('all code is named, and of others three', () => {
  const paths = ['docs/a.py', 'docs/b.py', 'docs/c.py', 'docs/d.py'];
  const settings = ['tox.ini', 'ruff.toml', 'setup.cfg', 'uv.toml'];
  const [gap] = gapsOf(
    changesOf(
      [...settings, ...paths].map((path) => created(path)),
      rules,
    ),
  );
  for (const path of paths) expect(gap).toContain(path);
  expect(gap).toMatch(/setup\.cfg \(build and settings\) and 1 more$/);
});

test('a changed doctest that the lane does not run is named, and is no change that stays', () => {
  const before = Buffer.from('/// ```\n/// f();\n/// ```\nfn f() {}\n');
  const after = Buffer.from('/// ```\n/// g();\n/// ```\nfn f() {}\n');
  const path = 'src/lib.rs';
  const { change, file } = created(path);
  const line = { from: 1, to: 2 };
  const changed = created(path, '', {
    change: { ...change, oldPath: path, oldKind: 'file', runs: [{ old: line, fresh: line }] },
    file: { ...file, oldPath: path, before, after, now: after },
  });
  expect(gapsOf(changesOf([changed], rules))).toEqual([
    'changed doctests, as the lane has no `doc` among its `targets`: src/lib.rs',
  ]);
  expect(gapsOf(changesOf([changed], { ...rules, runsDoctests: true }))).toEqual([]);
  expect(wholeTrees(changesOf([changed], rules)).map((each) => each.class)).toEqual(['other']);
});

const TEST = '#[test]\nfn a() {}\n';

test.each([
  ['fn f() {}\n', false, 'source'],
  ['fn f() {}\n', true, 'test'],
  ['fn f() {}\n', null, 'source'],
  [`fn f() {}\n${TEST}`, null, 'test'],
  [`fn f() {}\n${TEST}`, false, 'source'],
  [TEST, false, 'test'],
])('src/test.rs with %j, declared for tests: %s, is %s', (text, isTestModule, kind) => {
  const [change] = changesOf([created('src/test.rs', text, { isTestModule })], rules);
  expect(change?.class).toBe(kind);
});
