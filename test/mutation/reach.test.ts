import { describe, expect, test } from 'vitest';
import { toLocatedEdit } from '../../src/mutation/located.js';
import { PYTHON_REACH } from '../../src/mutation/python-raise.js';
import { raiseAt } from '../../src/mutation/reach.js';
import { RUST_REACH } from '../../src/mutation/rust-raise.js';
import { REACH_MARKER } from '../../src/spec/reach-marker.js';

const toBytes = (text: string | null) => (text === null ? null : Buffer.from(text));

/** The line of the baseline below which the raise stands, or why there is none. */
function reach(before: string | null, after: string | null, path = 'a.py'): string {
  const result = raiseAt(toLocatedEdit(path, toBytes(before), toBytes(after)));
  if (!result.ok) return result.error.why;
  const lines = result.value.after?.toString().split('\n') ?? [];
  const at = lines.findIndex((line) => [PYTHON_REACH, RUST_REACH].includes(line.trim()));
  lines.splice(at, 1);
  expect(lines.join('\n')).toBe(before);
  return lines[at - 1]?.trim() ?? '';
}

const FILE = 'def f():\n    a\n    b\n\n\ndef g():\n    c\n';

describe('the raise stands above the first changed line', () => {
  test.each<[string, string, string, string]>([
    ['a changed line', FILE, FILE.replace('b', 'x'), 'def f():'],
    ['a removed line', FILE, FILE.replace('    b\n', ''), 'def f():'],
    ['an inserted line', FILE, FILE.replace('    b', '    x\n    b'), 'def f():'],
    [
      'a line inserted at the end of a function',
      FILE,
      FILE.replace('b\n', 'b\n    x\n'),
      'def f():',
    ],
    [
      'a line inserted at the head of a function',
      FILE,
      FILE.replace('    c', '    x\n    c'),
      'def g():',
    ],
    ['a line inserted at the end of the file', FILE, `${FILE}    x\n`, 'def g():'],
    ['a changed signature', FILE, FILE.replace('def g()', 'def g(a)'), 'def g():'],
    ['the first of two changes', FILE, FILE.replace('a\n', 'x\n').replace('c', 'y'), 'def f():'],
    [
      'a blank line and the code below it',
      'def f():\n    a\n\n    b\n',
      'def f():\n    a\n    x\n',
      'def f():',
    ],
    ['a decorator', '@d\ndef f():\n    a\n', '@e\ndef f():\n    a\n', 'def f():'],
    [
      'a function inside another that goes',
      'def f():\n    def g():\n        a\n    b\n',
      'def f():\n    b\n',
      'def g():',
    ],
    [
      'a function put inside another',
      'def f():\n    b\n',
      'def f():\n    def g():\n        a\n    b\n',
      'def f():',
    ],
  ])('%s', (_, before, after, expected) => {
    expect(reach(before, after)).toBe(expected);
  });
});

const RUST = `impl A {
    fn f(&self) -> u8 {
        a();
        b()
    }

    #[inline]
    fn g(&self) {
        c.map(|x| {
            d(x)
        });
    }
}
const LIMIT: u8 = 1;
`;

describe('in Rust', () => {
  test('the panic names itself', () => {
    expect(RUST_REACH).toContain(`"${REACH_MARKER}"`);
  });

  test.each<[string, string, string]>([
    ['a changed line', RUST.replace('b()', 'x()'), 'fn f(&self) -> u8 {'],
    ['a removed line', RUST.replace('        a();\n', ''), 'fn f(&self) -> u8 {'],
    [
      'an inserted line',
      RUST.replace('        b', '        x();\n        b'),
      'fn f(&self) -> u8 {',
    ],
    ['a line inserted at the end', RUST.replace('b()', 'b();\n        x()'), 'fn f(&self) -> u8 {'],
    ['a line put before the brace', RUST.replace('});', '});\n        x();'), 'fn g(&self) {'],
    ['a line in a closure', RUST.replace('d(x)', 'x'), 'c.map(|x| {'],
    ['an attribute', RUST.replace('#[inline]', '#[cold]'), 'fn g(&self) {'],
    ['a signature', RUST.replace('-> u8', '-> u16'), 'fn f(&self) -> u8 {'],
  ])('%s', (_, after, expected) => {
    expect(reach(RUST, after, 'src/a.rs')).toBe(expected);
  });

  test.each<[string, string, RegExp]>([
    ['a constant', RUST.replace('= 1', '= 2'), /line 14 lies in a constant/],
    ['a new method', RUST.replace('    #[inline]', '    fn h() {}\n\n    #[inline]'), /in a type/],
    ['a new function', `${RUST}fn h() {}\n`, /module level/],
  ])('unknown: %s', (_, after, why) => {
    expect(reach(RUST, after, 'src/a.rs')).toMatch(why);
  });
});

describe('unknown, with the reason', () => {
  test.each<[string, string | null, string | null, RegExp]>([
    ['module level', 'a = 1\n', 'a = 2\n', /module level/],
    ['a new function at module level', FILE, `${FILE}\n\ndef h():\n    x\n`, /module level/],
    ['class level', 'class A:\n    b = 1\n', 'class A:\n    b = 2\n', /class level/],
    [
      'a new method',
      'class A:\n    b = 1\n',
      'class A:\n    b = 1\n    def f(self):\n        x\n',
      /class level/,
    ],
    ['a created file', null, 'a\n', /does not exist/],
    ['a deleted file', 'a\n', null, /deleted/],
    ['code that cannot be parsed', 'def f(:\n  a\n', 'def f(:\n  b\n', /cannot be parsed/],
  ])('%s', (_, before, after, why) => {
    expect(reach(before, after)).toMatch(why);
  });

  test('another language', () => {
    expect(reach('a\n', 'b\n', 'data.json')).toMatch(/neither Python nor Rust/);
  });
});
