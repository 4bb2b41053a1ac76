/** Where two versions of a file differ, as bytes of one of them. */
import { DIFF_TIMEOUT_MS, type Difference, differenceOf } from './difference.js';
import { lineRuns } from './line-runs.js';
import { contentOf, endOf, latin1Of, type Lines, startOf } from './lines.js';
import type { Span } from './source-tree.js';

/** One run of changed lines. */
export interface ChangedLines {
  readonly all: Span;
  /** What is not the same as in the other version; never empty, so that what stands beside it counts. */
  readonly parts: readonly Span[];
  /** Opened braces less closed ones that the other version has here; 0: blocks begin and end alike. */
  readonly shift: number;
}

/** In `lines`, the version that is asked for, against `other`. */
export const changedCode = (lines: Lines, other: Lines): readonly ChangedLines[] =>
  changesBetween(lines, other).map(({ before, after }) => {
    const places = Array.from({ length: before.to - before.from }, (_, index) => index);
    const isPaired = places.length === after.to - after.from;
    return {
      all: { start: startOf(lines, before.from), end: startOf(lines, before.to) },
      parts: places.map((index) =>
        isPaired
          ? differing(lines, before.from + index, other, after.from + index)
          : { start: startOf(lines, before.from + index), end: endOf(lines, before.from + index) },
      ),
      shift: depthOf(other, after) - depthOf(lines, before),
    };
  });

/** The runs of lines in which two versions differ. */
export const changesBetween = (a: Lines, b: Lines): readonly Difference[] =>
  // Too much to be told apart in time is one change.
  lineRuns(textsOf(a), textsOf(b), DIFF_TIMEOUT_MS) ?? [differenceOf(a, b)];

const textsOf = (lines: Lines): string[] =>
  Array.from({ length: lines.count }, (_, index) => latin1Of(lines, index));

function differing(lines: Lines, line: number, other: Lines, otherLine: number): Span {
  const [one, two] = [contentOf(lines, line), contentOf(other, otherLine)];
  const most = Math.min(one.length, two.length);
  let head = 0;
  while (head < most && one[head] === two[head]) head += 1;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === two.at(-1 - tail)) tail += 1;
  const start = startOf(lines, line);
  const end = startOf(lines, line) + one.length - tail;
  return start + head < end ? { start: start + head, end } : { start: end - 1, end: end + 1 };
}

function depthOf(lines: Lines, { from, to }: Difference['before']): number {
  const text = lines.bytes.toString('latin1', startOf(lines, from), startOf(lines, to));
  return text.split('{').length - text.split('}').length;
}
