import { describe, expect, test } from 'vitest';
import { importersOf } from '../../src/lane/pytest/importers.js';
import type { Span } from '../../src/mutation/file-change.js';
import type { Change } from '../../src/prove/fix.js';
import { idsOf, testsOf } from '../../src/prove/tests-of.js';

const BEFORE = `import pytest


@pytest.mark.parametrize("a", [1])
def test_rows(a):
    assert a


class TestOne:
    def test_kept(self):
        pass

    def helper(self):
        def test_inner():
            pass


def test_shrunk():
    pass
`;

const AFTER = `import pytest


@pytest.mark.parametrize("a", [1, 2])
def test_rows(a):
    assert a


class TestOne:
    def test_kept(self):
        pass

    def test_new(self):
        pass

    def helper(self):
        def test_inner():
            pass


def test_shrunk():
    pass
`;

function change(path: string, before: string | null, now: string, spans: readonly Span[]): Change {
  const file = {
    path,
    oldPath: before === null ? null : path,
    before: before === null ? null : Buffer.from(before),
    after: Buffer.from(now),
    now: Buffer.from(now),
  };
  return {
    id: 't1',
    parts:
      before === null
        ? [{ kind: 'created', file, isThere: true }]
        : spans.map((span) => ({ kind: 'lines', file, old: span, fresh: span, now: span })),
    class: 'test',
    why: '',
    scope: null,
    obstacle: null,
  };
}

describe('the tests of a range', () => {
  test('are new where the name was not there, and changed where a line of them was, decorators included', () => {
    const spans = [
      { from: 3, to: 4 },
      { from: 12, to: 15 },
      { from: 22, to: 22 },
    ];
    expect(testsOf([change('tests/test_a.py', BEFORE, AFTER, spans)])).toEqual([
      { path: 'tests/test_a.py', name: 'test_rows', kind: 'changed' },
      { path: 'tests/test_a.py', name: 'TestOne::test_new', kind: 'new' },
      { path: 'tests/test_a.py', name: 'test_shrunk', kind: 'changed' },
    ]);
  });

  test('are also those inside a new Rust file', () => {
    const text = 'fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn checks() {}\n}\n';
    const source = { ...change('src/a.rs', null, text, []), class: 'source' as const };
    expect(testsOf([source])).toEqual([{ path: 'src/a.rs', name: 'tests::checks', kind: 'new' }]);
    const python = {
      ...change('src/a.py', null, 'def test_a():\n    pass\n', []),
      class: 'source',
    };
    expect(testsOf([python as Change])).toEqual([]);
  });

  test('are all new in a new file, and none in other files', () => {
    const all = [
      change('tests/test_a.py', null, AFTER, []),
      change('tests/conftest.py', null, AFTER, []),
      change('tests/data.json', null, AFTER, []),
    ];
    expect(testsOf(all).map(({ name }) => name)).toEqual([
      'test_rows',
      'TestOne::test_kept',
      'TestOne::test_new',
      'test_shrunk',
    ]);
  });
});

describe('how a lane calls a test', () => {
  const none = () => [];
  const ids = [
    'tests/test_a.py::test_b',
    'tests/test_a.py::test_bc',
    'tests/test_a.py::test_d[1-x]',
    'tests/test_a.py::test_d[2]',
    'jail decoder::tests::trims',
    'jail decoder::tests::rows::case_1',
    'jail decoder::tests::rows::case_2',
    'jail decoder::tests::trims::more',
    'other decoder::tests::trims',
  ];
  const among = (path: string, name: string, places: Parameters<typeof idsOf>[2] = none) =>
    idsOf({ path, name, kind: 'new' }, 'pkg', places).map((each) => [
      each.test,
      ...each.among(ids),
    ]);
  const inJail = () => [{ executable: 'jail', modules: ['decoder'] }];

  test('by file and function, from the root of the project; with its rows', () => {
    const file = 'pkg/tests/test_a.py';
    expect(among(file, 'test_b')).toEqual([[ids[0], ids[0]]]);
    expect(among(file, 'test_d')).toEqual([['tests/test_a.py::test_d', ids[2], ids[3]]]);
    expect(among(file, 'test_x')).toEqual([['tests/test_a.py::test_x']]);
  });

  test('in Rust by the executables that hold the file: none of them, no name', () => {
    const file = 'pkg/src/decoder.rs';
    // A module of the same name is another thing than the rows of a test.
    expect(among(file, 'tests::trims', inJail)).toEqual([[ids[4], ids[4]]]);
    expect(among(file, 'tests::rows', inJail)).toEqual([
      ['jail decoder::tests::rows', ids[5], ids[6]],
    ]);
    const inBoth = () => [...inJail(), { executable: 'other', modules: ['decoder'] }];
    expect(among(file, 'tests::trims', inBoth)).toEqual([
      [ids[4], ids[4]],
      [ids[8], ids[8]],
    ]);
    expect(among(file, 'tests::trims')).toEqual([]);
  });
});

test.each([
  ['import pkg.mod', true],
  ['import pkg.mod as m, os', true],
  ['from pkg.mod import f', true],
  ['from pkg import mod', true],
  ['from pkg import (\n    other,\n    mod,\n)', true],
  ['from . import mod', true],
  ['from .mod import f', true],
  ['    import mod', true],
  ['mock.patch("pkg.mod.f")', true],
  ['from pkg import other', false],
  ['from pkg.model import f', false],
  ['from other import mod', false],
  ['import os  # pkg.models', false],
  ['x = "apkg.mod"', false],
])('%j imports src/pkg/mod.py: %s', (text, yes) => {
  const tests = [{ path: 'tests/test_a.py', text }];
  expect(importersOf(['src/pkg/mod.py'], tests)).toEqual(yes ? ['tests/test_a.py'] : []);
});

test('a package is imported by its own name', () => {
  const tests = [
    { path: 'a.py', text: 'import pkg\n' },
    { path: 'b.py', text: 'from pkg import f\n' },
    { path: 'c.py', text: 'from other import f\n' },
  ];
  expect(importersOf(['src/pkg/__init__.py', 'data.json'], tests)).toEqual(['a.py', 'b.py']);
});
