import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../src/mutation/lines.js';
import { makePatch } from '../../src/mutation/make-patch.js';
import { applyPatch } from '../../src/mutation/patch.js';

const applied = (before: Buffer, patch: string): Buffer | null => {
  const result = applyPatch(splitLines(before), 'a.py', patch, null);
  return result.ok ? result.value : null;
};

describe('a patch made from two versions of a file', () => {
  it('has three lines of context where they are enough', () => {
    const before = Buffer.from('a\nb\nc\nd\ne\nf\ng\nh\n');
    expect(makePatch('a.py', before, Buffer.from('a\nb\nc\nd\nX\nf\ng\nh\n'))).toEqual({
      ok: true,
      value: '@@\n b\n c\n d\n-e\n+X\n f\n g\n h\n',
    });
  });

  it('has as many lines as the change', () => {
    const before = Buffer.from('a\nb\nc\n');
    const after = Buffer.from(`a\n${'x\n'.repeat(150_000)}c\n`);
    const patch = makePatch('a.py', before, after);
    expect(patch.ok && applied(before, patch.value)?.equals(after)).toBe(true);
  });

  it('has a hunk for each run of changed lines, and one for runs that are near', () => {
    const numbers = Array.from({ length: 30 }, (_, index) => `${index + 1}\n`).join('');
    const before = Buffer.from(numbers);
    const after = Buffer.from(
      numbers.replace('\n5\n', '\nfive\n').replace('\n11\n', '\n').replace('\n25\n', '\n25\nx\n'),
    );
    expect(makePatch('a.py', before, after)).toEqual({
      ok: true,
      value:
        '@@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n-11\n 12\n 13\n 14\n' +
        '@@\n 23\n 24\n 25\n+x\n 26\n 27\n 28\n',
    });
  });

  it('grows the context of that hunk alone which needs it', () => {
    const block = 'x\ny\nz\nw\nv\nu\nt\n';
    const before = Buffer.from(`first\na\nb\nc\n${block}mid\n${block}last\n`);
    const after = Buffer.from(`first\na\nB\nc\n${block}mid\n${block.replace('w', 'W')}last\n`);
    const patch = makePatch('a.py', before, after);
    expect(patch.ok && applied(before, patch.value)).toEqual(after);
    expect(patch.ok && patch.value.split('@@\n')).toMatchObject([
      '',
      ' first\n a\n-b\n+B\n c\n x\n y\n',
      expect.stringContaining('last'),
    ]);
  });

  it('grows its context until it fits in one place only', () => {
    const block = 'x\ny\nz\nw\n';
    const before = Buffer.from(`first\n${block}${block}${block}last\n`);
    const after = Buffer.from(`first\n${block}${block.replace('z', 'Z')}${block}last\n`);
    const patch = makePatch('a.py', before, after);
    expect(patch.ok && applied(before, patch.value)).toEqual(after);
  });

  it.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['no newline at the end', 'a\nb', 'a\nB'],
    ['a byte order mark', '\ufeffa\nb\n', '\ufeffa\nB\n'],
  ])('keeps %s', (_what, before, after) => {
    const patch = makePatch('a.py', Buffer.from(before), Buffer.from(after));
    expect(patch.ok && applied(Buffer.from(before), patch.value)).toEqual(Buffer.from(after));
  });

  it('keeps bytes that are not UTF-8', () => {
    const before = Buffer.from('a\nn = "\xe9"\nb\n', 'latin1');
    const after = Buffer.from('a\nn = "\xe9\xe8"\nb\n', 'latin1');
    const patch = makePatch('a.py', before, after);
    expect(patch.ok && applied(before, patch.value)).toEqual(after);
  });

  it('gives exactly the other version, or says that there is none', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '', '  c', '# d', 'é'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (one, two, newline) => {
        const before = Buffer.from(one.join('\n') + (newline ? '\n' : ''));
        const after = Buffer.from(two.join('\n') + (newline ? '\n' : ''));
        fc.pre(!before.equals(after));
        const patch = makePatch('a.py', before, after);
        if (patch.ok) expect(applied(before, patch.value)).toEqual(after);
      }),
    );
  });
});
