import { describe, expect, test } from 'vitest';
import { testArguments } from '../../../src/lane/cargo/arguments.js';
import { parseList } from '../../../src/lane/cargo/list.js';

const names = (text: string): readonly string[] | string => {
  const listed = parseList(text);
  return listed.ok
    ? listed.value.map(({ name, kind }) => (kind === 'test' ? name : `${name} (${kind})`))
    : listed.error.why;
};

describe('what an executable lists', () => {
  test.each([
    ['no test', '0 tests, 0 benchmarks\n', []],
    ['one', 'a: test\n\n1 test, 0 benchmarks\n', ['a']],
    [
      'raw identifiers and letters beyond ASCII',
      'tests::naïve_ü: test\ntests::r#match: test\n\n2 tests, 0 benchmarks\n',
      ['tests::naïve_ü', 'tests::r#match'],
    ],
    ['a benchmark', 'a: test\nb: benchmark\n\n1 test, 1 benchmark\n', ['a', 'b (benchmark)']],
    ['carriage returns', 'a: test\r\n\r\n1 test, 0 benchmarks\r\n', ['a']],
    [
      'two lists of rustdoc',
      'src/lib.rs - add (line 2): test\n\n1 test, 0 benchmarks\nsrc/lib.rs - b (line 9): test\n\n1 test, 0 benchmarks\n',
      ['src/lib.rs - add (line 2)', 'src/lib.rs - b (line 9)'],
    ],
    ['what a constructor printed before', 'hello: world\na: test\n\n1 test, 0 benchmarks\n', ['a']],
    ['a list that was cut', 'a: test\n', 'it printed no list of tests'],
    [
      'a line too many',
      'x: test\na: test\n\n1 test, 0 benchmarks\n',
      'it counts 1 tests, but lists 2',
    ],
    ['nothing', '', 'it printed no list of tests'],
  ])('%s', (_what, text, expected) => {
    expect(names(text)).toEqual(expected);
  });
});

describe('the arguments that run some tests and no others', () => {
  const listed = ['a', 'b', 'c', 'd', 'e'];
  const ask = (wanted: readonly string[], forbidden: readonly string[] = [], of = listed) =>
    testArguments(of, new Set(wanted), new Set(forbidden));

  test('all: none are needed', () => {
    expect(ask(listed)).toEqual({ words: [], runs: listed });
  });

  test('few are named whole, in the order of the list', () => {
    expect(ask(['d', 'b'])).toEqual({ words: ['--exact', 'b', 'd'], runs: ['b', 'd'] });
  });

  test('where most are wanted, the others are skipped whole', () => {
    expect(ask(['a', 'b', 'c', 'e'])).toEqual({
      words: ['--exact', '--skip', 'd'],
      runs: ['a', 'b', 'c', 'e'],
    });
  });

  test('what is forbidden does not run, wanted or not', () => {
    expect(ask(listed, ['c'])).toEqual({
      words: ['--exact', '--skip', 'c'],
      runs: ['a', 'b', 'd', 'e'],
    });
    expect(ask(['a', 'c'], ['c'])).toEqual({ words: ['--exact', 'a'], runs: ['a'] });
  });

  test('where the names are too many for a command line, all but the forbidden run', () => {
    const many = Array.from({ length: 4000 }, (_, at) => `tests::${'x'.repeat(90)}_${String(at)}`);
    const odd = many.filter((_, at) => at % 2 === 1);
    expect(ask(odd, [], many)).toEqual({ words: [], runs: many });
    const [first = ''] = odd;
    const { words, runs } = ask(odd, [first], many);
    expect(words).toEqual(['--exact', '--skip', first]);
    expect(runs).toHaveLength(many.length - 1);
  });
});
