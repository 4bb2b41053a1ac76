import { describe, expect, test } from 'vitest';
import type { FileStates, Part } from '../../src/mutation/file-change.js';
import type { Change } from '../../src/prove/fix.js';
import { needsOf } from '../../src/prove/needed-by.js';

const bytes = (text: string): Buffer => Buffer.from(text);

/**
 * Changes of files whose lines are written `-old` and `+fresh`; each run of them is one change,
 * numbered through.
 */
function changesIn(files: Readonly<Record<string, string>>): readonly Change[] {
  const changes: Change[] = [];
  const add = (part: Part): void => {
    const base = { class: 'source', why: '', scope: null, obstacle: null } as const;
    changes.push({ ...base, id: String(changes.length + 1), parts: [part] });
  };
  for (const [path, text] of Object.entries(files)) {
    const lines = text.split('\n').slice(0, -1);
    const side = (mark: string): string =>
      lines
        .filter((line) => line.startsWith(mark) || line.startsWith(' ') || line === '')
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const isNew = lines.every((line) => line.startsWith('+'));
    const after = bytes(side('+'));
    const before = isNew ? null : bytes(side('-'));
    const file: FileStates = { path, oldPath: isNew ? null : path, before, after, now: after };
    if (isNew) {
      add({ kind: 'created', file, isThere: true });
      continue;
    }
    let [old, fresh] = [0, 0];
    for (let at = 0; at < lines.length;) {
      const from = { old, fresh };
      for (; lines[at]?.startsWith('-') === true; at += 1) old += 1;
      for (; lines[at]?.startsWith('+') === true; at += 1) fresh += 1;
      if (old === from.old && fresh === from.fresh) {
        [old, fresh, at] = [old + 1, fresh + 1, at + 1];
        continue;
      }
      const span = { from: from.fresh, to: fresh };
      add({ kind: 'lines', file, old: { from: from.old, to: old }, fresh: span, now: span });
    }
  }
  return changes;
}

/** `1 needs 2 (name)`. */
const told = (files: Readonly<Record<string, string>> | string): readonly string[] =>
  [...needsOf(changesIn(typeof files === 'string' ? { 'src/app.py': files } : files))].flatMap(
    ([id, needs]) => needs.map((need) => `${id} needs ${need.id} (${need.name})`),
  );

describe('what a change defines and another uses', () => {
  test.each([
    ['a function', '+def f():\n+    pass\n \n-x = 1\n+x = f()\n', 'f'],
    ['a constant', '+LIMIT = 3\n \n def g():\n-    return 1\n+    return LIMIT\n', 'LIMIT'],
    ['an import', '+import os as system\n \n def g():\n+    system.exit()\n     pass\n', 'system'],
    ['a name that is added to', '+total = 0\n \n+total += 1\n', 'total'],
    ['a local', ' def g(a):\n+    b = 1\n     a()\n-    return a\n+    return b\n', 'b'],
    [
      'a parameter',
      ' def g(\n     a,\n+    b,\n ):\n     a()\n-    return a\n+    return b\n',
      'b',
    ],
    [
      'a method',
      ' class A:\n+    def f(self):\n+        pass\n \n     def g(self):\n+        self.f()\n         pass\n',
      'f',
    ],
    [
      'an attribute',
      ' class A:\n     def __init__(self):\n+        self.n = 1\n         pass\n \n     def g(self):\n+        self.n()\n         pass\n',
      'n',
    ],
    ['a field', ' @data\n class A:\n     a: int\n+    b: int\n \n-A(1)\n+A(1, b=2)\n', 'b'],
    ['a class attribute in its class', ' class A:\n+    n = 1\n     pass\n+    m = n\n', 'n'],
  ])('%s', (_, text, name) => {
    expect(told(text)).toEqual([`1 needs 2 (${name})`]);
  });

  test.each([
    ['imported', 'from app import f\n'],
    ['as an attribute', 'import app\nx = app.f()\n'],
  ])('in another file, %s', (_, text) => {
    const fresh = text.replaceAll(/^/gm, '+').slice(0, -1);
    expect(
      told({ 'src/app.py': '+def f():\n+    pass\n y = 1\n', 'src/b.py': `${fresh} z = 1\n` }),
    ).toEqual(['1 needs 2 (f)']);
  });

  test('a new module', () => {
    expect(
      told({ 'src/fast.py': '+def f():\n+    pass\n', 'src/b.py': '+import fast\n z = 1\n' }),
    ).toEqual(['1 needs 2 (fast)']);
  });

  test('all that use it, and what they define in turn', () => {
    expect(told('+a = 1\n \n+b = a\n \n+c = a + b\n')).toEqual([
      '1 needs 2 (a)',
      '1 needs 3 (a)',
      '2 needs 3 (b)',
    ]);
  });
});

describe('what a change took away and the old lines of another use', () => {
  test.each([
    ['a function', '-def f():\n-    pass\n \n-x = f()\n+x = 1\n', 'f'],
    ['an attribute', ' class A:\n-    n = 1\n     pass\n-A.n\n+A.m\n', 'n'],
  ])('%s', (_, text, name) => {
    expect(told(text)).toEqual([`2 needs 1 (${name})`]);
  });

  test('a renamed function and its caller need each other', () => {
    expect(told('-def f():\n+def g():\n     pass\n-f()\n+g()\n')).toEqual([
      '1 needs 2 (g)',
      '2 needs 1 (f)',
    ]);
  });
});

describe('calls that fit the function on one side alone', () => {
  const call = (old: string, fresh: string, was: string, is: string): string =>
    `-def f(${old}):\n+def f(${fresh}):\n     pass\n \n-f(${was})\n+f(${is})\n`;

  test.each([
    ['one more by position', 'a', 'a, b=1', '1', '1, 2', ['1 needs 2 (f)']],
    ['one more by name', 'a', 'a, b=1', '1', '1, b=2', ['1 needs 2 (f)']],
    ['one that is required', 'a', 'a, b', '1', '1, 2', ['1 needs 2 (f)', '2 needs 1 (f)']],
    ['one that is required no more', 'a, b', 'a, b=1', '1, 2', '1', ['1 needs 2 (f)']],
    ['one that is gone', 'a, b=1', 'a', '1, 2', '1', ['2 needs 1 (f)']],
    ['by name alone from now on', 'a, b', 'a, *, b', '1, 2', '1, b=2', ['2 needs 1 (f)']],
    ['what was by position alone', 'a, /', 'a', '1', 'a=1', ['1 needs 2 (f)']],
    ['what fits both', 'a', 'a, b=1', '1', '2', []],
    ['what is not known', 'a', 'a, b=1, c=2', '1', '1, 2, *rest', []],
    ['what takes all', '*a, **b', 'c, d=1, *a, **b', '1', '1, 2, e=3', []],
  ])('%s', (_, old, fresh, was, is, needs) => {
    expect(told(call(old, fresh, was, is))).toEqual(needs);
  });

  test('a constructor is called by the name of its class, and `self` counts for nothing', () => {
    const text =
      ' class A:\n-    def __init__(self, a):\n+    def __init__(self, a, b=1):\n         pass\n \n-A(1)\n+A(1, 2)\n';
    expect(told(text)).toEqual(['1 needs 2 (__init__)']);
  });

  test('what is called is what a change touches the head of', () => {
    const text =
      '+x = 1\n \n-def f(a):\n+def f(a, b=1):\n     pass\n \n-f(1)\n+f(1, 2)\n \n+y = 1\n';
    expect(told(text)).toEqual(['2 needs 3 (f)']);
  });

  test('a static method has no `self`', () => {
    const text = (decorator: string): string =>
      ` class A:\n     @${decorator}\n-    def f(a):\n+    def f(a, b=1):\n         pass\n \n-A.f(1)\n+A.f(1, 2)\n`;
    expect(told(text('staticmethod'))).toEqual(['1 needs 2 (f)']);
    expect(told(text('other'))).toEqual([]);
  });
});

describe('what is no need', () => {
  test.each([
    ['another name', '+a = 1\n \n+b = c\n'],
    ['the word in a string or a comment', '+a = 1\n \n+b = "a"  # a\n'],
    [
      'a local of another function',
      ' def f():\n+    a = 1\n     pass\n \n def g(a):\n+    a()\n     pass\n',
    ],
    [
      'a parameter of the same name as one of the module',
      '+a = 1\n \n def g(a):\n+    a()\n     pass\n',
    ],
    ['an argument of the same name as a field', ' class A:\n+    b: int\n     pass\n+f(b=2)\n'],
    ['a name that is bound anew', '+a = 1\n \n+a = 2\n'],
    ['the name of an argument of anything', '+a = 1\n \n+f(a=2)\n'],
    ['an attribute of the same name as a local', ' def f():\n+    a = 1\n     x.b\n+    x.a\n'],
    ['a name that the file binds elsewhere too', ' a = 0\n+a = 1\n \n+b = a\n'],
    ['a name that the old lines bind as well', '-a = 0\n+a = 1\n \n+b = a\n'],
    [
      'a method that another class of the file has as well',
      ' class A:\n     def f(self):\n         pass\n class B(A):\n+    def f(self):\n+        pass\n     x = 1\n+B().f()\n',
    ],
    [
      'a name of the module below a local one',
      ' a = 1\n def f():\n+    a = 2\n     pass\n+    a()\n',
    ],
  ])('%s', (_, text) => {
    expect(told(text)).toEqual([]);
  });

  test('what stands in no Python', () => {
    expect(told({ 'src/a.js': '+a = 1\n \n+b = a\n' })).toEqual([]);
  });
});
