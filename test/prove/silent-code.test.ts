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
