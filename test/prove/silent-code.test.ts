import { expect, test } from 'vitest';
import { isSameCode, mayBeSilent } from '../../src/prove/silent-code.js';

const isSamePython = (a: Buffer, b: Buffer): boolean => isSameCode('a.py', a, b);

const BASE = `import os


def f(a):
    """Doc."""
    # why
    if a:
        return "é"  # tail
    return os.name
`;

test.each([
  ['comments', BASE.replace('# why', '# because').replace('  # tail', ''), true],
  ['blank lines', BASE.replace('import os\n', 'import os\n\n'), true],
  ['a docstring', BASE.replace('"""Doc."""', '"""Other\n    words."""'), true],
  ['a docstring that is gone', BASE.replace('    """Doc."""\n', ''), true],
  ['a line that is broken in brackets', BASE.replace('f(a)', 'f(\n    a\n)'), true],
  ['a letter beyond ASCII', BASE.replace('é', 'ü'), false],
  ['a name', BASE.replace('os.name', 'os.sep'), false],
  ['an indentation', BASE.replace('    return os.name', '        return os.name'), false],
  ['a string that is no docstring', BASE.replace('import os', '"a"\n"b"\nimport os'), false],
  ['what does not parse', BASE.replace('def f(a):', 'def f(a'), false],
])('%s', (_, other, same) => {
  const [before, after] = [Buffer.from(BASE), Buffer.from(other)];
  expect(isSamePython(before, after)).toBe(same);
  const all = { from: 0, to: 99 };
  if (same && !other.includes('f(\n'))
    expect(mayBeSilent('a.py', { before, old: all }, { after, fresh: all })).toBe(true);
});

test.each(['"""One."""', '"""One\n    two."""'])(
  'a class of nothing but a docstring: %j',
  (doc) => {
    const [a, b] = [`class E(Exception):\n    ${doc}\n`, 'class E(Exception):\n    """Other."""\n'];
    expect(isSamePython(Buffer.from(a), Buffer.from(b))).toBe(true);
  },
);

test('a change of one line of code is not taken for a silent one', () => {
  const [before, after] = [Buffer.from(BASE), Buffer.from(BASE.replace('os.name', 'os.sep'))];
  const line = { from: 8, to: 9 };
  expect(mayBeSilent('a.py', { before, old: line }, { after, fresh: line })).toBe(false);
});

test.each([
  ['behind an escape', 'X = "\\t#ff0000"\n', 'X = "\\t#00ff00"\n'],
  ['behind an escape in bytes', 'X = b"\\x00#one"\n', 'X = b"\\x00#two"\n'],
  ['a format', 'X = f"{x:#x}"\n', 'X = f"{x:#o}"\n'],
  ['a line that begins with #', 'X = """\\\n# red\nkey\n"""\n', 'X = """\\\n# blue\nkey\n"""\n'],
  ['a blank line in a string', 'X = """a\nb"""\n', 'X = """a\n\nb"""\n'],
  ['blanks between parts of a string', 'X = f"{a} {b}"\n', 'X = f"{a}  {b}"\n'],
  ['the encoding', '# coding: utf-8\nX = "é"\n', '# coding: latin-1\nX = "é"\n'],
  ['the interpreter', '#!/bin/a\nX = 1\n', '#!/bin/b\nX = 1\n'],
])('what looks like a comment and is none: %s', (_, before, after) => {
  expect(isSamePython(Buffer.from(before), Buffer.from(after))).toBe(false);
});

test.each([
  ['"\\t// a"', '"\\t// b"'],
  ['b"\\x00// a"', 'b"\\x00// b"'],
  ['"a \\n b"', '"a \\n  b"'],
  ['r#"\n// a\n"#', 'r#"\n// b\n"#'],
  ["'a'", "'b'"],
])('Rust: a string %s is no comment', (before, after) => {
  for (const call of ['g', 'm!']) {
    const text = (value: string): Buffer => Buffer.from(`fn f() { ${call}(${value}); }\n`);
    expect(isSameCode('a.rs', text(before), text(after))).toBe(false);
    expect(isSameCode('a.rs', text(before), text(`${before} /* why */`))).toBe(true);
  }
});

test('the only statement of a body counts', () => {
  const [a, b] = ['def f():\n    """A."""\n', 'def f():\n    pass\n'];
  expect(isSamePython(Buffer.from(a), Buffer.from(b))).toBe(false);
});

test.each([
  ['comments', '/// Doc.\nfn f() { g(/* x */) } // tail\n', true],
  ['a block of them', '/*\n * Doc.\n */\nfn f() { g() }\n', true],
  ['a call', 'fn f() { h() }\n', false],
  ['a number in a macro', 'fn f() { g(); m!(1) }\n', false],
])('Rust: %s', (_, other, same) => {
  const [before, after] = [Buffer.from('// Old.\nfn f() { g() }\n'), Buffer.from(other)];
  expect(isSameCode('a.rs', before, after)).toBe(same);
  expect(isSameCode('a.txt', Buffer.from('a'), Buffer.from('a'))).toBe(false);
});
