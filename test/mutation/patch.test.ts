import { describe, expect, test } from 'vitest';
import { splitLines } from '../../src/mutation/lines.js';
import { applyPatch } from '../../src/mutation/patch.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

const apply = (file: string | Buffer, patch: string) =>
  applyPatch(splitLines(toBytes(file)), 'a.py', patch, null);

function text(file: string | Buffer, patch: string): string {
  const result = apply(file, patch);
  return result.ok ? result.value.toString('latin1') : JSON.stringify(result.error);
}

const problem = (file: string | Buffer, patch: string) => {
  const result = apply(file, patch);
  return result.ok ? null : result.error;
};

const NO_NEWLINE = '\\ No newline at end of file';

describe('a patch is put where its old lines stand', () => {
  test.each<[string, string, string, string]>([
    ['one hunk', 'a\nb\nc\n', '@@\n a\n-b\n+x\n c\n', 'a\nx\nc\n'],
    ['its line numbers are not used', 'a\nb\nc\n', '@@ -90,2 +95,2 @@\n a\n-b\n+x\n', 'a\nx\nc\n'],
    ['several hunks', 'a\nb\nc\nd\n', '@@\n-a\n+x\n@@\n c\n-d\n', 'x\nb\nc\n'],
    ['hunks that touch', 'a\nb\n', '@@\n-a\n+x\n@@\n-b\n+y\n', 'x\ny\n'],
    ['an insertion', 'a\nb\n', '@@\n a\n+x\n b\n', 'a\nx\nb\n'],
    ['an insertion at the head', 'a\nb\n', '@@\n+x\n a\n', 'x\na\nb\n'],
    ['an insertion at the end', 'a\nb\n', '@@\n b\n+x\n', 'a\nb\nx\n'],
    ['a removal of everything', 'a\n', '@@\n-a\n', ''],
    ['text into an empty file', '', '@@ -0,0 +1,2 @@\n+a\n+b\n', 'a\nb\n'],
    ['blank lines', 'a\n\nb\n', '@@\n a\n\n-b\n+c\n', 'a\n\nc\n'],
    ['additions before removals', 'a\nb\n', '@@\n+x\n-a\n b\n', 'x\nb\n'],
    [
      'a line break that is none in Python or Unicode',
      'a\x0bb\u2028c\n',
      '@@\n-a\x0bb\u2028c\n+x\n',
      'x\n',
    ],
  ])('%s', (_, file, patch, expected) => {
    expect(text(file, patch)).toBe(expected);
  });
});

describe('line endings stay what they are', () => {
  test.each<[string, string, string, string]>([
    ['CRLF file, LF patch', 'a\r\nb\r\n', '@@\n a\n-b\n+x\n', 'a\r\nx\r\n'],
    ['LF file, CRLF patch', 'a\nb\n', '@@\r\n a\r\n-b\r\n+x\r\n', 'a\nx\n'],
    [
      'CRLF file, LF patch with CR in its lines',
      'a\r\nb\r\n',
      '@@\n a\r\n-b\r\n+x\r\n',
      'a\r\nx\r\n',
    ],
    [
      'mixed: a new line ends like the one it replaces',
      'a\r\nb\nc\r\n',
      '@@\n-a\n-b\n+x\n+y\n c\n',
      'x\r\ny\nc\r\n',
    ],
    [
      'mixed: an inserted line ends like the one above',
      'a\r\nb\n',
      '@@\n a\n+x\n b\n',
      'a\r\nx\r\nb\n',
    ],
    ['mixed: one more line than was there', 'a\r\nb\n', '@@\n-a\n+x\n+y\n', 'x\r\ny\r\nb\n'],
    ['at the head there is none above', 'a\r\nb\n', '@@\n+x\n a\n', 'x\r\na\r\nb\n'],
    ['context keeps its own', 'a\r\nb\nc\r\n', '@@\n a\n b\n-c\n+x\n', 'a\r\nb\nx\r\n'],
    ['a lone CR is part of a line', 'a\rb\nc\n', '@@\n a\rb\n-c\n+x\n', 'a\rb\nx\n'],
  ])('%s', (_, file, patch, expected) => {
    expect(text(file, patch)).toBe(expected);
  });

  test('a patch that changes endings alone changes nothing, and is refused', () => {
    expect(problem('a\r\n', '@@\n-a\r\n+a\n')).toMatchObject({ kind: 'no-change' });
  });
});

describe('a missing newline at the end of the file', () => {
  test.each<[string, string, string, string]>([
    ['stays missing without a marker', 'a\nb', '@@\n a\n-b\n+x\n', 'a\nx'],
    [
      'stays missing with both markers',
      'a\nb',
      `@@\n a\n-b\n${NO_NEWLINE}\n+x\n${NO_NEWLINE}\n`,
      'a\nx',
    ],
    [
      'is added where only the old line had none',
      'a\nb',
      `@@\n a\n-b\n${NO_NEWLINE}\n+b\n`,
      'a\nb\n',
    ],
    [
      'is taken where only the new line has none',
      'a\nb\n',
      `@@\n a\n-b\n+b\n${NO_NEWLINE}\n`,
      'a\nb',
    ],
    [
      'stays missing below a marked context line',
      'a\nb',
      `@@\n-a\n+x\n b\n${NO_NEWLINE}\n`,
      'x\nb',
    ],
    ['stays missing below context without a marker', 'a\nb', '@@\n-a\n+x\n b\n', 'x\nb'],
    ['goes to the line that is last now', 'a\nb', '@@\n b\n+x\n', 'a\nb\nx'],
    ['an added last line may lack it', 'a\nb\n', `@@\n b\n+x\n${NO_NEWLINE}\n`, 'a\nb\nx'],
    ['two lines for the last one', 'a\nb', '@@\n-b\n+x\n+y\n', 'a\nx\ny'],
    ['in CRLF', 'a\r\nb', '@@\n b\n+x\n', 'a\r\nb\r\nx'],
    ['a whole file without any newline', 'a', '@@\n-a\n+x\n+y\n', 'x\ny'],
    ['dropping the last line leaves the one above as it was', 'a\nb', '@@\n a\n-b\n', 'a\n'],
  ])('%s', (_, file, patch, expected) => {
    expect(text(file, patch)).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['the file has the newline', 'a\nb\n', `@@\n a\n-b\n${NO_NEWLINE}\n+x\n`],
    ['the hunk ends before the file', 'a\nb\nc', `@@\n a\n-b\n${NO_NEWLINE}\n+x\n`],
    ['the new line would join the next', 'a\nb\nc\n', `@@\n a\n-b\n+x\n${NO_NEWLINE}\n`],
  ])('a marker that is wrong is refused: %s', (_, file, patch) => {
    expect(problem(file, patch)).toMatchObject({
      kind: 'no-match',
      what: expect.stringContaining('newline'),
    });
  });
});

const latin1 = (value: string) => Buffer.from(value, 'latin1');

describe('bytes that are not plain text', () => {
  test('a byte order mark is outside the first line, whether the patch shows it or not', () => {
    const file = '\uFEFFa\nb\n';
    const expected = Buffer.from('\uFEFFx\nb\n').toString('latin1');
    expect(text(file, '@@\n-a\n+x\n b\n')).toBe(expected);
    expect(text(file, '@@\n-\uFEFFa\n+\uFEFFx\n b\n')).toBe(expected);
    expect(text(file, '@@\n \uFEFFa\n-b\n')).toBe(Buffer.from('\uFEFFa\n').toString('latin1'));
  });

  test('a byte order mark in the patch fits the first line only', () => {
    expect(problem('\uFEFFb\na\n', '@@\n-\uFEFFa\n+x\n')).toMatchObject({ kind: 'no-match' });
    expect(text('\uFEFFa\na\n', '@@\n-\uFEFFa\n+x\n')).toBe(
      Buffer.from('\uFEFFx\na\n').toString('latin1'),
    );
  });

  test('NUL bytes are kept and matched', () => {
    expect(text('a\0b\nc\n', '@@\n a\0b\n-c\n+x\n')).toBe('a\0b\nx\n');
  });

  test('an ASCII patch keeps latin-1 bytes', () => {
    expect(text(latin1('# caf\xe9\na\n'), '@@\n-a\n+x\n')).toBe('# caf\xe9\nx\n');
  });

  test('a patch with letters fits a latin-1 file in latin-1, and adds in latin-1', () => {
    expect(text(latin1('caf\xe9\na\n'), '@@\n café\n-a\n+è\n')).toBe('caf\xe9\n\xe8\n');
    expect(text(latin1('caf\xe9\na\n'), '@@\n-a\n+è\n')).toBe('caf\xe9\n\xe8\n');
  });

  test('a line in UTF-8 of a file that is not is matched as UTF-8, and adds in UTF-8', () => {
    const mixed = Buffer.concat([latin1('caf\xe9\n'), Buffer.from('naïve\n')]);
    const expected = Buffer.concat([latin1('caf\xe9\n'), Buffer.from('è\n')]).toString('latin1');
    expect(text(mixed, '@@\n-naïve\n+è\n')).toBe(expected);
  });

  test('the same letters in both encodings are two places', () => {
    const mixed = Buffer.concat([latin1('\xe9\n'), Buffer.from('é\n')]);
    expect(problem(mixed, '@@\n-é\n+x\n')).toMatchObject({ kind: 'ambiguous', lines: [1, 2] });
  });

  test('a UTF-8 file is never read as latin-1', () => {
    expect(problem('é\n', '@@\n-Ã©\n+x\n')).toMatchObject({ kind: 'no-match' });
  });

  test('letters that latin-1 lacks are refused in a file that is not UTF-8', () => {
    expect(problem(latin1('caf\xe9\na\n'), '@@\n-a\n+€\n')).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('latin-1'),
    });
  });
});

describe('a hunk fits in exactly one place or nowhere', () => {
  test('two places are refused with both line numbers, whatever the header says', () => {
    const file = 'a\nb\nc\na\nb\nd\n';
    expect(problem(file, '@@ -1,2 +1,2 @@\n a\n-b\n+x\n')).toEqual({
      kind: 'ambiguous',
      path: 'a.py',
      what: 'the hunk',
      expected: 1,
      lines: [1, 4],
    });
  });

  test('overlapping places count', () => {
    expect(problem('a\na\na\n', '@@\n-a\n-a\n+x\n')).toMatchObject({
      kind: 'ambiguous',
      lines: [1, 2],
    });
  });

  test('places that differ only in their line ending are two', () => {
    expect(problem('a\r\nb\na\nb\n', '@@\n a\n-b\n+x\n')).toMatchObject({ lines: [1, 3] });
  });

  test('the order of hunks does not make one unique', () => {
    const file = 'a\nb\na\n';
    expect(problem(file, '@@\n-b\n+x\n@@\n-a\n+y\n')).toMatchObject({
      kind: 'ambiguous',
      what: 'hunk 2 of 2',
      lines: [1, 3],
    });
  });

  test('the intended place has changed already, the same code stands elsewhere with other context', () => {
    const file = 'def f():\n    return 2\n\ndef g():\n    return 1\n';
    expect(problem(file, '@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 3\n')).toEqual({
      kind: 'no-match',
      path: 'a.py',
      what: 'the hunk',
      nearest: { line: 2, expected: '    return 1', found: '    return 2' },
    });
  });

  test('outer context is never given up', () => {
    const file = 'p\nq\na\nb\nr\ns\n';
    expect(problem(file, '@@\n p\n q\n a\n-b\n+x\n r\n WRONG\n')).toMatchObject({
      kind: 'no-match',
      nearest: { line: 6, expected: 'WRONG', found: 's' },
    });
  });

  test('trailing white space is significant, and shown as the difference', () => {
    expect(problem('a\nb \nc\n', '@@\n a\n-b\n+x\n c\n')).toMatchObject({
      nearest: { line: 2, expected: 'b', found: 'b ' },
    });
  });

  test('a hunk longer than the rest of the file is shown where it would begin', () => {
    expect(problem('p\na\nb\n', '@@\n a\n b\n-c\n+x\n')).toMatchObject({
      nearest: { line: 4, expected: 'c', found: '' },
    });
  });

  test('nothing alike has no nearest place', () => {
    expect(problem('p\nq\n', '@@\n-something else entirely\n+x\n')).toMatchObject({
      nearest: null,
    });
  });

  test.each<[string, string, string, string]>([
    ['hunks in the wrong order', 'a\nb\nc\n', '@@\n-c\n+x\n@@\n-a\n+y\n', 'above the one before'],
    ['hunks that overlap', 'a\nb\nc\n', '@@\n-a\n+x\n b\n@@\n b\n-c\n', 'overlaps'],
    ['an addition without context', 'a\n', '@@\n+x\n', 'context'],
    ['prose', 'a\n', 'change it\n', 'unified diff'],
  ])('refused: %s', (_, file, patch, why) => {
    expect(problem(file, patch)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining(why),
    });
  });

  test('a hunk that adds what it drops changes nothing', () => {
    expect(problem('a\nb\n', '@@\n-a\n+x\n@@\n-b\n+b\n')).toMatchObject({
      kind: 'no-change',
      what: expect.stringContaining('hunk 2 of 2'),
    });
  });
});

test('a file of 200,000 lines is searched, and its nearest place found, in one pass', () => {
  const file = Array.from({ length: 200_000 }, (_, line) =>
    line % 3 === 0 ? '' : `    value_${line} = compute(${line})`,
  );
  const bytes = splitLines(Buffer.from(`${file.join('\n')}\n`));
  const wanted = [...file.slice(150_000, 150_200), 'not there', ...file.slice(150_201, 150_400)];
  const patch = `@@\n${wanted.map((line) => ` ${line}`).join('\n')}\n-gone\n`;
  // Processor time, which other work on the machine does not lengthen. It takes about 0.2 s.
  const started = process.cpuUsage();
  const result = applyPatch(bytes, 'a.py', patch, null);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  expect(result).toMatchObject({ error: { nearest: { line: 150_201, expected: 'not there' } } });
});
