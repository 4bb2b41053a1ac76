import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clock,
  duration,
  keepEnd,
  keepStart,
  keepWords,
  page,
  plural,
  shortSum,
  visible,
  visibleLines,
  widthOf,
  wrap,
} from '../../src/report/text.js';

/** Any text, with the characters that cause trouble far more often than chance would bring them. */
export const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        '\u001B[31m',
        '\u0007',
        '\u202E',
        '\n',
        '\r',
        '\t',
        '\u200B',
        '日本',
        '👩‍👧',
        ' ',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('a sentence is cut behind a word, and stays as wide as it may be', () => {
  expect(keepWords('assert one == two', 17, '…')).toBe('assert one == two');
  expect(keepWords('assert one == two', 16, '…')).toBe('assert one == …');
  expect(keepWords('assert one == two', 12, '…')).toBe('assert one …');
  expect(keepWords('assert one == two', 15, '...')).toBe('assert one ...');
  // No word ends in the latter half: as much as there is room for.
  expect(keepWords('a verylongwordindeed', 12, '…')).toBe('a verylong…');
});

describe('visible', () => {
  test.each([
    ['plain[1-a]', 'plain[1-a]'],
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\u001B[31mred\u0007', '\\x1b[31mred\\x07'],
    ['\u009B0m', '\\x9b0m'],
    ['\u202Eabc\u2066', '\\u202eabc\\u2066'],
    ['a\u200Bb\uFEFF', 'a\\u200bb\\ufeff'],
    ['\u{E0041}', '\\u{e0041}'],
    ['\uD800', '\\ud800'],
    ['\u2028', '\\u2028'],
    ['\u0301a b\u0301 \u0301\u0302', '\\u0301a b\u0301 \\u0301\\u0302'],
    ['naïve 日本語', 'naïve 日本語'],
  ])('shows %j as %j', (raw, shown) => expect(visible(raw)).toBe(shown));

  test('leaves nothing that can steer a terminal, whatever goes in', () => {
    fc.assert(
      fc.property(nasty, (raw) => {
        expect(visible(raw)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

test('a block is shown line by line, tabs as spaces, carriage returns as escapes', () => {
  expect(visibleLines('-\told\r\n+new\n')).toEqual(['-    old\\r', '+new']);
});

test('a message keeps its start and a test id its end', () => {
  expect(keepStart('AssertionError: 1 != 2', 10, '…')).toBe('Assertion…');
  expect(keepEnd('tests/test_x.py::test_a[1]', 12, '…')).toBe('…::test_a[1]');
  expect(keepEnd('tests/test_x.py::test_a[1]', 12, '...')).toBe('...test_a[1]');
  expect(keepEnd('short', 12, '…')).toBe('short');
});

test('wide characters count twice and are not cut in half', () => {
  expect(keepStart('日本語', 4, '…')).toBe('日…');
  expect(widthOf('日本語')).toBe(6);
});

describe('wrap', () => {
  test('breaks at words and repeats the indentation', () => {
    expect(wrap('  one two three', 10)).toEqual(['  one two', '  three']);
  });

  test('cuts a word that is longer than a line, losing nothing', () => {
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  });

  test.each([
    [
      'held by tests/test_a.py::Suite::test_one',
      ['held by', 'tests/test_a.py::Suite', '::', 'test_one'],
    ],
    ['tests/a.py::Suite::test_one[a::b]', ['tests/a.py::Suite::', 'test_one[a::b]']],
    ['tests/a.py::test_one_that_is_longer', ['tests/a.py::test_one_t', 'hat_is_longer']],
  ])('cuts a test id behind its file or class where its name fits: %s', (id, lines) => {
    expect(wrap(id, 22)).toEqual(lines);
  });

  test('keeps a space of another kind, which belongs to its word', () => {
    expect(wrap('\u2003a b\u2003', 20)).toEqual(['\u2003a b\u2003']);
  });

  test('never makes a line wider than asked, and loses no letter', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 4, max: 60 }), (raw, width) => {
        const text = visible(raw);
        const lines = wrap(text, width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});

test.each([
  [0, '0.0s'],
  [340, '0.3s'],
  [12_400, '12.4s'],
  [59_940, '59.9s'],
  [59_960, '1m 00s'],
  [125_000, '2m 05s'],
  [3_720_000, '1h 02m'],
])('%d ms lasts %s', (ms, said) => expect(duration(ms)).toBe(said));

test.each([
  [7400, '0:07'],
  [723_000, '12:03'],
  [3_723_000, '1:02:03'],
])('a clock shows %d ms as %s', (ms, said) => expect(clock(ms)).toBe(said));

test('sums are shown by their first 16 digits, an absent file as absent', () => {
  expect(shortSum('0123456789abcdef'.repeat(4))).toBe('0123456789abcdef');
  expect(shortSum(null)).toBe('absent');
});

test('one is singular', () => {
  expect([plural(0, 'test'), plural(1, 'test'), plural(2, 'class', 'classes')]).toEqual([
    '0 tests',
    '1 test',
    '2 classes',
  ]);
});

test('a page never leaves out just one', () => {
  expect(page([1, 2, 3], 2)).toEqual({ shown: [1, 2, 3], more: 0 });
  expect(page([1, 2, 3, 4], 2)).toEqual({ shown: [1, 2], more: 2 });
});
