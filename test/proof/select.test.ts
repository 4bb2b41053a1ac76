import { describe, expect, it } from 'vitest';
import { isExactId, matchIds, nearestIds } from '../../src/proof/select.js';

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
    const found = matchIds(selector, IDS, { idPrefix: 'sub/' });
    expect(found).toEqual(places.map((at) => IDS[at]));
  });

  it('reads from the root first where both readings fit', () => {
    const ids = ['tests/a.py::t', 'sub/tests/a.py::t'];
    expect(matchIds('tests/a.py', ids, { idPrefix: 'sub/' })).toEqual(['tests/a.py::t']);
    expect(matchIds('sub/tests/a.py', ids, { idPrefix: 'sub/' })).toEqual(['sub/tests/a.py::t']);
  });

  it('does not read below a prefix that is not there', () => {
    expect(matchIds('tests/test_c.py', IDS, { idPrefix: '' })).toEqual([]);
  });

  it('tells one test from a group', () => {
    expect(isExactId('tests/test_a.py::TestB::test_one', IDS, { idPrefix: '' })).toBe(true);
    expect(isExactId('tests/test_a.py::TestB', IDS, { idPrefix: '' })).toBe(false);
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
    matchIds('tests/test_1.py', counted, { idPrefix: '' });
    const toIndex = reads;
    for (let at = 0; at < 100; at += 1) {
      expect(matchIds(`tests/test_${at}.py`, counted, { idPrefix: '' })).toHaveLength(40);
    }
    expect(reads).toBe(toIndex);
  });
});

describe('nearestIds', () => {
  it.each([
    ['a letter swapped', 'tests/test_a.py::TestB::test_noe', 'tests/test_a.py::TestB::test_one'],
    ['the wrong file', 'tests/test_x.py::TestBar::test_one', 'tests/test_a.py::TestBar::test_one'],
    ['a folder left out', 'test_a.py::test_deep', 'tests/sub/test_a.py::test_deep'],
  ])('%s', (_title, selector, nearest) => {
    expect(nearestIds(selector, IDS, 1)).toEqual([nearest]);
  });

  it('offers a test once, whatever its parameters', () => {
    expect(nearestIds('tests/test_a.py::test_strar', IDS, 2)).toContain(
      'tests/test_a.py::test_star',
    );
    expect(nearestIds('tests/test_a.py::test_star[b]', IDS, 2)).toEqual([
      'tests/test_a.py::test_star[*]',
      'tests/test_a.py::test_star[a]',
    ]);
  });

  it('gives no more than it is asked for, and nothing of nothing', () => {
    expect(nearestIds('tests', IDS, 2)).toHaveLength(2);
    expect(nearestIds('tests', [], 2)).toEqual([]);
  });
});
