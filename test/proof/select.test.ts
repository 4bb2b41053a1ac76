import { describe, expect, it } from 'vitest';
import { nearestIds } from '../../src/proof/nearest-ids.js';
import { ambiguousIds, isExactId, matchIds, writtenOut } from '../../src/proof/select.js';

const path = (idPrefix: string) => ({ idPrefix, idForm: 'path' }) as const;

const IDS = [
  'tests/test_a.py::TestB::test_one',
  'tests/test_a.py::TestB::test_one[1]',
  'tests/test_a.py::TestB::test_two[x::y]',
  'tests/test_a.py::TestBar::test_one',
  'tests/test_a.py::test_star[*]',
  'tests/test_a.py::test_star[a]',
  'tests/test_ab.py::test_one',
  'tests/sub/test_a.py::test_deep',
  'sub/tests/test_c.py::test_c',
];

describe('matchIds', () => {
  it.each([
    ['an id that exists', 'tests/test_a.py::TestB::test_one', [0]],
    ['a test with parameters', 'tests/test_a.py::TestB::test_two', [2]],
    ['a class, not the one whose name it starts', 'tests/test_a.py::TestB', [0, 1, 2]],
    ['a file, not the one whose name it starts', 'tests/test_a.py', [0, 1, 2, 3, 4, 5]],
    ['a folder', 'tests/sub', [7]],
    ['a folder with its slash', 'tests/sub/', [7]],
    ['a path from here', './tests/sub', [7]],
    ['a star that exists', 'tests/test_a.py::test_star[*]', [4]],
    ['a star that is a wildcard', 'tests/test_a.py::TestB::test_two[*]', [2]],
    ['a star over folders', 'tests/*::test_one', [0, 1, 3, 6]],
    ['two stars', '*TestB*::test_one', [0, 1, 3]],
    ['a star before a file', 'tests/*/test_a.py', [7]],
    ['a name cut short', 'tests/test_a.py::TestB::test_o', []],
    ['nothing', '', []],
    ['something else', 'tests/test_z.py', []],
    ['a rootdir-relative id', 'tests/test_c.py::test_c', [8]],
    ['a rootdir-relative pattern', 'tests/test_c*', [8]],
  ])('%s', (_title, selector, places) => {
    const found = matchIds(selector, IDS, path('sub/'));
    expect(found).toEqual(places.map((at) => IDS[at]));
  });

  it('reads from the root first where both readings fit', () => {
    const ids = ['tests/a.py::t', 'sub/tests/a.py::t'];
    expect(matchIds('tests/a.py', ids, path('sub/'))).toEqual(['tests/a.py::t']);
    expect(matchIds('sub/tests/a.py', ids, path('sub/'))).toEqual(['sub/tests/a.py::t']);
  });

  it('does not read below a prefix that is not there', () => {
    expect(matchIds('tests/test_c.py', IDS, path(''))).toEqual([]);
  });

  it('tells one test from a group', () => {
    expect(isExactId('tests/test_a.py::TestB::test_one', IDS, path(''))).toBe(true);
    expect(isExactId('tests/test_a.py::TestB', IDS, path(''))).toBe(false);
  });

  it('looks at a few of 20,000 ids for each of 100 selectors', () => {
    let reads = 0;
    const ids = Array.from({ length: 20_000 }, (_, at) => `tests/test_${at % 500}.py::test_${at}`);
    const counted = new Proxy(ids, {
      get(target, key, self): unknown {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key, self);
      },
    });
    matchIds('tests/test_1.py', counted, path(''));
    const toIndex = reads;
    for (let at = 0; at < 100; at += 1) {
      expect(matchIds(`tests/test_${at}.py`, counted, path(''))).toHaveLength(40);
    }
    expect(reads).toBe(toIndex);
  });
});

const RUST = [
  'jail delta',
  'jail delta_max',
  'jail delta::delta',
  'jail stop::tests::trims',
  'jail stop::tests::trims_twice',
  'jail::stop delta',
  'jail::stop row_0',
  'jail::stop rows::first',
  'jail::bin/tool stop::parses',
  'jail::doc src/lib.rs - Decoder::step',
  'jail::doc src/lib.rs - Decoder::step #2',
  'jail::doc src/stop.rs - Stop',
  'other stop::tests::trims',
  'other stop::tests::other',
  'other same::a',
  'other_tests same::b',
  'other_tests other_tests',
  'other_tests alone',
];

const binary = { idPrefix: '', idForm: 'binary' } as const;

describe('ids of test executables', () => {
  const table: readonly [about: string, selector: string, places: readonly number[]][] = [
    ['an id that exists, not those whose name it starts', 'jail delta', [0]],
    ['a module', 'jail stop::tests', [3, 4]],
    ['an executable, not those whose name it starts', 'jail', [0, 1, 2, 3, 4]],
    ['an executable with a kind', 'jail::bin/tool', [8]],
    ['another executable', 'jail::stop', [5, 6, 7]],
    ['no prefix of an executable', 'jail::st', []],
    ['no prefix of a path', 'jail stop::tests::trim', []],
    ['no executable alone with its colons', 'jail::', []],
    ['a test whose executable is left out', 'row_0', [6]],
    ['a path whose executable is left out', 'stop::tests::trims_twice', [4]],
    ['a module whose executable is left out', 'rows', [7]],
    ['a test that two executables have', 'delta', []],
    ['a module that two executables have', 'stop::tests', []],
    ['a path that two executables have', 'stop::tests::trims', []],
    ['modules of one name', 'same', []],
    ['an executable before a test of its name', 'other_tests', [15, 16, 17]],
    ['a test of the name of its executable', 'other_tests other_tests', [16]],
    ['a doctest, not its second one', 'jail::doc src/lib.rs - Decoder::step', [9]],
    ['a second doctest', 'src/lib.rs - Decoder::step #2', [10]],
    ['the doctests of a type', 'jail::doc src/lib.rs - Decoder', [9, 10]],
    ['the doctests of a file', 'src/stop.rs', [11]],
    ['all doctests', 'jail::doc', [9, 10, 11]],
    ['a star for executables', '*::trims', [3, 12]],
    ['a star, and a name that ends with its word', 'jail*trims', [3]],
    ['a star, and whole executables', '*tests', [3, 4, 12, 13, 15, 16, 17]],
    ['a star in a path, the executable left out', 'row*', [6, 7]],
    ['a star in paths of two executables', 'stop::*', []],
    ['blanks around', ' jail delta ', [0]],
    ['nothing', '', []],
  ];
  it.each(table)('%s', (_title, selector, places) => {
    expect(matchIds(selector, RUST, binary)).toEqual(places.map((at) => RUST[at]));
  });

  it.each([
    ['delta', ['jail delta', 'jail::stop delta']],
    ['stop::tests', ['jail stop::tests', 'other stop::tests']],
    ['jail delta', []],
    ['row_0', []],
    ['nowhere', []],
  ])('what %s leaves open', (selector, between) => {
    expect(ambiguousIds(selector, RUST, binary)).toEqual(between);
  });

  it.each([
    ['jail delta', true, 'jail delta'],
    ['row_0', true, 'jail::stop row_0'],
    ['delta', false, 'delta'],
    ['rows', false, 'jail::stop rows'],
    ['other_tests', false, 'other_tests'],
    ['jail::stop', false, 'jail::stop'],
    ['jail::doc', false, 'jail::doc'],
  ])('%s is one test: %s; written out it is %s', (selector, exact, whole) => {
    expect(isExactId(selector, RUST, binary)).toBe(exact);
    expect(writtenOut(selector, RUST, binary)).toBe(whole);
  });

  it.each([
    ['a letter swapped', 'jail::stop row_O', 'jail::stop row_0'],
    ['the wrong executable', 'jail stop::parses', 'jail::bin/tool stop::parses'],
    ['no executable, and a letter too many', 'trims_twwice', 'jail stop::tests::trims_twice'],
    ['no executable and no module', 'parses', 'jail::bin/tool stop::parses'],
    ['a doctest with a line', 'src/stop.rs - Stop (line 3)', 'jail::doc src/stop.rs - Stop'],
  ])('nearest: %s', (_title, selector, nearest) => {
    expect(nearestIds(selector, RUST, 1, binary)).toEqual([nearest]);
  });
});

describe('nearestIds', () => {
  it.each([
    ['a letter swapped', 'tests/test_a.py::TestB::test_noe', 'tests/test_a.py::TestB::test_one'],
    ['the wrong file', 'tests/test_x.py::TestBar::test_one', 'tests/test_a.py::TestBar::test_one'],
    ['a folder left out', 'test_a.py::test_deep', 'tests/sub/test_a.py::test_deep'],
  ])('%s', (_title, selector, nearest) => {
    expect(nearestIds(selector, IDS, 1, path(''))).toEqual([nearest]);
  });

  it('offers a test once, whatever its parameters', () => {
    expect(nearestIds('tests/test_a.py::test_strar', IDS, 2, path(''))).toContain(
      'tests/test_a.py::test_star',
    );
    expect(nearestIds('tests/test_a.py::test_star[b]', IDS, 2, path(''))).toEqual([
      'tests/test_a.py::test_star[*]',
      'tests/test_a.py::test_star[a]',
    ]);
  });

  it('gives no more than it is asked for, and nothing of nothing', () => {
    expect(nearestIds('tests', IDS, 2, path(''))).toHaveLength(2);
    expect(nearestIds('tests', [], 2, path(''))).toEqual([]);
  });
});
