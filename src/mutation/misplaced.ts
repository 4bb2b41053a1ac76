/** Why the lines of a hunk cannot be found in the file as it lies, for people. */
import type { CommitEdit } from '../spec/model.js';
import type { NotApplied } from './edit.js';
import type { Part, Span } from './file-change.js';
import { contentOf, type Lines, splitLines } from './lines.js';
import { nearestLines } from './nearest.js';
import { findSpans } from './place.js';
import { refused } from './problem.js';
import { wholeFile } from './within.js';

const CONTEXT = 3;

const NEXT = {
  several: 'leave it out by `hunks`, or write it as a `patch` with more lines of context',
  done: 'leave it out by `hunks`: it is as this edit would make it',
  nowhere: 'leave it out by `hunks`, or write what is left of it as a `patch`',
} as const;

type LinesPart = Part & { readonly kind: 'lines' };

/**
 * @param part of a change that is taken back: for `apply`, of its reverse
 * @param runs fresh lines of all parts of the file that are taken, in order
 */
export function misplaced(
  part: LinesPart,
  now: Buffer,
  {
    kind,
    name,
    runs,
  }: { readonly kind: CommitEdit['kind']; readonly name: string; readonly runs: readonly Span[] },
): NotApplied {
  const { file, old, fresh } = part;
  const { path, before, after } = file;
  if (before === null || after === null) throw new Error('Internal error: lines of no file');
  // The line that people see in the commit, which is on the old side where it is made once more.
  const line = (kind === 'revert' ? fresh : old).from + 1;
  const what = `the hunk of ${name} at its line ${line}`;
  const found = findSpans(after, now, runs)[runs.indexOf(fresh)];
  switch (found?.kind) {
    case 'several':
      return {
        kind: 'ambiguous',
        path,
        what,
        expected: 1,
        lines: found.starts.map((start) => start + 1),
        next: NEXT.several,
      };
    case 'meets':
      return refused(
        path,
        `${what} stands above the end of the one before it, at line ${found.start + 1}`,
      ).error;
    default:
      break;
  }
  const [done] = findSpans(before, now, [old]);
  if (done?.kind === 'found') return { kind: 'no-change', path, what, next: NEXT.done };
  const lines = splitLines(now);
  const wanted = around(splitLines(after), fresh);
  const nearest = nearestLines(lines, wholeFile(lines), wanted);
  return { kind: 'no-match', path, what, nearest, next: NEXT.nowhere };
}

function around(lines: Lines, { from, to }: Span): readonly Buffer[] {
  const top = Math.max(0, from - CONTEXT);
  const bottom = Math.min(lines.count, to + CONTEXT);
  return Array.from({ length: bottom - top }, (_, offset) => contentOf(lines, top + offset));
}
