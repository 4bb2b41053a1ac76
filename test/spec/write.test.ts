import { assert, option, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeSpec } from '../../src/spec/write.js';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { brief, mutationsIn } from './support.js';

const MUTATION: MutationInput = {
  id: '1e3',
  why: 'It says: "no" # 12',
  file: 'src/a b.py',
  within: ['class A:', '  def f(self):'],
  patch: '@@\n-    return self.post("/x")\n+    return None\n\n context\n',
  flips: ['tests/a.py::test[a: #b]', { test: 'tests/b.py', min: 2, to: ['failed', 'error'] }],
  tags: [],
  exact: true,
};

function write(existing: string | null, mutation: MutationInput = MUTATION): string {
  const written = writeSpec({ file: 'mutations/a.yaml', existing, mutation });
  if (!written.ok) throw new Error(brief(written.error).join('\n'));
  return written.value;
}

const SMALL: MutationInput = { id: 'new', file: 'a.py', delete: true, flips: 'any' };

describe('a mutation is written', () => {
  test('into a new file, every text quoted or a block', () => {
    expect(write(null)).toBe(`version: 1
mutations:
  - id: "1e3"
    why: "It says: \\"no\\" # 12"
    file: "src/a b.py"
    within: ["class A:", "  def f(self):"]
    patch: |
      @@
      -    return self.post("/x")
      +    return None

       context
    flips:
      - "tests/a.py::test[a: #b]"
      - test: "tests/b.py"
        min: 2
        to: ["failed", "error"]
    exact: true
    tags: []
`);
  });

  const END = `- id: "new"\n  file: "a.py"\n  delete: true\n  flips: "any"\n`;
  const deeper = END.replace(/^(?=.)/gm, '  ');
  const table: readonly [about: string, before: string, after: string][] = [
    [
      'behind a list without indentation',
      'mutations:\n- { id: a, file: b, delete: true, flips: any }  # why\n',
      END,
    ],
    [
      'behind an indented list, with blank lines between',
      'version: 1 # c\n\nmutations:   # list\n  # before\n  - id: a\n    file: b\n    patch: |\n       @@\n       -a\n    flips: any\n\n  # second\n  - {id: "b", file: b, delete: true, flips: any}\n',
      `\n${deeper}`,
    ],
    [
      'behind a block that ends the file',
      'mutations:\n  - file: b\n    id: a\n    flips: any\n    create: |-\n      x\n      y',
      `\n${deeper}`,
    ],
    [
      'behind blank lines that a block keeps',
      'mutations:\n- file: b\n  id: a\n  flips: any\n  create: |+\n    x\n\n\n',
      END,
    ],
    [
      'with CRLF',
      'mutations:\r\n- { id: a, file: b, delete: true, flips: any }\r\n',
      END.replaceAll('\n', '\r\n'),
    ],
    [
      'behind a byte order mark',
      '\ufeffmutations:\n- { id: a, file: b, delete: true, flips: any }\n',
      END,
    ],
  ];
  test.each(table)('%s, and not a byte of the rest changes', (_, before, end) => {
    expect(write(before, SMALL)).toBe(before + end);
  });

  test('before what follows the list', () => {
    const before =
      'mutations:\n  - { id: a, file: b, delete: true, flips: any }\n\n# about\nabout: later\n';
    const after = write(before, SMALL);
    expect(after.replace(deeper, '')).toBe(before);
    expect(mutationsIn(after).map(({ id }) => id)).toEqual(['a', 'new']);
  });

  test.each([
    ['an empty list', '# head\nmutations: [] # none\n', ['new']],
    [
      'a list in brackets',
      '# head\nmutations: [{ id: a, file: "b #", delete: true, flips: any }] # one\n',
      ['a', 'new'],
    ],
    ['a list with nothing in it', '# head\nmutations:\n', ['new']],
    ['no list', '# head\nabout: x\n', ['new']],
    ['a mapping in braces', '# head\n{ mutations: [] }\n', ['new']],
    ['comments alone', '# head\n', ['new']],
    ['nothing', '', ['new']],
  ])('into %s, comments kept', (_, before, ids) => {
    const after = write(before, SMALL);
    expect(mutationsIn(after).map(({ id }) => id)).toEqual(ids);
    for (const comment of before.match(/# \w+/g) ?? []) expect(after).toContain(comment);
  });

  test('whatever its texts are', { timeout: 300_000 }, () => {
    const text = string({ unit: 'binary', maxLength: 12 });
    const lines = string({ unit: 'grapheme', minLength: 1 }).map(
      (part) => `${part}\n  ${part}\n\n${part}`,
    );
    assert(
      property(
        record({ with: text, lines, why: option(text) }),
        ({ with: replacement, lines: find, why }) => {
          const mutation: MutationInput = {
            ...SMALL,
            delete: undefined,
            why: `x${why ?? ''}`,
            replace: { find: `${find}!`, with: replacement },
          };
          const again = write(write(null, mutation), { ...mutation, id: 'other' });
          expect(mutationsIn(again).map(({ edits }) => edits[0])).toMatchObject([
            { find: `${find}!`, with: replacement },
            { find: `${find}!`, with: replacement },
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a mutation is not written', () => {
  test.each([
    ['into a file that is broken', 'mutations: [', 'YAML: '],
    ['into a file that is no spec', '- a\n', 'the file is no spec'],
    [
      'under an id that is there',
      'mutations:\n- id: "1e3"\n  file: a\n',
      'the id `1e3` is taken in this file',
    ],
  ])('%s', (_, existing, message) => {
    const written = writeSpec({ file: 'a.yaml', existing, mutation: MUTATION });
    expect(written.ok ? '' : written.error[0]?.message.slice(0, message.length)).toBe(message);
  });
});
