import { describe, expect, test } from 'vitest';
import { splitLines } from '../../src/mutation/lines.js';
import { raiseInPython } from '../../src/mutation/python-raise.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

/** Puts `raise X` at the head of the function on a 1-based line. */
function raise(file: string | Buffer, line: number): string {
  const result = raiseInPython(splitLines(toBytes(file)), line - 1, 'raise X');
  return result.ok ? result.value.toString('latin1') : `refused: ${result.error}`;
}

describe('the statement stands first in the body', () => {
  test.each<[string, string, number, string]>([
    ['a plain function', 'def f(a):\n    return a\n', 1, 'def f(a):\n    raise X\n    return a\n'],
    [
      'from a line of the body',
      'def f(a):\n    b\n    return a\n',
      3,
      'def f(a):\n    raise X\n    b\n    return a\n',
    ],
    [
      'after the docstring',
      'def f():\n    """doc\n    more"""\n    a\n',
      1,
      'def f():\n    """doc\n    more"""\n    raise X\n    a\n',
    ],
    [
      'after a docstring in parts',
      'def f():\n    "a" "b"\n    a\n',
      1,
      'def f():\n    "a" "b"\n    raise X\n    a\n',
    ],
    [
      'behind a docstring that is all',
      'def f():\n    "doc"  # c\n',
      1,
      'def f():\n    "doc"; raise X  # c\n',
    ],
    [
      'an f-string is no docstring',
      'def f():\n    f"{a}"\n',
      1,
      'def f():\n    raise X\n    f"{a}"\n',
    ],
    ['bytes are no docstring', 'def f():\n    b"a"\n', 1, 'def f():\n    raise X\n    b"a"\n'],
    [
      'below a comment',
      'def f():  # c\n    # note\n    a\n',
      1,
      'def f():  # c\n    # note\n    raise X\n    a\n',
    ],
    [
      'a signature of several lines',
      'def f(\n    a=(1),\n) -> int:\n    b\n',
      1,
      'def f(\n    a=(1),\n) -> int:\n    raise X\n    b\n',
    ],
    [
      'from the last line of the signature',
      'def f(\n    a,\n) -> int:\n    b\n',
      3,
      'def f(\n    a,\n) -> int:\n    raise X\n    b\n',
    ],
    ['async', 'async def f():\n    await a\n', 1, 'async def f():\n    raise X\n    await a\n'],
    [
      'from a decorator',
      '@d(1)\n@e\ndef f():\n    a\n',
      1,
      '@d(1)\n@e\ndef f():\n    raise X\n    a\n',
    ],
    [
      'a method',
      'class A:\n    def f(self):\n        a\n',
      2,
      'class A:\n    def f(self):\n        raise X\n        a\n',
    ],
    [
      'a nested function',
      'def f():\n    def g():\n        a\n    b\n',
      2,
      'def f():\n    def g():\n        raise X\n        a\n    b\n',
    ],
    [
      'the outer of two',
      'def f():\n    def g():\n        a\n    b\n',
      1,
      'def f():\n    raise X\n    def g():\n        a\n    b\n',
    ],
    ['a body on the line', 'def f(): return 1\n', 1, 'def f(): raise X; return 1\n'],
    ['two statements on the line', 'def f(): a; b\n', 1, 'def f(): raise X; a; b\n'],
    ['a docstring on the line', 'def f(): "doc"\n', 1, 'def f(): "doc"; raise X\n'],
    [
      'a statement behind a docstring',
      'def f():\n    "doc"; a\n',
      1,
      'def f():\n    "doc"; raise X; a\n',
    ],
    [
      'a body after a backslash',
      'def f(): \\\n    return 1\n',
      1,
      'def f(): \\\n    raise X; return 1\n',
    ],
    [
      'tabs',
      'class A:\n\tdef f(self):\n\t\ta\n',
      2,
      'class A:\n\tdef f(self):\n\t\traise X\n\t\ta\n',
    ],
    ['CRLF', 'def f():\r\n    a\r\n', 1, 'def f():\r\n    raise X\r\n    a\r\n'],
    ['no newline at the end', 'def f():\n    a', 1, 'def f():\n    raise X\n    a'],
    [
      'a body that begins with a block',
      'def f():\n    if a:\n        b\n',
      1,
      'def f():\n    raise X\n    if a:\n        b\n',
    ],
    ['a generator', 'def f():\n    yield 1\n', 1, 'def f():\n    raise X\n    yield 1\n'],
    [
      'a type parameter',
      'def f[T](x: T) -> T:\n    a\n',
      1,
      'def f[T](x: T) -> T:\n    raise X\n    a\n',
    ],
    [
      'a lambda in a function counts as the function',
      'def f():\n    return lambda: 1\n',
      2,
      'def f():\n    raise X\n    return lambda: 1\n',
    ],
    [
      'empty strings in the signature',
      'def f(a="", b=f"", *c) -> "":\n    a\n',
      1,
      'def f(a="", b=f"", *c) -> "":\n    raise X\n    a\n',
    ],
    [
      'beside code that the parser does not know',
      'def f():\n    a\n\ndef g(:\n    b\n',
      1,
      'def f():\n    raise X\n    a\n\ndef g(:\n    b\n',
    ],
  ])('%s', (_, file, line, expected) => {
    expect(raise(file, line)).toBe(expected);
  });

  test.each<[string, Buffer]>([
    ['UTF-8 of every length', Buffer.from('# é€😀\ndef é(ß="😀"):\n    "doc é"\n    a = "😀"\n')],
    [
      'latin-1',
      Buffer.from('# \xe9\xff\ndef f(a="\xe9"):\n    "doc \xe9"\n    a = "\xe9"\n', 'latin1'),
    ],
    [
      'broken UTF-8',
      Buffer.from('# \xf0\x9f\ndef f(a="\xc3"):\n    "doc \x80"\n    a = "\xff"\n', 'latin1'),
    ],
    ['a byte order mark', Buffer.from('\uFEFF#\ndef f():\n    "doc"\n    a\n')],
  ])('at the right byte in %s', (_, file) => {
    const [head, doc, tail] = [
      file.indexOf('def'),
      file.indexOf('    "doc'),
      file.lastIndexOf('    a'),
    ];
    expect(head).toBeLessThan(doc);
    const expected = Buffer.concat([
      file.subarray(0, tail),
      Buffer.from('    raise X\n'),
      file.subarray(tail),
    ]);
    expect(raise(file, 2)).toBe(expected.toString('latin1'));
  });

  test('a byte order mark before the function itself', () => {
    const file = Buffer.from('\uFEFFdef f():\n    a\n');
    expect(raise(file, 1)).toBe(
      Buffer.from('\uFEFFdef f():\n    raise X\n    a\n').toString('latin1'),
    );
  });
});

describe('where there is no such place it says why', () => {
  test.each<[string, string, number, RegExp]>([
    ['module level', 'a = 1\n', 1, /line 1 is at module level/],
    ['class level', 'class A:\n    b = 1\n', 2, /line 2 is at class level/],
    ['a class line', 'class A:\n    def f(self):\n        a\n', 1, /class level/],
    ['a lambda', 'f = lambda: 1\n', 1, /a lambda, which has no room/],
    ['code that is not Python', 'def f(:\n    a\n', 1, /cannot be parsed/],
    [
      'an encoding in which ASCII is ambiguous',
      '# coding: shift_jis\ndef f():\n    a\n',
      2,
      /encoding/,
    ],
    ['a blank line', '\ndef f():\n    a\n', 1, /module level/],
  ])('%s', (_, file, line, why) => {
    expect(raise(file, line)).toMatch(/^refused: /);
    expect(raise(file, line)).toMatch(why);
  });
});
