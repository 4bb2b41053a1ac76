import { expect, test } from 'vitest';
import { hasHunk, patchTarget } from '../../src/spec/patch-header.js';

const header = (old: string, now: string): string => `--- ${old}\n+++ ${now}\n@@\n-a\n+b\n`;

test.each([
  ['git prefixes', header('a/src/x.py', 'b/src/x.py'), 'src/x.py'],
  ['no prefixes', header('b/x.py', 'b/x.py'), 'b/x.py'],
  ['a time behind a tab', header('a/x.py\t2026-01-31', 'b/x.py\t2026-01-31'), 'x.py'],
  ['a blank in the path', header('a/x y.py', 'b/x y.py'), 'x y.py'],
  ['lines of git before it', `diff --git a/x b/x\nindex 1..2 100644\n${header('a/x', 'b/x')}`, 'x'],
  ['CRLF', header('a/x', 'b/x').replaceAll('\n', '\r\n'), 'x'],
  ['the same file twice', header('a/x', 'b/x') + header('a/x', 'b/x'), 'x'],
])('the file of a patch with %s', (_, patch, path) => {
  expect(patchTarget(patch)).toEqual({ kind: 'file', path });
});

test('no file, where the patch has no header', () => {
  expect(patchTarget('@@\n-a\n+b\n')).toEqual({ kind: 'none' });
  expect(patchTarget('@@\n--- a/x\n+++ b/x\n c\n')).toEqual({ kind: 'none' });
});

test('several files', () => {
  const patch = header('a/x', 'b/x') + header('a/y', 'b/y');
  expect(patchTarget(patch)).toEqual({ kind: 'several', paths: ['x', 'y'] });
});

test.each([
  ['that deletes', header('a/x', '/dev/null'), 'Write `delete: true`.'],
  ['that creates', header('/dev/null', 'b/x'), 'Write `create:` with the content.'],
  ['of a quoted path', header('"a/\\303"', '"b/\\303"'), 'Write the path as `file:`.'],
])('a patch %s is refused', (_, patch, hint) => {
  expect(patchTarget(patch)).toMatchObject({ kind: 'refused', hint });
});

test('a hunk needs its mark and a changed line', () => {
  expect(hasHunk('@@\n-a\n')).toBe(true);
  expect(hasHunk('@@ -1,2 +1,2 @@ def f\n a\n+b\n')).toBe(true);
  expect(hasHunk('-a\n+b\n')).toBe(false);
  expect(hasHunk('@@\n a\n')).toBe(false);
  expect(hasHunk('')).toBe(false);
});
