/** `patch`: hunks put where their old lines stand, and nowhere else. */
import { ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { encodingsFor, provenBy } from './encoding.js';
import { lineIs, type Lines, terminatorOf } from './lines.js';
import { nearestLines } from './nearest.js';
import { type Hunk, parsePatchText } from './patch-text.js';
import { ambiguous, noMatch, refused } from './problem.js';
import {
  newLines,
  oldLines,
  type Place,
  type Placed,
  spliceHunks,
  withoutMark,
} from './splice-hunks.js';
import type { LineRange } from './within.js';

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
  return spliceHunks(lines, path, placed);
}

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
