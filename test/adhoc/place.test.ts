import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parsePlace, placeProblem } from '../../src/adhoc/place.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cp-place-')));
  mkdirSync(join(folder, 'tree'));
  for (const name of ['tree/a.py', 'tree/b:3.py', 'tree/c.py:4', 'outside.py'])
    writeFileSync(join(folder, name), '');
  symlinkSync(join(folder, 'outside.py'), join(folder, 'tree/link.py'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ['a.py', 'a.py', null],
  ['a.py:3', 'a.py', { from: 3, to: 3 }],
  ['a.py:3-5', 'a.py', { from: 3, to: 5 }],
  // As compilers and linters print a place.
  ['a.py:3:17', 'a.py', { from: 3, to: 3 }],
  ['b:3.py:2', 'b:3.py', { from: 2, to: 2 }],
  // A file that is there as it is written is meant as written.
  ['c.py:4', 'c.py:4', null],
])('%s', (written, file, span) => {
  const cwd = join(folder, 'tree');
  expect(parsePlace(written, cwd)).toEqual({
    ok: true,
    value: { absolute: join(cwd, file), span },
  });
});

test.each([
  ['gone.py:1', 'There is no file gone.py.'],
  ['gone/a.py:1', 'There is no file gone/a.py.'],
  ['../tree/aa.py:1', 'There is no file ../tree/aa.py. Did you mean `../tree/a.py`?'],
  ['a.yp', 'There is no file a.yp. Did you mean `a.py`?'],
  ['a.py:0', 'a.py:0: lines are counted from 1, the first one first.'],
  ['a.py:5-3', 'a.py:5-3: lines are counted from 1, the first one first.'],
])('%s is none', (written, error) => {
  expect(parsePlace(written, join(folder, 'tree'))).toEqual({ ok: false, error });
});

test.each([
  ['tree/a.py', null],
  ['tree', /is no regular file/],
  ['outside.py', /lies outside the tree/],
  ['tree/link.py', /lies outside the tree/],
])('%s can be a file of a mutation: %s', (path, problem) => {
  const found = placeProblem({ absolute: join(folder, path), span: null }, join(folder, 'tree'));
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});
