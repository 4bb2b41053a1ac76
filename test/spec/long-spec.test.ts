/** A spec that is parsed in pieces is written to as a short one is: the bytes of both are the same. */
import { describe, expect, test } from 'vitest';
import { type Rewrite, rewriteEdits } from '../../src/spec/rewrite-edits.js';
import { makeSource } from '../../src/spec/source.js';
import { writeSpec } from '../../src/spec/write.js';
import { brief } from './support.js';

const FILE = 'mutations/a.yaml';
const HEAD = '# A spec.\nversion: 1\nmutations:\n';
const LAST = '  - id: last\n    # why\n    revert: "1234567"   # of May\n    flips: any\n';

/** More than is parsed in one piece. */
const MANY = Array.from(
  { length: 600 },
  (_, number) =>
    `  - id: m${number}\n    file: a.py\n    delete: true\n    # ${'-'.repeat(60)}\n    flips: any\n`,
);
const [FIRST = ''] = MANY;

/** What may stand behind the list. */
const TAILS: readonly (readonly [about: string, tail: string])[] = [
  ['nothing', ''],
  ['a blank line', '\n'],
  ['a comment at the margin', '\n# the end\n'],
  ['a comment of the last item', '    # the end\n'],
  ['another key', 'x-notes: none\n'],
  ['another key after a comment', '\n# notes\nx-notes: none\n'],
  ['a key with a question mark', '? x-notes\n: none\n'],
  ['an end of the document', '...\n'],
];

function saved(existing: string): string {
  const mutation = { id: 'new', file: 'a.py', delete: true as const, flips: 'any' as const };
  const written = writeSpec({ file: FILE, existing, mutation });
  if (!written.ok) throw new Error(brief(written.error).join('\n'));
  return written.value;
}

function inlined(text: string, index: number): string {
  const edits: Rewrite['edits'] = [{ file: 'a.py', patch: '@@\n-a\n+b\n' }];
  const result = rewriteEdits(makeSource(FILE, text), [{ path: ['mutations', index], edits }]);
  expect(result.refused).toEqual([null]);
  return result.text;
}

describe.each(TAILS)('a long spec that ends with %s', (_, tail) => {
  const long = HEAD + MANY.join('') + LAST + tail;
  const short = HEAD + FIRST + LAST + tail;
  const lengthened = (text: string): string => text.replace(FIRST, () => MANY.join(''));

  test('is saved to as a short one', () => {
    expect(saved(long) === lengthened(saved(short))).toBe(true);
  });

  test('has its last edit written anew as a short one', () => {
    expect(inlined(long, MANY.length) === lengthened(inlined(short, 1))).toBe(true);
  });
});
