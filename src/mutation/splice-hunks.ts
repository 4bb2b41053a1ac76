/** Hunks whose places are known, written into the bytes of the file. */
import { ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { encodeFor, type Encoding } from './encoding.js';
import { contentOf, type Lines, startOf, terminatorNear, terminatorOf } from './lines.js';
import type { Hunk, HunkLine } from './patch-text.js';
import { noChange, refused } from './problem.js';

export interface Place {
  /** 0-based line of the hunk's first old line. */
  readonly start: number;
  readonly encoding: Encoding | null;
}

export interface Placed extends Place {
  readonly hunk: Hunk;
  readonly name: string;
}

export const oldLines = (hunk: Hunk): readonly HunkLine[] =>
  hunk.filter((line) => line.kind !== 'add');
export const newLines = (hunk: Hunk): readonly HunkLine[] =>
  hunk.filter((line) => line.kind !== 'drop');

/** A byte order mark belongs to no line: a patch may show the one of the file or leave it out. */
export const withoutMark = (lines: Lines, text: string): string =>
  lines.hasBom && text.startsWith('\uFEFF') ? text.slice(1) : text;

/** Replaces each hunk's lines; `placed` is in the order of the file and does not overlap. */
export function spliceHunks(
  lines: Lines,
  path: string,
  placed: readonly Placed[],
): Result<Buffer, NotApplied> {
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
      return noChange(path, place.name, 'it adds what it drops (line endings are not compared)');
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
