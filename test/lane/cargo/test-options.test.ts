import { describe, expect, test } from 'vitest';
import { allWords, isSelected, readTestOptions } from '../../../src/lane/cargo/test-options.js';

const NONE = { words: [], skip: [], threads: null, ignored: 'left', dropped: [] };

const options = (select: string | null, ...given: readonly string[]) => {
  const read = readTestOptions(select, given);
  return read.ok ? read.value : read.error;
};

describe('what a lane asks of libtest', () => {
  test.each([
    [[], NONE],
    [['--test-threads=1'], { ...NONE, threads: 1 }],
    [['--test-threads', '4', 'more'], { ...NONE, threads: 4, words: ['more'] }],
    [['--skip', 'slow', '--skip=net'], { ...NONE, skip: ['slow', 'net'] }],
    [['--ignored'], { ...NONE, ignored: 'only' }],
    [['--include-ignored'], { ...NONE, ignored: 'also' }],
    [
      ['--nocapture', '-q', '--color', 'always'],
      { ...NONE, dropped: ['--nocapture', '-q', '--color always'] },
    ],
  ])('%j', (given, expected) => {
    expect(options(null, ...given)).toEqual(expected);
  });

  test.each([
    [['--exact', 'a'], '--exact'],
    [['--logfile=x'], '--logfile=x'],
    [['-Z', 'unstable-options'], '-Z'],
    [['--test-threads=0'], '--test-threads 0'],
    [['--test-threads'], '--test-threads'],
    [['--skip'], '--skip'],
  ])('%j cannot be had', (given, refused) => {
    expect(options(null, ...given)).toBe(refused);
  });

  test('rustdoc is asked for all of it in one go', () => {
    const read = readTestOptions('a b', ['--skip', 'c', '--ignored', '--test-threads=2']);
    const expected = ['a', 'b', '--skip=c', '--ignored', '--test-threads=2'];
    expect(read.ok && allWords(read.value)).toEqual(expected);
  });
});

describe('the filter', () => {
  test.each([
    [null, [], 'anything', true],
    ['', [], 'anything', true],
    ['delta', [], 'tests::delta_max', true],
    ['delta', [], 'delta::x', true],
    ['tests::delta', [], 'delta', false],
    ['  alpha\tbeta ', [], 'x_beta', true],
    ['alpha beta', [], 'gamma', false],
    ['Delta', [], 'delta', false],
    [null, ['--skip', 'max'], 'tests::delta_max', false],
    ['delta', ['--skip', 'max'], 'tests::delta', true],
    ['delta', ['gamma'], 'gamma', true],
  ])('%j with %j takes %s: %s', (select, given, name, taken) => {
    const read = readTestOptions(select, given);
    expect(read.ok && isSelected(name, read.value)).toBe(taken);
  });
});
