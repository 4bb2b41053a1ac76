import { describe, expect, test } from 'vitest';
import { renderDiagnostics, visible } from '../../src/spec/diagnostic.js';
import { diagnose, makeSource } from '../../src/spec/source.js';
import type { Diagnostic } from '../../src/spec/model.js';

const at = (text: string, find: string, hint: string | null = null): Diagnostic => {
  const start = text.indexOf(find);
  return diagnose(makeSource('a.yaml', text), { start, end: start + find.length }, 'wrong', hint);
};

const render = (diagnostic: Diagnostic, width = 80): readonly string[] =>
  renderDiagnostics([diagnostic], { colour: false, width }).split('\n');

describe('a diagnostic shows', () => {
  test('the place, the line, a caret under the fault, and the way out', () => {
    expect(render(at('id: a\nfile: b c\n', 'b c', 'Do this.\nOr that.'))).toEqual([
      'a.yaml:2:7  wrong',
      '    file: b c',
      '          ^~~',
      '    Do this.',
      '    Or that.',
      '',
    ]);
  });

  test('the caret in the right column behind tabs, wide and joined characters', () => {
    expect(render(at('\tx: bad', 'bad'))).toEqual([
      'a.yaml:1:5  wrong',
      '        x: bad',
      '           ^~~',
      '',
    ]);
    expect(render(at('日本: bad', 'bad')).slice(1, 3)).toEqual(['    日本: bad', '          ^~~']);
    expect(render(at('e\u0301👨‍👩‍👧: bad', 'bad')).slice(1, 3)).toEqual([
      '    e\u0301👨‍👩‍👧: bad',
      '         ^~~',
    ]);
    expect(render(at('a: 日本', '日本')).slice(1, 3)).toEqual(['    a: 日本', '       ^~~~']);
  });

  test('control characters and direction marks as escapes, the caret still aligned', () => {
    expect(render(at('\u001b[31m\u202e: bad', 'bad')).slice(1, 3)).toEqual([
      '    \\x1b[31m\\u202e: bad',
      '                    ^~~',
    ]);
    expect(visible('a\u0007\u009b\u200b\ud800é👍')).toBe('a\\x07\\x9b\\u200b\\ud800é👍');
  });

  test('of a long line only what stands around the caret', () => {
    const [, line, caret] = render(at(`${'a '.repeat(100)}bad${' z'.repeat(100)}`, 'bad'), 60);
    expect(line?.length).toBeLessThanOrEqual(60);
    expect(line).toMatch(/^ {4}\.\.\.[a ]+bad[z ]+\.\.\.$/);
    expect(line?.indexOf('bad')).toBe(caret?.indexOf('^~~'));
  });

  test('of a line of a megabyte the same', () => {
    const [, line, caret] = render(at(`${'x'.repeat(500_000)}BAD${'y'.repeat(500_000)}`, 'BAD'));
    expect(line?.indexOf('BAD')).toBe(caret?.indexOf('^~~'));
    expect(line?.length).toBeLessThanOrEqual(80);
  });

  test('no line where the file has none, and a caret behind the end of a line', () => {
    const none: Diagnostic = { ...at('x', 'x'), sourceLine: null };
    expect(render(none)).toEqual(['a.yaml:1:1  wrong', '']);
    const text = 'abc';
    const end = diagnose(makeSource('a.yaml', text), { start: 3, end: 4 }, 'wrong');
    expect(render(end).slice(0, 3)).toEqual(['a.yaml:1:4  wrong', '    abc', '       ^']);
  });

  test('an underline that ends with the line', () => {
    expect(render(at('a: bcd\nefg', 'bcd\nefg')).slice(1, 3)).toEqual(['    a: bcd', '       ^~~']);
    expect(render(at('a: bcd\r\nefg', 'bcd\r\nefg')).slice(1, 3)).toEqual([
      '    a: bcd',
      '       ^~~',
    ]);
  });

  test('colour only where it is asked for', () => {
    const options = { colour: true, width: 80 };
    expect(renderDiagnostics([at('a', 'a', 'h')], options)).toContain('\u001b[');
    expect(render(at('a', 'a', 'h')).join('')).not.toContain('\u001b');
  });

  test('file names as the reader needs them', () => {
    const text = renderDiagnostics([at('a', 'a')], {
      colour: false,
      width: 80,
      nameOf: (file) => `../${file}`,
    });
    expect(text).toMatch(/^\.\.\/a\.yaml:1:1 {2}wrong\n/);
  });
});

test('twenty diagnostics are shown and the rest is counted', () => {
  const list = Array.from({ length: 22 }, () => at('a', 'a'));
  const options = { colour: false, width: 80 };
  const text = renderDiagnostics(list, options);
  expect(text.match(/wrong/g)).toHaveLength(20);
  expect(text).toMatch(/\nand 2 more faults\n$/);
  expect(renderDiagnostics(list.slice(0, 21), options)).toMatch(/\nand 1 more fault\n$/);
  expect(renderDiagnostics(list.slice(0, 20), options)).not.toContain('more');
  expect(renderDiagnostics([], options)).toBe('');
});
