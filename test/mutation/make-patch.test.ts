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
