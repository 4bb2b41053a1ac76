import { describe, expect, it } from 'vitest';
import { adHocEdit, type AdHoc } from '../../src/mutation/ad-hoc.js';

const SOURCE = Buffer.from('def f(a):\n    b = a + 1\n    # why\n    return b\n');
const WHERE = { file: 'the command line', line: 1, col: 1 };

const edit = (asked: AdHoc, line: number | null): ReturnType<typeof adHocEdit> =>
  adHocEdit({
    bytes: SOURCE,
    file: 'a.py',
    typed: '../a.py',
    span: line === null ? null : { from: line, to: line },
    asked,
    where: WHERE,
  });

describe('an edit asked for at the terminal', () => {
  it.each<[string, AdHoc, number, string]>([
    ['takes a statement away', { kind: 'remove' }, 2, '-    b = a + 1\n'],
    [
      'replaces on its line alone',
      { kind: 'replace', find: 'a', with: 'c' },
      2,
      '+    b = c + 1\n',
    ],
    ['raises in the function around it', { kind: 'raise' }, 4, '+    raise BaseException('],
    ['takes what an editor left', { kind: 'bytes', bytes: Buffer.from('x = 1\n') }, 1, '+x = 1\n'],
  ])('%s, as a patch by content', (_what, asked, line, expected) => {
    const found = edit(asked, line);
    expect(found).toMatchObject({
      ok: true,
      value: { kind: 'patch', patch: expect.stringContaining(expected) as string },
    });
  });

  it('leaves a replacement without a line to be found by content', () => {
    expect(edit({ kind: 'replace', find: 'b = a', with: 'b = 0' }, null)).toMatchObject({
      ok: true,
      value: { kind: 'replace', count: 1 },
    });
  });

  it.each<[string, AdHoc, number | null, string]>([
    ['a comment', { kind: 'remove' }, 3, 'refused'],
    ['a line behind the end', { kind: 'remove' }, 9, 'refused'],
    ['text that is not on the line', { kind: 'replace', find: 'return', with: '' }, 2, 'refused'],
    ['text that is nowhere', { kind: 'replace', find: 'yield', with: '' }, 2, 'no-match'],
    ['text that is there twice', { kind: 'replace', find: ' ', with: '' }, 2, 'ambiguous'],
    ['an editor that changed nothing', { kind: 'bytes', bytes: SOURCE }, 1, 'no-change'],
    ['a raise without a line', { kind: 'raise' }, null, 'refused'],
  ])('refuses %s', (_what, asked, line, kind) => {
    expect(edit(asked, line)).toMatchObject({ ok: false, error: { kind } });
  });

  it('names the lines where the text fits, by the path as typed', () => {
    expect(edit({ kind: 'replace', find: 'return', with: '' }, 2)).toMatchObject({
      error: { path: '../a.py', why: '--replace "return" is not on line 2, and fits at ../a.py:4' },
    });
    expect(edit({ kind: 'replace', find: 'b', with: 'c' }, 3)).toMatchObject({
      error: { why: '--replace "b" is not on line 3, and fits at ../a.py:2, 4' },
    });
  });

  it('says of texts that are equal what was typed', () => {
    expect(edit({ kind: 'replace', find: 'b', with: 'b' }, 2)).toMatchObject({
      error: { kind: 'no-change', what: 'the edit', why: '--replace "b" and --with are equal' },
    });
  });

  it.each<AdHoc>([{ kind: 'remove' }, { kind: 'raise' }])(
    'knows no other language: %j',
    (asked) => {
      const request = { bytes: Buffer.from('a\n'), span: { from: 1, to: 1 }, asked, where: WHERE };
      expect(adHocEdit({ ...request, file: 'data.txt', typed: 'data.txt' })).toMatchObject({
        ok: false,
        error: { kind: 'refused', why: expect.stringContaining('Python and Rust') as string },
      });
    },
  );
});
