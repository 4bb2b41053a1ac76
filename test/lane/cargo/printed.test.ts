import { describe, expect, test } from 'vitest';
import { announcesTests, sectionsOf, summariesOf } from '../../../src/lane/cargo/printed.js';

const RESULT =
  'test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.01s';

describe('what an executable prints', () => {
  test('every line that looks like a summary is one to compare with', () => {
    expect(
      summariesOf(
        `x\n${RESULT}\ntest result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n`,
      ),
    ).toEqual([
      { passed: 3, failed: 2, ignored: 1 },
      { passed: 99, failed: 0, ignored: 0 },
    ]);
    expect(summariesOf('test result: ok.\n')).toEqual([]);
  });

  test.each([
    ['\nrunning 1 test\n', true],
    ['noise\nrunning 12 tests\r\n', true],
    ['I am running 3 tests\n', false],
    ['', false],
  ])('%j announces tests: %s', (text, announced) => {
    expect(announcesTests(text)).toBe(announced);
  });

  test('the sections of failed and of passed tests, each with its own text', () => {
    const text = [
      'running 3 tests',
      '---- a stdout ----',
      'printed past the capture',
      '',
      'successes:',
      '',
      '---- c stdout ----',
      'fine',
      '',
      'successes:',
      '    c',
      '',
      'failures:',
      '',
      '---- a stdout ----',
      'first',
      '---- stranger stdout ----',
      'second',
      '---- b stdout ----',
      'third',
      '',
      'failures:',
      '    a',
      '    b',
      '',
      RESULT,
    ].join('\n');
    expect([...sectionsOf(text, new Set(['a', 'b', 'c']))]).toEqual([
      ['c', 'fine'],
      ['a', 'first\n---- stranger stdout ----\nsecond'],
      ['b', 'third'],
    ]);
  });
});
