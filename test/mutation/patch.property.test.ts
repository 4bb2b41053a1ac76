import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffText } from '../../src/mutation/difference.js';
import { contentOf, splitLines } from '../../src/mutation/lines.js';
import { applyPatch } from '../../src/mutation/patch.js';
import { parsePatchText } from '../../src/mutation/patch-text.js';

/** Few different lines, so that places repeat; some that look like parts of a patch. */
const line = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  '  a',
  'a ',
  '-- c',
  '++ d',
  '@@',
  '\\ x',
  'é',
  '\0',
);
const ending = fc.constantFrom('\n', '\r\n');

const file = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 25 }), fc.boolean(), fc.boolean())
  .map(([lines, isTerminated, hasMark]) => {
    const text = lines.map(([content, end]) => content + end).join('');
    const mark = hasMark ? '\uFEFF' : '';
    return Buffer.from(mark + (isTerminated ? text : text.replace(/\r?\n$/, '')));
  });

const joined = (all: readonly string[], ends: boolean): string =>
  all.join('\n') + (all.length > 0 && (ends || all.at(-1) === '') ? '\n' : '');

/** Two texts in LF, where a patch made by `diff` says all that there is to say. */
const pair = fc
  .tuple(
    fc.array(line, { maxLength: 25 }),
    fc.array(fc.tuple(fc.nat(24), fc.nat(2), line), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([lines, edits, oldEnds, newEnds]) => {
    const changed = [...lines];
    for (const [at, kind, content] of edits) {
      changed.splice(
        at % (changed.length + 1),
        kind === 0 ? 0 : 1,
        ...(kind === 1 ? [] : [content]),
      );
    }
    return [joined(lines, oldEnds), joined(changed, newEnds)] as const;
  })
  .filter(([before, after]) => before !== after);

/** Every place in which the old lines of a hunk stand, in the simplest way to find them. */
function countPlaces(bytes: Buffer, hunk: readonly { kind: string; text: string }[]): number {
  const lines = splitLines(bytes);
  const old = hunk.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
  const all = Array.from({ length: lines.count }, (_, index) =>
    contentOf(lines, index).toString('utf8'),
  );
  return all.filter((_, start) => old.every((text, offset) => all[start + offset] === text)).length;
}

const RUNS = { numRuns: 500 };

describe('for any file and any patch', () => {
  test('a hunk that lands had exactly one place, and every other byte is unchanged', () => {
    const hunk = fc.array(fc.tuple(fc.constantFrom(' ', '-', '+'), line), {
      minLength: 1,
      maxLength: 4,
    });
    let landed = 0;
    fc.assert(
      fc.property(file, hunk, (bytes, drawn) => {
        const patch = `@@\n${drawn.map(([sign, content]) => sign + content).join('\n')}\n`;
        const result = applyPatch(splitLines(bytes), 'x', patch, null);
        const parsed = parsePatchText(patch);
        if (!result.ok || !parsed.ok) return;
        landed += 1;
        const [lines = []] = parsed.value;
        const places = countPlaces(bytes, lines);
        const isEmptyFile = splitLines(bytes).count === 0;
        expect(places).toBe(isEmptyFile ? 0 : 1);
        const after = result.value;
        expect(after.equals(bytes)).toBe(false);
        const starts = splitLines(bytes);
        const old = lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
        const at = Array.from({ length: starts.count }, (_, index) => index).find((start) =>
          old.every(
            (text, offset) =>
              start + offset < starts.count &&
              contentOf(starts, start + offset).toString('utf8') === text,
          ),
        );
        const from = starts.starts[at ?? 0] ?? 0;
        const to = starts.starts[(at ?? 0) + old.length] ?? bytes.length;
        const tail = bytes.subarray(to);
        expect(after.subarray(0, from).equals(bytes.subarray(0, from))).toBe(true);
        expect(after.subarray(after.length - tail.length).equals(tail)).toBe(true);
      }),
      RUNS,
    );
    expect(landed).toBeGreaterThan(30);
  });

  test('a patch made by diff gives exactly the other text, or is refused because it fits twice', () => {
    let landed = 0;
    fc.assert(
      fc.property(pair, fc.nat(3), fc.boolean(), ([before, after], context, isBare) => {
        const full = createTwoFilesPatch('a/x', 'b/x', before, after, '', '', {
          context,
          headerOptions: FILE_HEADERS_ONLY,
        });
        const patch = isBare ? full.replaceAll(/^@@ -.*@@$/gm, '@@') : full;
        const result = applyPatch(splitLines(Buffer.from(before)), 'x', patch, null);
        if (result.ok) {
          landed += 1;
          expect(result.value.toString()).toBe(after);
        } else {
          expect(['ambiguous', 'refused']).toContain(result.error.kind);
        }
      }),
      RUNS,
    );
    expect(landed).toBeGreaterThan(100);
  });

  test('the diff that we show gives the same bytes when it is applied', () => {
    let landed = 0;
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const [old, fresh] = [
          Buffer.from(before.replaceAll('\0', 'z')),
          Buffer.from(after.replaceAll('\0', 'z')),
        ];
        if (old.equals(fresh) || old.length === 0 || fresh.length === 0) return;
        const result = applyPatch(splitLines(old), 'x', diffText('x', old, fresh), null);
        if (!result.ok) return;
        landed += 1;
        expect(result.value.equals(fresh)).toBe(true);
      }),
      RUNS,
    );
    expect(landed).toBeGreaterThan(100);
  });
});
