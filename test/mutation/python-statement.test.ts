import { describe, expect, test } from 'vitest';
import { removeFromPython } from '../../src/mutation/python-statement.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

function remove(file: string | Buffer, from: number, to = from): string {
  const result = removeFromPython(toBytes(file), 'a.py', from, to);
  if (result.ok) return result.value.toString('latin1');
  return result.error.kind === 'refused' ? `refused: ${result.error.why}` : result.error.kind;
}

describe('the statement on a line is taken away whole', () => {
  test.each<[string, string, number, number, string]>([
    ['a line', 'a\nb\nc\n', 2, 2, 'a\nc\n'],
    ['the only line of a module', 'a\n', 1, 1, ''],
    ['from the middle of a call', 'a\nf(\n  1,\n  2,\n)\nb\n', 3, 3, 'a\nb\n'],
    ['a string of several lines', 'a = """\n\nx\n"""\nb\n', 3, 3, 'b\n'],
    ['a statement after a backslash', 'a = 1 + \\\n  2\nb\n', 2, 2, 'b\n'],
    ['a return', 'def f():\n    a\n    return 1\n', 3, 3, 'def f():\n    a\n'],
    ['with its comment', 'a\nb  # why\nc\n', 2, 2, 'a\nc\n'],
    ['both statements of a line', 'a\nb; c\nd\n', 2, 2, 'a\nd\n'],
    ['an if with its branches', 'if a:\n    b\nelse:\n    c\nd\n', 1, 1, 'd\n'],
    ['an if from the second line of its condition', 'if (a and\n    b):\n    c\nd\n', 2, 2, 'd\n'],
    ['an if on one line', 'if a: b\nc\n', 1, 1, 'c\n'],
    ['a loop, a with, a try', 'for i in a:\n    b\nc\n', 1, 1, 'c\n'],
    ['a match', 'match a:\n    case 1:\n        b\nc\n', 1, 1, 'c\n'],
    [
      'a line in an elif',
      'if a:\n    b\nelif c:\n    d\n    e\n',
      4,
      4,
      'if a:\n    b\nelif c:\n    e\n',
    ],
    [
      'a line in a case',
      'match a:\n    case 1:\n        b\n        c\n',
      3,
      3,
      'match a:\n    case 1:\n        c\n',
    ],
    [
      'a line in a finally',
      'try:\n    a\nfinally:\n    b\n    c\n',
      4,
      4,
      'try:\n    a\nfinally:\n    c\n',
    ],
    ['several lines', 'a\nb\nc\nd\n', 2, 3, 'a\nd\n'],
    ['lines with blanks and comments at their ends', 'a\n# x\nb\n\nc\n', 2, 4, 'a\n# x\n\nc\n'],
    ['a range that holds an if', 'a\nif b:\n    c\nd\n', 1, 3, 'd\n'],
    ['a whole function, named by its range', 'def f():\n    a\n\nb\n', 1, 2, '\nb\n'],
    ['a whole decorated function', '@d\ndef f():\n    a\nb\n', 1, 3, 'b\n'],
    ['a decorator', '@d(\n  1)\n@e\ndef f():\n    a\n', 2, 2, '@e\ndef f():\n    a\n'],
    [
      'a line of a decorated function',
      '@d\ndef f():\n    a\n    b\n',
      4,
      4,
      '@d\ndef f():\n    a\n',
    ],
    ['CRLF', 'a\r\nb\r\nc\r\n', 2, 2, 'a\r\nc\r\n'],
    ['the last line without a newline', 'a\nb', 2, 2, 'a\n'],
  ])('%s', (_, file, from, to, expected) => {
    expect(remove(file, from, to)).toBe(expected);
  });
});

describe('a block that would be empty gets pass', () => {
  test.each<[string, string, number, string]>([
    ['a function', 'def f():\n    return 1\n', 2, 'def f():\n    pass\n'],
    ['a function of several lines', 'def f():\n    g(\n      1)\n', 2, 'def f():\n    pass\n'],
    ['with the comment kept', 'def f():\n    return 1  # why\n', 2, 'def f():\n    pass  # why\n'],
    ['two statements', 'def f():\n    a; b\n', 2, 'def f():\n    pass\n'],
    ['a body on the line', 'def f(): return 1\n', 1, 'def f(): pass\n'],
    ['a class on the line', 'class A: b = 1\n', 1, 'class A: pass\n'],
    ['an else', 'if a:\n    b\nelse:\n    c\n', 4, 'if a:\n    b\nelse:\n    pass\n'],
    ['an else on the line', 'if a:\n    b\nelse: c\n', 3, 'if a:\n    b\nelse: pass\n'],
    ['an except', 'try:\n    a\nexcept E:\n    raise\n', 4, 'try:\n    a\nexcept E:\n    pass\n'],
    ['a case', 'match a:\n    case 1:\n        b\n', 3, 'match a:\n    case 1:\n        pass\n'],
    [
      'a block that is the whole function',
      'def f():\n    if a:\n        b\n',
      2,
      'def f():\n    pass\n',
    ],
    ['tabs', 'class A:\n\tdef f(self):\n\t\treturn 1\n', 3, 'class A:\n\tdef f(self):\n\t\tpass\n'],
  ])('%s', (_, file, line, expected) => {
    expect(remove(file, line)).toBe(expected);
  });

  test('a docstring keeps a function from being empty', () => {
    expect(remove('def f():\n    "doc"\n    a\n', 3)).toBe('def f():\n    "doc"\n');
  });
});

test('bytes of any encoding around it stay', () => {
  const file = Buffer.from('a = "\xe9\xff"\nb = "\xe9"\nc = "\xc3"\n', 'latin1');
  expect(remove(file, 2)).toBe('a = "\xe9\xff"\nc = "\xc3"\n');
});

describe('what is no statement is refused by name', () => {
  test.each<[string, string, number, number, RegExp]>([
    ['a blank line', 'a\n\nb\n', 2, 2, /line 2 is blank; the next code is on line 3/],
    ['a comment', '# a\nb\n', 1, 1, /is a comment; the next code is on line 2/],
    ['no code at all', 'a\n# b\n\n', 2, 3, /hold no code$/],
    ['a docstring', 'def f():\n    """doc\n    more"""\n    a\n', 3, 3, /docstring/],
    ['the docstring of a module', '"doc"\na\n', 1, 1, /docstring/],
    ['pass', 'def f():\n    pass\n', 2, 2, /does nothing/],
    ['dots', 'def f():\n    ...\n', 2, 2, /does nothing/],
    ['pass on the line', 'def f(): pass\n', 1, 1, /does nothing/],
    ['a def', 'def f():\n    a\n', 1, 1, /begins a function/],
    ['a line of a signature', 'def f(\n  a,\n):\n    a\n', 2, 2, /begins a function/],
    ['a decorated def', '@d\ndef f():\n    a\n', 2, 2, /begins a function/],
    ['a class', 'class A:\n    b = 1\n', 1, 1, /begins a class/],
    ['an else', 'if a:\n    b\nelse:\n    c\n', 3, 3, /is an `else`/],
    ['an elif', 'if a:\n    b\nelif c:\n    d\n', 3, 3, /is an `elif`/],
    ['an except', 'try:\n    a\nexcept E:\n    b\n', 3, 3, /is an `except`/],
    ['a finally', 'try:\n    a\nfinally:\n    b\n', 3, 3, /is an? `finally`/],
    ['a case', 'match a:\n    case 1:\n        b\n', 2, 2, /is an? `case`/],
    [
      'half of an if',
      'a\nif b:\n    c\n    d\n',
      1,
      3,
      /lines 1 to 3 cut the statement of lines 2 to 4/,
    ],
    ['the head of an if and a part of its body', 'if b:\n    c\n    d\n', 1, 2, /cut/],
    ['two branches', 'if b:\n    c\nelse:\n    d\n', 2, 4, /cut/],
    ['a decorator and the def', '@d\ndef f():\n    a\n    b\n', 1, 2, /cut/],
    ['past the end', 'a\n', 1, 2, /which has 1/],
    ['line nought', 'a\n', 0, 0, /which has 1/],
    ['code that cannot be parsed', 'def f(:\n    a\n', 2, 2, /cannot be parsed/],
  ])('%s', (_, file, from, to, why) => {
    expect(remove(file, from, to)).toMatch(/^refused: /);
    expect(remove(file, from, to)).toMatch(why);
  });
});
