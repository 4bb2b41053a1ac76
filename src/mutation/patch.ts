/** `patch`: hunks put where their old lines stand, and nowhere else. */
import { ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { encodeFor, type Encoding, encodingsFor, provenBy } from './encoding.js';
import { contentOf, lineIs, type Lines, startOf, terminatorNear, terminatorOf } from './lines.js';
import { nearestLines } from './nearest.js';
import { type Hunk, type HunkLine, parsePatchText } from './patch-text.js';
import { ambiguous, noChange, noMatch, refused } from './problem.js';
import type { LineRange } from './within.js';

interface Place {
  /** 0-based line of the hunk's first old line. */
  readonly start: number;
  readonly encoding: Encoding | null;
}

interface Placed extends Place {
  readonly hunk: Hunk;
  readonly name: string;
}

/**
 * Applies a unified diff by content alone.
 *
 * Every hunk must fit in exactly one place: all of its old lines, byte for byte without their
 * terminators, and every line that it drops or adds inside `range` (its context may stand out
 * of it). Line numbers never decide, and neither does the order of hunks: that two hunks fit
 * in order in one way only is a guess about what the author saw, so it is refused as well.
 *
 * Bytes outside the dropped and added lines stay as they are. A new line takes the terminator
 * of the line that it replaces, or of its neighbour. A missing newline at the end of the file
 * stays missing unless `\ No newline at end of file` says otherwise.
 *
 * @param range null: the whole file.
 */
export function applyPatch(
  lines: Lines,
  path: string,
  text: string,
  range: LineRange | null,
): Result<Buffer, NotApplied> {
  const parsed = parsePatchText(text);
  if (!parsed.ok) return refused(path, `the patch ${parsed.error}`);
  const hunks = parsed.value;
  const placed: Placed[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const name = hunks.length === 1 ? 'the hunk' : `hunk ${index + 1} of ${hunks.length}`;
    const place = locateHunk(lines, path, hunk, name, range);
    if (!place.ok) return place;
    const previous = placed.at(-1);
    if (
      previous !== undefined &&
      place.value.start < previous.start + oldLines(previous.hunk).length
    ) {
      return refused(
        path,
        place.value.start < previous.start
          ? `${name} lies above the one before it (line ${place.value.start + 1}): write hunks in the order of the file`
          : `${name} overlaps the one before it at line ${place.value.start + 1}: write them as one hunk`,
      );
    }
    placed.push({ ...place.value, hunk, name });
  }
  return splice(lines, path, placed);
}

const oldLines = (hunk: Hunk): readonly HunkLine[] => hunk.filter((line) => line.kind !== 'add');
const newLines = (hunk: Hunk): readonly HunkLine[] => hunk.filter((line) => line.kind !== 'drop');

function locateHunk(
  lines: Lines,
  path: string,
  hunk: Hunk,
  name: string,
  range: LineRange | null,
): Result<Place, NotApplied> {
  const old = oldLines(hunk);
  if (old.length === 0 && lines.count > 0) {
    return refused(path, `${name} adds lines without saying where: give it a line of context`);
  }
  const texts = old.map((line) => withoutMark(lines, line.text));
  const all = texts.join('\n');
  const places: Place[] = [];
  for (const encoding of encodingsFor(lines.bytes, all)) {
    const wanted = texts.map((text) => Buffer.from(text, encoding));
    for (const start of fits(lines, wanted)) {
      places.push({ start, encoding: provenBy(all, encoding) });
    }
  }
  const marked = old.findIndex((line, index) => line.text !== texts[index]);
  const sound = places.filter(
    ({ start }) => (marked === -1 || start + marked === 0) && endFits(lines, hunk, start),
  );
  const inside = sound.filter(({ start }) => range === null || changesWithin(hunk, start, range));
  const [only, ...more] = inside;
  if (only === undefined) {
    const wanted = texts.map((text) => Buffer.from(text, 'utf8'));
    const where = range ?? { from: 0, to: lines.count };
    if (sound[0] !== undefined) {
      const at = sound.map(({ start }) => start + 1).join(', ');
      return noMatch(path, `${name} (it fits at line ${at}, outside \`within\`)`, null);
    }
    if (places[0] !== undefined) {
      return noMatch(
        path,
        `${name} (its end of file: the lines fit, the last newline does not)`,
        null,
      );
    }
    return noMatch(path, name, nearestLines(lines, where, wanted));
  }
  if (more.length > 0) {
    return ambiguous(
      path,
      name,
      1,
      inside.map(({ start }) => start + 1).toSorted((a, b) => a - b),
    );
  }
  return ok(only);
}

/** A byte order mark belongs to no line: a patch may show the one of the file or leave it out. */
const withoutMark = (lines: Lines, text: string): string =>
  lines.hasBom && text.startsWith('\uFEFF') ? text.slice(1) : text;

function fits(lines: Lines, wanted: readonly Buffer[]): readonly number[] {
  const starts = [];
  for (let start = 0; start + wanted.length <= lines.count; start += 1) {
    if (wanted.every((line, offset) => lineIs(lines, start + offset, line))) starts.push(start);
  }
  return starts;
}

function endFits(lines: Lines, hunk: Hunk, start: number): boolean {
  const end = start + oldLines(hunk).length;
  const oldMark = oldLines(hunk).at(-1)?.isUnterminated ?? false;
  const newMark = newLines(hunk).at(-1)?.isUnterminated ?? false;
  if (!oldMark && !newMark) return true;
  return end === lines.count && (!oldMark || terminatorOf(lines, end - 1) === '');
}

function changesWithin(hunk: Hunk, start: number, range: LineRange): boolean {
  let line = start;
  return hunk.every(({ kind }) => {
    if (kind === 'add')
      return line > range.from && line <= range.to ? true : replacesFirst(hunk, start, range);
    const isInside = line >= range.from && line < range.to;
    line += 1;
    return kind === 'keep' || isInside;
  });
}

/** Lines put above the first line of a range are part of it only if that line goes too. */
function replacesFirst(hunk: Hunk, start: number, range: LineRange): boolean {
  let line = start;
  for (const { kind } of hunk) {
    if (kind === 'drop' && line === range.from) return true;
    if (kind !== 'add') line += 1;
  }
  return false;
}

function splice(lines: Lines, path: string, placed: readonly Placed[]): Result<Buffer, NotApplied> {
  const parts: Buffer[] = [];
  let done = 0;
  for (const place of placed) {
    const from = startOf(lines, place.start);
    const to = startOf(lines, place.start + oldLines(place.hunk).length);
    const fresh = rewrite(lines, place);
    if (fresh === null) {
      return refused(
        path,
        `${place.name} adds characters that the file cannot hold: it is not UTF-8, and latin-1 lacks them`,
      );
    }
    if (fresh.equals(lines.bytes.subarray(from, to))) {
      return noChange(path, `${place.name} adds what it drops (line endings are not compared)`);
    }
    parts.push(lines.bytes.subarray(done, from), fresh);
    done = to;
  }
  return ok(Buffer.concat([...parts, lines.bytes.subarray(done)]));
}

interface Output {
  readonly content: Buffer;
  terminator: string;
  /** The old line whose ending it has or takes. */
  readonly like: number;
  readonly isNew: boolean;
}

function rewrite(lines: Lines, place: Placed): Buffer | null {
  const output: Output[] = [];
  let line = place.start;
  let dropped: number[] = [];
  let added = 0;
  for (const [index, { kind, text }] of place.hunk.entries()) {
    if (kind === 'keep') {
      output.push({
        content: contentOf(lines, line),
        terminator: terminatorOf(lines, line),
        like: line,
        isNew: false,
      });
      line += 1;
      dropped = [];
      added = 0;
    } else if (kind === 'drop') {
      line += 1;
    } else {
      if (added === 0) dropped = droppedWith(place, index);
      const like = dropped[added] ?? dropped.at(-1) ?? Math.max(line - 1, 0);
      const content = encodeFor(lines.bytes, withoutMark(lines, text), place.encoding);
      if (content === null) return null;
      output.push({ content, terminator: terminatorNear(lines, like), like, isNew: true });
      added += 1;
    }
  }
  endLines(lines, place, line, output);
  return Buffer.concat(output.flatMap((out) => [out.content, Buffer.from(out.terminator)]));
}

/** The old lines that the run of changes around a line of the hunk drops. */
function droppedWith(place: Placed, index: number): number[] {
  const { hunk, start } = place;
  let first = index;
  while (first > 0 && hunk[first - 1]?.kind !== 'keep') first -= 1;
  const dropped = [];
  let line = start + oldLines(hunk.slice(0, first)).length;
  for (let at = first; at < hunk.length && hunk[at]?.kind !== 'keep'; at += 1) {
    if (hunk[at]?.kind === 'drop') {
      dropped.push(line);
      line += 1;
    }
  }
  return dropped;
}

/** Every line but the file's last must end; the last one ends as the markers say, or as before. */
function endLines(lines: Lines, place: Placed, end: number, output: readonly Output[]): void {
  for (const [index, out] of output.entries()) {
    const isLastOfFile = index === output.length - 1 && end === lines.count;
    if (!isLastOfFile) {
      if (out.terminator === '') out.terminator = terminatorNear(lines, out.like);
    } else if (newLines(place.hunk).at(-1)?.isUnterminated === true) {
      out.terminator = '';
    } else if (oldLines(place.hunk).at(-1)?.isUnterminated === true) {
      out.terminator = terminatorNear(lines, out.like);
    } else if (out.isNew && lines.count > 0 && terminatorOf(lines, lines.count - 1) === '') {
      out.terminator = '';
    }
  }
}
