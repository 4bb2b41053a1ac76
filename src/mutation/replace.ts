/** `replace`: a text that stands exactly as often as said, exchanged for another. */
import { ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { encodeFor, type Encoding, encodingsFor, provenBy } from './encoding.js';
import { lineAt, type Lines, startOf, terminatorNear } from './lines.js';
import { nearestLines, nearestWords } from './nearest.js';
import { ambiguous, noChange, noMatch, refused } from './problem.js';
import type { LineRange } from './within.js';

export interface Replacement {
  readonly find: string;
  readonly with: string;
  /** How often `find` must stand in the range, no more and no less. */
  readonly count: number;
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly encoding: Encoding | null;
}

/**
 * Replaces every occurrence of `find` in the range, which must be `count` in number.
 *
 * A line break in `find` matches LF and CRLF; each line break in `with` becomes the one of the
 * line in which the match begins. Occurrences that overlap (`aa` in `aaa`) are all counted, so
 * that no reading of "twice" is taken for granted, and are never replaced.
 */
export function replaceText(
  lines: Lines,
  path: string,
  replacement: Replacement,
  range: LineRange,
): Result<Buffer, NotApplied> {
  const { find, count } = replacement;
  if (find === '') return refused(path, '`find` is empty: it would match everywhere');
  if (!Number.isSafeInteger(count) || count < 1) {
    return refused(path, `\`count\` is ${count}: a mutation replaces at least once`);
  }
  if (unify(find) === unify(replacement.with))
    return noChange(path, 'the edit', '`find` and `with` are equal');
  const matches = allMatches(lines, find, range);
  if (matches.length === 0) return noMatch(path, '`find`', nearest(lines, range, find));
  const overlaps = matches.some((match, index) => match.start < (matches[index - 1]?.end ?? 0));
  if (matches.length !== count) {
    const what = overlaps ? '`find` (some of its matches overlap)' : '`find`';
    return ambiguous(
      path,
      what,
      count,
      matches.map((match) => lineAt(lines, match.start) + 1),
    );
  }
  if (overlaps) {
    const at = matches.map((match) => lineAt(lines, match.start) + 1).join(', ');
    return refused(path, `the ${count} matches of \`find\` overlap (lines ${at}): make it longer`);
  }
  return splice(lines, path, replacement, matches);
}

/** Lines, 1-based, on which a match begins, wherever in the file. */
export const linesThatFit = (lines: Lines, find: string): readonly number[] => [
  ...new Set(
    allMatches(lines, find, { from: 0, to: lines.count }).map(
      ({ start }) => lineAt(lines, start) + 1,
    ),
  ),
];

const unify = (text: string): string => text.replaceAll('\r\n', '\n');

function allMatches(lines: Lines, find: string, range: LineRange): readonly Match[] {
  const from = range.from === 0 ? 0 : startOf(lines, range.from);
  const to = startOf(lines, range.to);
  const byStart = new Map<number, Match>();
  for (const encoding of encodingsFor(lines.bytes, find)) {
    const parts = unify(find)
      .split('\n')
      .map((part) => Buffer.from(part, encoding));
    for (const match of matchesOf(lines.bytes, parts, from, to)) {
      byStart.set(match.start, { ...match, encoding: provenBy(find, encoding) });
    }
  }
  return [...byStart.values()].toSorted((a, b) => a.start - b.start);
}

function* matchesOf(
  bytes: Buffer,
  parts: readonly Buffer[],
  from: number,
  to: number,
): Generator<{ start: number; end: number }> {
  const [head = Buffer.alloc(0)] = parts;
  let start = from - 1;
  for (;;) {
    start = head.length > 0 ? bytes.indexOf(head, start + 1) : start + 1;
    if (start === -1 || start >= to) return;
    // An empty first line begins at its line break, where the line before it ends: CR included.
    if (head.length === 0 && bytes[start] === 0x0a && bytes[start - 1] === 0x0d && start > from)
      continue;
    const end = matchFrom(bytes, parts, start);
    if (end !== null && end <= to) yield { start, end };
  }
}

function matchFrom(bytes: Buffer, parts: readonly Buffer[], start: number): number | null {
  let at = start;
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) at += 2;
      else if (bytes[at] === 0x0a) at += 1;
      else return null;
    }
    if (!bytes.subarray(at, at + part.length).equals(part)) return null;
    at += part.length;
  }
  return at;
}

function splice(
  lines: Lines,
  path: string,
  replacement: Replacement,
  matches: readonly Match[],
): Result<Buffer, NotApplied> {
  const parts: Buffer[] = [];
  let done = 0;
  for (const match of matches) {
    const newline = terminatorNear(lines, lineAt(lines, match.start));
    const text = unify(replacement.with).replaceAll('\n', newline);
    const fresh = encodeFor(lines.bytes, text, match.encoding);
    if (fresh === null) {
      return refused(
        path,
        '`with` has characters that the file cannot hold: it is not UTF-8, and latin-1 lacks them',
      );
    }
    parts.push(lines.bytes.subarray(done, match.start), fresh);
    done = match.end;
  }
  const result = Buffer.concat([...parts, lines.bytes.subarray(done)]);
  return result.equals(lines.bytes)
    ? noChange(path, 'the edit', '`with` gives the same bytes')
    : ok(result);
}

function nearest(lines: Lines, range: LineRange, find: string): ReturnType<typeof nearestLines> {
  const wanted = unify(find).replace(/\n$/, '').split('\n');
  return wanted.length === 1
    ? nearestWords(lines, range, find)
    : nearestLines(
        lines,
        range,
        wanted.map((line) => Buffer.from(line, 'utf8')),
      );
}

/**
 * Replaces `find`, which must stand exactly once on the lines `from` to `to` (1-based,
 * inclusive), with `replacement`.
 */
export function replaceOnLines(
  lines: Lines,
  path: string,
  span: { readonly from: number; readonly to: number },
  replacement: { readonly find: string; readonly with: string },
): Result<Buffer, NotApplied> {
  if (span.from < 1 || span.to < span.from || span.to > lines.count) {
    return refused(
      path,
      `line ${Math.max(span.from, span.to)} is not in the file, which has ${lines.count}`,
    );
  }
  const range = { from: span.from - 1, to: span.to };
  return replaceText(lines, path, { ...replacement, count: 1 }, range);
}
