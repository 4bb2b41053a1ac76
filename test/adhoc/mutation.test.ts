import { expect, test } from 'vitest';
import { adHocMutation, asSpec, NOWHERE } from '../../src/adhoc/mutation.js';
import type { Result } from '../../src/result.js';

const WHY = 'To be completed: what goes wrong if this is so.';

function written(before: string | null, after: string | null): Result<unknown, string> {
  const bytes = (text: string | null): Buffer | null =>
    text === null ? null : Buffer.from(text, 'latin1');
  const edits = [
    {
      kind: 'bytes',
      file: 'a.py',
      within: [],
      where: NOWHERE,
      before: bytes(before),
      after: bytes(after),
    },
  ] as const;
  return asSpec(adHocMutation({ id: 'm', lane: 'l', edits, flips: null, exact: false }), []);
}

test.each([
  [null, 'x\n', { create: 'x\n' }],
  ['x\n', null, { delete: true }],
  ['x\n', 'y\n', { patch: '@@\n-x\n+y\n' }],
])('%j that becomes %j is written into a spec', (before, after, edit) => {
  expect(written(before, after)).toEqual({
    ok: true,
    value: { id: 'm', why: WHY, lane: 'l', file: 'a.py', flips: 'any', ...edit },
  });
});

test.each([
  [null, 'x\0', 'a.py is binary, and a spec holds text'],
  ['x\0', 'x', 'a.py is binary, and a spec holds text'],
  [null, '\xff', 'a.py is not UTF-8, and a spec is'],
])('%j that becomes %j is not', (before, after, error) => {
  expect(written(before, after)).toEqual({ ok: false, error });
});

test('the tests that noticed are what a spec expects, unless they are too many or others were named', () => {
  const edits = [
    { kind: 'patch', file: 'a.py', patch: '@@\n-x\n+y\n', within: [], where: NOWHERE },
  ] as const;
  const any = adHocMutation({ id: 'm', lane: 'l', edits, flips: null, exact: false });
  const crashed = { test: 'b', to: ['crashed' as const] };
  expect(asSpec(any, [], ['a', crashed])).toMatchObject({ value: { flips: ['a', crashed] } });
  const many = Array.from({ length: 31 }, (_, index) => `t${index}`);
  expect(asSpec(any, [], many)).toMatchObject({ value: { flips: 'any' } });
  const named = adHocMutation({ id: 'm', lane: 'l', edits, flips: ['c'], exact: false });
  expect(asSpec(named, [], ['a'])).toMatchObject({ value: { flips: ['c'] } });
});
