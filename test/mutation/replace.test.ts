import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLines } from '../../src/mutation/lines.js';
import { replaceOnLines, replaceText } from '../../src/mutation/replace.js';
import { wholeFile } from '../../src/mutation/within.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

function replace(file: string | Buffer, find: string, replacement: string, count = 1) {
  const lines = splitLines(toBytes(file));
  return replaceText(lines, 'a.py', { find, with: replacement, count }, wholeFile(lines));
}

const text = (...args: Parameters<typeof replace>) => {
  const result = replace(...args);
  return result.ok ? result.value.toString('latin1') : JSON.stringify(result.error);
};
const problem = (...args: Parameters<typeof replace>) => {
  const result = replace(...args);
  return result.ok ? null : result.error;
};

describe('replace', () => {
  test.each<[string, string, string, string, number, string]>([
    ['part of a line', 'x = 1 + 2\n', '1 + 2', '3', 1, 'x = 3\n'],
    ['every one of count', 'a b a\na\n', 'a', 'x', 3, 'x b x\nx\n'],
    ['several lines', 'a\nb\nc\n', 'a\nb', 'x', 1, 'x\nc\n'],
    ['a line break alone', 'a\nb', '\n', ' ', 1, 'a b'],
    ['with nothing', 'a\nb\n', 'a\n', '', 1, 'b\n'],
    ['LF finds CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 1, 'x\r\ny\r\nc\r\n'],
    ['CRLF finds LF', 'a\nb\nc\n', 'a\r\nb', 'x\r\ny', 1, 'x\ny\nc\n'],
    ['a leading line break in CRLF', 'a\r\nb\r\n', '\nb', '\nx', 1, 'a\r\nx\r\n'],
    ['a trailing line break in CRLF', 'a\r\nb\r\n', 'a\n', 'x\n', 1, 'x\r\nb\r\n'],
    [
      'mixed: the ending of the line where it begins',
      'a\r\nb\nc\n',
      'b',
      'x\ny',
      1,
      'a\r\nx\ny\nc\n',
    ],
    ['the last line without a newline', 'a\r\nb', 'b', 'x\ny', 1, 'a\r\nx\r\ny'],
    ['special characters are plain', 'f(a.*)$1\n', 'a.*', '$&', 1, 'f($&)$1\n'],
    ['NUL bytes', 'a\0b', '\0', 'x', 1, 'axb'],
  ])('%s', (_, file, find, replacement, count, expected) => {
    expect(text(file, find, replacement, count)).toBe(expected);
  });

  test('a file in latin-1 is searched in latin-1, and stays in it', () => {
    expect(text(Buffer.from('caf\xe9 au lait', 'latin1'), 'café', 'thé')).toBe('th\xe9 au lait');
    expect(problem(Buffer.from('caf\xe9', 'latin1'), 'caf', '€')).toMatchObject({
      kind: 'refused',
    });
  });

  test('a UTF-8 file is never searched in latin-1', () => {
    expect(problem('é', 'Ã©', 'x')).toMatchObject({ kind: 'no-match' });
  });

  test.each<[string, string, string, string, number, object]>([
    ['found twice', 'a\nb\na\n', 'a', 'x', 1, { kind: 'ambiguous', expected: 1, lines: [1, 3] }],
    [
      'found less often than said',
      'a\nb\na\n',
      'a',
      'x',
      3,
      { kind: 'ambiguous', expected: 3, lines: [1, 3] },
    ],
    ['found twice in a line', 'a a\n', 'a', 'x', 1, { kind: 'ambiguous', lines: [1, 1] }],
    [
      'overlapping, once',
      'aaa',
      'aa',
      'x',
      1,
      { kind: 'ambiguous', lines: [1, 1], what: expect.stringContaining('overlap') },
    ],
    [
      'overlapping, twice',
      'aaa',
      'aa',
      'x',
      2,
      { kind: 'refused', why: expect.stringContaining('overlap') },
    ],
    ['an empty find', 'a', '', 'x', 1, { kind: 'refused' }],
    ['count of nought', 'a', 'a', 'x', 0, { kind: 'refused' }],
    ['equal texts', 'a', 'a', 'a', 1, { kind: 'no-change' }],
    ['texts that differ in line breaks alone', 'a\nb', 'a\nb', 'a\r\nb', 1, { kind: 'no-change' }],
    [
      'not found',
      'return self.post("/pause", mode, timeout)\n',
      'self.post("/pause", mode)',
      'x',
      1,
      {
        kind: 'no-match',
        nearest: {
          line: 1,
          expected: 'self.post("/pause", mode)',
          found: 'return self.post("/pause", mode, timeout)',
        },
      },
    ],
    [
      'several lines of which one differs',
      'a = 1\nb = 2\nc = 3\n',
      'a = 1\nb = 9\nc = 3\n',
      'x',
      1,
      { kind: 'no-match', nearest: { line: 2, expected: 'b = 9', found: 'b = 2' } },
    ],
    ['nothing alike', 'a\n', 'something else', 'x', 1, { kind: 'no-match', nearest: null }],
    ['upper and lower case differ', 'A\n', 'a', 'x', 1, { kind: 'no-match' }],
  ])('refused: %s', (_, file, find, replacement, count, expected) => {
    expect(problem(file, find, replacement, count)).toMatchObject(expected);
  });

  test('in any file it replaces what stands there exactly once, and nothing else', () => {
    const piece = fc.stringMatching(/^[ab\n]{0,12}$/);
    let landed = 0;
    fc.assert(
      fc.property(
        piece,
        fc.stringMatching(/^[ab\n]{1,4}$/),
        piece,
        fc.stringMatching(/^[xy\n]{0,3}$/),
        (head, find, tail, fresh) => {
          const file = head + find + tail;
          const places = Array.from(file, (_, index) => index).filter((index) =>
            file.startsWith(find, index),
          );
          const result = replace(file, find, fresh);
          expect(result.ok).toBe(places.length === 1 && find !== fresh);
          if (!result.ok) return;
          landed += 1;
          expect(result.value.toString()).toBe(head + fresh + tail);
        },
      ),
      { numRuns: 1000 },
    );
    expect(landed).toBeGreaterThan(30);
  });
});

const on = (from: number, to: number, find: string) =>
  replaceOnLines(splitLines(Buffer.from('a b\na a\nc')), 'a.py', { from, to }, { find, with: 'x' });

describe('replace on lines', () => {
  test('only what stands on the lines counts', () => {
    expect(on(1, 1, 'a')).toMatchObject({ value: Buffer.from('x b\na a\nc') });
    expect(on(3, 3, 'c')).toMatchObject({ value: Buffer.from('a b\na a\nx') });
  });

  test.each<[string, number, number, string, string]>([
    ['twice on the line', 2, 2, 'a', 'ambiguous'],
    ['twice on the lines', 1, 2, 'b\na', 'ok'],
    ['not on the line', 3, 3, 'a', 'no-match'],
    ['past the lines', 1, 1, 'b\na', 'no-match'],
    ['no such line', 4, 4, 'a', 'refused'],
    ['line nought', 0, 1, 'a', 'refused'],
    ['nothing to find', 3, 3, '', 'refused'],
  ])('%s', (_, from, to, find, kind) => {
    const result = on(from, to, find);
    expect(result.ok ? 'ok' : result.error.kind).toBe(kind);
  });
});
