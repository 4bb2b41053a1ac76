import { expect, test } from 'vitest';
import { askedEdit, type EditOptions } from '../../src/adhoc/asked.js';

const NONE: EditOptions = { raise: false, edit: false };
const at = (line: number | null) => ({
  absolute: '/a.py',
  span: line === null ? null : { from: line, to: line },
});

test.each<readonly [Partial<EditOptions>, number | null, object]>([
  [{}, 3, { kind: 'remove' }],
  [{ replace: '<', with: '' }, null, { kind: 'replace', find: '<', with: '' }],
  [{ raise: true }, 3, { kind: 'raise' }],
  [{ patch: '-' }, null, { kind: 'patch', path: '-' }],
  [{ edit: true }, null, { kind: 'edit', line: 1 }],
  [{ edit: true }, 7, { kind: 'edit', line: 7 }],
])('%j on line %s', (options, line, value) => {
  expect(askedEdit({ ...NONE, ...options }, at(line))).toEqual({ ok: true, value });
});

test.each<readonly [Partial<EditOptions>, RegExp]>([
  [{}, /^What is to change\?/],
  [{ with: 'x' }, /^--with goes with --replace/],
  [{ replace: 'x' }, /^--replace goes with --with/],
  [{ raise: true, replace: 'x', with: 'y' }, /^--replace and --raise: one edit at a time/],
  [{ patch: '-', edit: true }, /^--patch and --edit: one edit at a time/],
])('%j cannot be meant', (options, error) => {
  const asked = askedEdit({ ...NONE, ...options }, at(null));
  expect(asked).toEqual({ ok: false, error: expect.stringMatching(error) as string });
});
