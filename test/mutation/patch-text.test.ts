import { describe, expect, test } from 'vitest';
import { parsePatchText } from '../../src/mutation/patch-text.js';

const GIT_HEADER = `diff --git a/src/a.py b/src/a.py
index 3b18e51..a042389 100644
--- a/src/a.py
+++ b/src/a.py
`;
const HUNK = `@@ -1,2 +1,2 @@ def f():
 a
-b
+c
`;

/** `kind text` for each line, so that a table stays readable. */
function read(text: string): readonly (readonly string[])[] | string {
  const parsed = parsePatchText(text);
  return parsed.ok
    ? parsed.value.map((hunk) =>
        hunk.map(
          (line) => `${line.kind} ${line.text}${line.isUnterminated ? ' (no newline)' : ''}`,
        ),
      )
    : parsed.error;
}

const ONE_CHANGE = [['keep a', 'drop b', 'add c']];

describe('a patch of one file is read', () => {
  test.each<[string, string]>([
    ['a bare header', '@@\n a\n-b\n+c\n'],
    ['a bare header with a second pair of signs', '@@ @@\n a\n-b\n+c\n'],
    ['a bare header with dots', '@@ ... @@\n a\n-b\n+c\n'],
    ['no newline at the end of the text', '@@\n a\n-b\n+c'],
    ['blank lines at the end', '@@\n a\n-b\n+c\n\n\n'],
    ['blank lines before the header', '\n\n@@\n a\n-b\n+c\n'],
    ['a full header', HUNK],
    ['file headers', `--- a/x.py\n+++ b/x.py\n${HUNK}`],
    ['file headers with times', `--- x.py\t2026-01-01 10:00\n+++ x.py\t2026-01-02\n${HUNK}`],
    ['git headers', GIT_HEADER + HUNK],
    ['an Index header', `Index: x.py\n${'='.repeat(67)}\n--- x.py\n+++ x.py\n${HUNK}`],
    ['a byte order mark before it', `\uFEFF${GIT_HEADER}${HUNK}`],
    ['CRLF line ends', (GIT_HEADER + HUNK).replaceAll('\n', '\r\n')],
    [
      'a mail with a signature',
      `From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001
From: A <a@example.org>
Subject: [PATCH] Change b

---
 src/a.py | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

${GIT_HEADER}${HUNK}-- 
2.39.5

`,
    ],
  ])('with %s', (_, text) => {
    expect(read(text)).toEqual(ONE_CHANGE);
  });

  test('with several hunks', () => {
    expect(read('@@\n-a\n+b\n@@\n c\n-d\n')).toEqual([
      ['drop a', 'add b'],
      ['keep c', 'drop d'],
    ]);
  });

  test('a blank line between hunks with bare headers belongs to none of them', () => {
    expect(read('@@\n-a\n+b\n\n@@\n-c\n')).toEqual([['drop a', 'add b'], ['drop c']]);
  });

  test('an empty line inside a hunk is a context line whose space was stripped', () => {
    expect(read('@@\n a\n\n-b\n')).toEqual([['keep a', 'keep ', 'drop b']]);
    expect(read('@@ -1,3 +1,2 @@\n a\n\n-b\n')).toEqual([['keep a', 'keep ', 'drop b']]);
  });

  test('dropped and added lines that look like file headers are lines', () => {
    expect(read('@@\n a\n--- c\n+++ d\n e\n')).toEqual([
      ['keep a', 'drop -- c', 'add ++ d', 'keep e'],
    ]);
    expect(read('@@ -1,2 +1,2 @@\n a\n--- c\n+++ d\n')).toEqual([
      ['keep a', 'drop -- c', 'add ++ d'],
    ]);
  });

  test('the marker of a missing newline belongs to the line above it', () => {
    expect(read('@@\n-a\n\\ No newline at end of file\n+b\n')).toEqual([
      ['drop a (no newline)', 'add b'],
    ]);
    expect(read('@@\n-a\n+b\n\\ No newline at end of file\n')).toEqual([
      ['drop a', 'add b (no newline)'],
    ]);
    expect(read('@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n')).toEqual([
      ['drop a', 'keep b (no newline)'],
    ]);
  });

  test('trailing white space is part of a line', () => {
    expect(read('@@\n-a  \n+a\n')).toEqual([['drop a  ', 'add a']]);
  });
});

describe('what is no patch of one file is refused by name', () => {
  test.each<[string, string, RegExp]>([
    ['an empty text', '', /^is empty/],
    ['white space', ' \n\n', /^is empty/],
    ['prose', 'Please rename the route.\n', /not a unified diff/],
    ['changes without a hunk header', '-a\n+b\n', /put a line `@@`/],
    ['headers without hunks', GIT_HEADER, /no hunk: nothing would change/],
    ['file headers without hunks', '--- a/x\n+++ b/x\n', /no hunk: nothing would change/],
    ['a hunk without lines', '@@\n', /hunk 1 .* is empty/],
    ['only context lines', '@@\n a\n b\n', /only context lines/],
    ['only context lines in the second hunk', '@@\n-a\n@@\n b\n', /hunk 2 .*only context lines/],
    ['only context lines, with counts', '@@ -1,2 +1,2 @@\n a\n b\n', /only context lines/],
    [
      'a binary file',
      'diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n',
      /binary/,
    ],
    [
      'a binary patch',
      'diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzU|?i`U\n\nliteral 0\nHcmV?d00001\n\n',
      /binary/,
    ],
    [
      'a pure rename',
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
      /renames or copies/,
    ],
    [
      'a rename with changes',
      `diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n${HUNK}`,
      /renames or copies/,
    ],
    ['a copy', 'diff --git a/x b/y\ncopy from x\ncopy to y\n', /renames or copies/],
    ['a mode change', 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', /mode/],
    [
      'a combined diff',
      'diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n',
      /combined diff/,
    ],
    ['a combined hunk alone', '@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n', /combined diff/],
    [
      'a created file',
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n',
      /`create`/,
    ],
    ['a created file by plain headers', '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n', /`create`/],
    [
      'a deleted file',
      'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      /`delete`/,
    ],
    ['a deleted file by plain headers', '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', /`delete`/],
    ['two files', GIT_HEADER + HUNK + GIT_HEADER + HUNK, /several files/],
    ['two files by plain headers', `--- a\n+++ b\n${HUNK}--- c\n+++ d\n${HUNK}`, /several files/],
    [
      'two files with bare headers',
      '--- a\n+++ b\n@@\n-a\n--- c\n+++ d\n@@\n-c\n',
      /several files/,
    ],
    ['a second file without hunks', `${GIT_HEADER}${HUNK}${GIT_HEADER}`, /several files/],
    [
      'two mails',
      `${GIT_HEADER}${HUNK}-- \n2.39.5\n\nFrom 2 Mon Sep 17\n${GIT_HEADER}${HUNK}-- \n2.39.5\n`,
      /several files/,
    ],
    ['too few lines', '@@ -1,3 +1,3 @@\n a\n-b\n+c\n', /as many lines as its header counts/],
    ['too many lines', '@@ -1,1 +1,1 @@\n-b\n+c\n d\n', /more lines than its header counts/],
    ['too many dropped lines', '@@ -1 +1 @@\n-b\n+c\n-d\n', /more lines than its header counts/],
    ['a header without numbers', '@@ -x,1 +1 @@\n-a\n', /neither `@@` nor/],
    ['a header with a name', '@@ def f @@\n-a\n', /use `within`/],
    ['a line without a sign', '@@\n a\nb\n-c\n', /neither a space, `-` nor `\+`: "b"/],
    ['text after the hunk', `${HUNK}and so on\n`, /line 5 belongs to no hunk/],
    [
      'a marker in the middle',
      '@@\n-a\n\\ No newline at end of file\n-b\n',
      /before its last line/,
    ],
  ])('%s', (_, text, why) => {
    expect(read(text)).toMatch(why);
  });
});
