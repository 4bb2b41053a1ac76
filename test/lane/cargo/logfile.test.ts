import { describe, expect, test } from 'vitest';
import { readLogfile } from '../../../src/lane/cargo/logfile.js';

const NAMES = new Set(['a', 'b', 'tests::r#match', 'tests::naïve_ü', 'me']);

const read = (...chunks: readonly string[]) => {
  const reader = readLogfile(NAMES);
  return chunks
    .flatMap((chunk) => reader.push(chunk))
    .map(({ name, outcome, reason }) => [name, outcome, reason]);
};

describe('the log file of libtest', () => {
  test.each([
    ['ok a\n', [['a', 'passed', null]]],
    ['failed b\n', [['b', 'failed', null]]],
    ['ignored a\n', [['a', 'skipped', null]]],
    ['ignored: needs net a\n', [['a', 'skipped', 'needs net']]],
    [
      'ok tests::r#match\nok tests::naïve_ü\n',
      [
        ['tests::r#match', 'passed', null],
        ['tests::naïve_ü', 'passed', null],
      ],
    ],
    [
      'failed: test did not panic as expected at src/lib.rs:23:32 a\n',
      [['a', 'failed', 'test did not panic as expected at src/lib.rs:23:32']],
    ],
    [
      'failed: panic did not contain expected string\n      panic message: "x\\nok b\\n"\n expected substring: "y" a\nok b\n',
      [
        [
          'a',
          'failed',
          'panic did not contain expected string\n      panic message: "x\\nok b\\n"\n expected substring: "y"',
        ],
        ['b', 'passed', null],
      ],
    ],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('a line is a verdict once it ends', () => {
    expect(read('ok a')).toEqual([]);
    expect(read('ok ', 'a', '\nfai', 'led b\n')).toEqual([
      ['a', 'passed', null],
      ['b', 'failed', null],
    ]);
  });

  test('names that are not listed, and other text, are nothing', () => {
    expect(read('ok nobody\nhello\n\nok a b\nok b\n')).toEqual([['b', 'passed', null]]);
  });

  test('a reason that looks like a verdict is no verdict of a test that is not listed', () => {
    expect(read('ignored: first\nok nobody\nlast me\nok a\n')).toEqual([
      ['me', 'skipped', 'first\nok nobody\nlast'],
      ['a', 'passed', null],
    ]);
  });

  test('the hole that a second start of the executable leaves is jumped', () => {
    expect(read('ok a\n\0\0\0\0\0ok b\n')).toEqual([
      ['a', 'passed', null],
      ['b', 'passed', null],
    ]);
  });
});
