import { describe, expect, test } from 'vitest';
import { type Rewrite, rewriteEdits } from '../../src/spec/rewrite-edits.js';
import { makeSource } from '../../src/spec/source.js';

const PATCH = { file: 'src/a.py', patch: '@@\n-a\n+b\n' };
const GONE = { file: 'b.py', delete: true as const };

const rewrite = (text: string, ...rewrites: readonly Rewrite[]) =>
  rewriteEdits(makeSource('mutations/a.yaml', text), rewrites);

/** In the first mutation. */
const one = (...edits: Rewrite['edits']): Rewrite => ({ path: ['mutations', 0], edits });
const entry = (index: number, ...edits: Rewrite['edits']): Rewrite => ({
  path: ['mutations', 0, 'edits', index],
  edits,
});

describe('an edit is written anew', () => {
  const table: readonly [
    about: string,
    before: string,
    after: string,
    rewrites: readonly Rewrite[],
  ][] = [
    [
      'in its place, with what it was, and every other byte as it stood',
      `# head
version: 1   # one

mutations:

  # the fix
  - id: "x"      # named
    why:   'odd   quoting'
    revert: "1234567"   # of May
    # about flips
    flips:   [ "a" , b ]

  - { id: y, file: c.py, delete: true, flips: any }   # tail
# end
`,
      `# head
version: 1   # one

mutations:

  # the fix
  - id: "x"      # named
    why:   'odd   quoting'
    file: "src/a.py"
    # of May
    # was: revert: "1234567"
    patch: |
      @@
      -a
      +b
    # about flips
    flips:   [ "a" , b ]

  - { id: y, file: c.py, delete: true, flips: any }   # tail
# end
`,
      [one(PATCH)],
    ],
    [
      'where its fields are apart, at the first of them',
      `mutations:
- id: x
  paths:      # two
    - "src"     # source
    - lib
  flips: any
  # between
  hunks: ["src/a.py:3", 2]
  apply: 1234567..7654321
  tags: [a]
`,
      `mutations:
- id: x
  file: "src/a.py"
  # two
  # source
  # was: paths: ["src", "lib"], hunks: ["src/a.py:3", 2], apply: "1234567..7654321"
  patch: |
    @@
    -a
    +b
  flips: any
  # between
  tags: [a]
`,
      [one(PATCH)],
    ],
    [
      'as the first field of its mutation',
      'mutations:\n  -   revert: 1234567\n      id: x\n      flips: any\n',
      'mutations:\n  -   file: "b.py"\n      # was: revert: "1234567"\n      delete: true\n      id: x\n      flips: any\n',
      [one(GONE)],
    ],
    [
      'as the last line of a file without an end',
      'mutations:\n- id: x\n  flips: any\n  revert: 1234567',
      'mutations:\n- id: x\n  flips: any\n  file: "src/a.py"\n  # was: revert: "1234567"\n  patch: |\n    @@\n    -a\n    +b\n',
      [one(PATCH)],
    ],
    [
      'as a list, where it is of several files',
      'mutations:\n- id: x\n  revert: 1234567\n  flips: any\n',
      'mutations:\n- id: x\n  edits:\n    # was: revert: "1234567"\n    - file: "src/a.py"\n      patch: |\n        @@\n        -a\n        +b\n    - file: "b.py"\n      delete: true\n  flips: any\n',
      [one(PATCH, GONE)],
    ],
    [
      'in a list of edits, one and several',
      `mutations:
- id: x
  edits:
    - revert: '1234567'   # whole

    - file: c.py
      delete: true
    - x-note: a-b
      file: d.py
      from: 7654321
      within: [class A, "def b"]
  flips: any
`,
      `mutations:
- id: x
  edits:
    - file: "src/a.py"
      # whole
      # was: revert: "1234567"
      patch: |
        @@
        -a
        +b
    - file: "b.py"
      delete: true

    - file: c.py
      delete: true
    - x-note: a-b
      file: "b.py"
      # was: file: "d.py", from: "7654321", within: ["class A", "def b"]
      delete: true
    - file: "src/a.py"
      patch: |
        @@
        -a
        +b
  flips: any
`,
      [entry(0, PATCH, GONE), entry(2, GONE, PATCH)],
    ],
    [
      'with the line ends of the file',
      'mutations:\r\n- id: x\r\n  revert: "1234567" # c\r\n  flips: any\r\n',
      'mutations:\r\n- id: x\r\n  file: "src/a.py"\r\n  # c\r\n  # was: revert: "1234567"\r\n  patch: |\r\n    @@\r\n    -a\r\n    +b\r\n  flips: any\r\n',
      [one(PATCH)],
    ],
  ];

  test.each(table)('%s', (_about, before, after, rewrites) => {
    expect(rewrite(before, ...rewrites)).toEqual({
      text: after,
      refused: rewrites.map(() => null),
    });
  });
});

describe('an edit stays', () => {
  const BRACES = 'it stands in braces; write its fields below each other, a line for each';
  const table: readonly [about: string, text: string, rewrites: Rewrite, why: string][] = [
    ['in braces', 'mutations:\n- { id: x, revert: 1234567, flips: any }\n', one(PATCH), BRACES],
    [
      'in braces of a list',
      'mutations:\n- id: x\n  edits: [{ revert: 1234567 }]\n  flips: any\n',
      entry(0, PATCH),
      BRACES,
    ],
    [
      'that is not there',
      'mutations:\n- id: x\n  revert: 1234567\n  flips: any\n',
      { path: ['mutations', 4], edits: [GONE] },
      'it is not found in the file',
    ],
  ];

  test.each(table)('%s', (_about, text, rewrites, why) => {
    expect(rewrite(text, rewrites)).toEqual({ text, refused: [why] });
  });

  test('in a file that has faults', () => {
    const text = 'mutations:\n- id: x\n  revert: 1234567 # c\n  flips: any\n';
    expect(rewrite(text, one(GONE))).toEqual({ text, refused: ['the file has faults'] });
  });

  test('and others are written', () => {
    const text =
      'mutations:\n- { id: x, revert: 1234567, flips: any }\n- id: y\n  revert: 1234567\n  flips: any\n';
    const { text: after, refused } = rewrite(text, one(GONE), {
      path: ['mutations', 1],
      edits: [GONE],
    });
    expect(refused).toEqual([BRACES, null]);
    expect(after).toBe(
      'mutations:\n- { id: x, revert: 1234567, flips: any }\n- id: y\n  file: "b.py"\n  # was: revert: "1234567"\n  delete: true\n  flips: any\n',
    );
  });

  test('where the text would read as something else', () => {
    const text = 'mutations:\n- id: x\n  revert: 1234567\n  flips: any\n';
    // A number where the format has a text: written, it is read back as one.
    const odd = { file: 'b.py', create: 1 as unknown as string };
    expect(rewrite(text, one(odd))).toEqual({
      text,
      refused: ['it would not read back as it is written'],
    });
  });
});
