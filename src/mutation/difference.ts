/** Where two versions of a file differ: the first line, and a diff for people. */
import { isUtf8 } from 'node:buffer';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { contentOf, displayText, type Lines, splitLines, startOf } from './lines.js';

/** Beyond this the diff is drawn as one block; it is for reading, nothing is applied from it. */
export const DIFF_TIMEOUT_MS = 1000;

/** The lines that differ once equal lines at both ends are taken off; 0-based, `to` exclusive. */
export interface Difference {
  readonly before: { readonly from: number; readonly to: number };
  readonly after: { readonly from: number; readonly to: number };
}

export function differenceOf(before: Lines, after: Lines): Difference {
  const shorter = Math.min(before.count, after.count);
  let head = before.hasBom === after.hasBom ? 0 : -1;
  while (head >= 0 && head < shorter && sameLine(before, head, after, head)) head += 1;
  const from = Math.max(head, 0);
  let tail = 0;
  while (
    tail < shorter - from &&
    sameLine(before, before.count - 1 - tail, after, after.count - 1 - tail)
  ) {
    tail += 1;
  }
  return {
    before: { from, to: before.count - tail },
    after: { from, to: after.count - tail },
  };
}

const sameLine = (a: Lines, i: number, b: Lines, j: number): boolean =>
  a.bytes
    .subarray(startOf(a, i), startOf(a, i + 1))
    .equals(b.bytes.subarray(startOf(b, j), startOf(b, j + 1)));

/**
 * A unified diff with `a/` and `b/` headers, three lines of context; `/dev/null` for a side
 * that does not exist. Text that is not UTF-8 is shown one character per byte, and a file with
 * NUL bytes is only named.
 */
export function diffText(path: string, before: Buffer | null, after: Buffer | null): string {
  const names = [
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
  ] as const;
  const [old, fresh] = [before ?? Buffer.alloc(0), after ?? Buffer.alloc(0)];
  if (old.includes(0) || fresh.includes(0))
    return `Binary files ${names[0]} and ${names[1]} differ\n`;
  const encoding = isUtf8(old) && isUtf8(fresh) ? 'utf8' : 'latin1';
  const text = createTwoFilesPatch(
    ...names,
    old.toString(encoding),
    fresh.toString(encoding),
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: DIFF_TIMEOUT_MS },
  );
  return text ?? blockDiff(names, splitLines(old), splitLines(fresh));
}

/** One hunk without context over all that differs, where the real diff would take too long. */
function blockDiff(names: readonly [string, string], old: Lines, fresh: Lines): string {
  const { before, after } = differenceOf(old, fresh);
  return [
    `--- ${names[0]}`,
    `+++ ${names[1]}`,
    `@@ -${before.from + 1},${before.to - before.from} +${after.from + 1},${after.to - after.from} @@`,
    ...signed(old, '-', before.from, before.to),
    ...signed(fresh, '+', after.from, after.to),
    '',
  ].join('\n');
}

const signed = (lines: Lines, sign: string, from: number, to: number): string[] =>
  Array.from(
    { length: to - from },
    (_, offset) => sign + displayText(contentOf(lines, from + offset)),
  );
