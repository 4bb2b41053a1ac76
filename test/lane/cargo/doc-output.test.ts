import { describe, expect, test } from 'vitest';
import { docPlace, readDocOutput, stableDocNames } from '../../../src/lane/cargo/doc-output.js';

const OK = 'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out';

const read = (...lines: readonly string[]) => {
  const { verdicts, gap } = readDocOutput(lines.join('\n'));
  return { gap, verdicts: verdicts.map(({ name, outcome }) => `${name}: ${outcome}`) };
};

describe('what rustdoc prints', () => {
  test('verdicts with their suffixes, in one run or two', () => {
    const { verdicts, gap } = read(
      'running 4 tests',
      'test src/lib.rs - add (line 2) ... ok',
      'test src/lib.rs - add (line 5) - compile ... ok',
      'test src/lib.rs - add (line 8) - should panic ... FAILED',
      'test src/lib.rs - (line 1) ... ignored, later',
      'failures:',
      '---- src/lib.rs - add (line 8) stdout ----',
      'test src/lib.rs - forged (line 1) ... ok',
      'test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out',
      'running 1 test',
      'test src/lib.rs - b (line 20) - compile fail ... ok',
      OK,
    );
    expect(gap).toBeNull();
    expect(verdicts).toEqual([
      'src/lib.rs - add (line 2): passed',
      'src/lib.rs - add (line 5): passed',
      'src/lib.rs - add (line 8): failed',
      'src/lib.rs - (line 1): skipped',
      'src/lib.rs - b (line 20): passed',
    ]);
  });

  test.each([
    ['no run', ['error: could not compile'], 'rustdoc ran no doctests'],
    [
      'a run that was cut',
      ['running 2 tests', 'test a - b (line 1) ... ok'],
      '1 of 2 doctests ended',
    ],
    [
      'no count at the end',
      ['running 1 test', 'test a - b (line 1) ... ok'],
      'rustdoc ended before it counted its doctests',
    ],
    [
      'fewer than announced',
      ['running 2 tests', 'test a - b (line 1) ... ok', OK],
      '1 of 2 doctests ended',
    ],
    [
      'a verdict given twice',
      ['running 2 tests', 'test a - b (line 1) ... ok', 'test a - b (line 1) ... FAILED', OK],
      'a - b (line 1) has two verdicts',
    ],
  ])('%s is said to be a gap', (_what, lines, gap) => {
    expect(read(...lines).gap).toBe(gap);
  });

  test('a crate without doctests ran them all', () => {
    expect(read('running 0 tests', '', OK)).toEqual({ gap: null, verdicts: [] });
  });

  test('names do not change when a line is put in above them', () => {
    expect([
      ...stableDocNames([
        'src/lib.rs - add (line 14)',
        'src/lib.rs - add (line 2)',
        'src/lib.rs - (line 1)',
        'src/lib.rs - T<A, B>::f (line 9)',
      ]),
    ]).toEqual([
      ['src/lib.rs - (line 1)', 'src/lib.rs'],
      ['src/lib.rs - add (line 2)', 'src/lib.rs - add'],
      ['src/lib.rs - T<A, B>::f (line 9)', 'src/lib.rs - T<A, B>::f'],
      ['src/lib.rs - add (line 14)', 'src/lib.rs - add #2'],
    ]);
  });

  test('the place of a doctest is in its name', () => {
    expect(docPlace('a b/src/lib.rs - add (line 14)')).toEqual({
      file: 'a b/src/lib.rs',
      line: 14,
    });
    expect(docPlace('README.md - (line 3)')).toEqual({ file: 'README.md', line: 3 });
    expect(docPlace('nothing')).toBeNull();
  });
});
