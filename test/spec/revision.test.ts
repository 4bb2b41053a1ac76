import { expect, test } from 'vitest';
import { checkStoredRevision } from '../../src/spec/revision.js';

test.each([
  '1234567',
  '1e34567',
  'ABCDEF0',
  'a'.repeat(40),
  'a'.repeat(64),
  'refs/tags/v1.0',
  'refs/tags/rel/1.0',
])('%s means the same tomorrow', (rev) => {
  expect(checkStoredRevision(rev)).toEqual({ ok: true, value: rev });
});

test.each([
  ['HEAD', '`HEAD` means another commit tomorrow'],
  ['@', '`@` means another commit tomorrow'],
  ['origin/HEAD', '`origin/HEAD` means another commit tomorrow'],
  ['HEAD~1', '`HEAD~1` means another commit tomorrow'],
  ['abcdef0^', '`abcdef0^` means another commit tomorrow'],
  ['main@{1}', '`main@{1}` means another commit tomorrow'],
  ['main', '`main` could be a branch, which moves'],
  ['v1.0', '`v1.0` could be a branch, which moves'],
  ['dead', '`dead` could be a branch, which moves'],
  ['a'.repeat(65), `\`${'a'.repeat(65)}\` could be a branch, which moves`],
  ['refs/heads/main', '`refs/heads/main` is no tag, and may move'],
  ['refs/tags/', '`refs/tags/` is no tag, and may move'],
  ['12345', '`12345` is too short for a commit id'],
  ['main..fix', 'a range is no revision'],
])('%s is refused', (rev, message) => {
  const checked = checkStoredRevision(rev);
  expect(checked.ok ? null : checked.error.message).toBe(message);
  expect(checked.ok ? null : checked.error.hint).toMatch(/^Write /);
});
