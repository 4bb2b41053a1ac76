/** A file as lines of bytes: contents and terminators apart, nothing decoded. */
import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Lines end at LF; a CR right before it belongs to the terminator, not to the content. A byte
 * order mark lies before the first line. Indexes are 0-based.
 */
export interface Lines {
  readonly bytes: Buffer;
  /** A file that ends with a newline has no empty last line; an empty file has none at all. */
  readonly count: number;
  /** Offset of each line's first byte; one more entry than lines, the end of the file. */
  readonly starts: Uint32Array;
  /** Offset after each line's content, before its terminator. */
  readonly ends: Uint32Array;
  readonly hasBom: boolean;
}

export type Terminator = '\n' | '\r\n' | '';

export function splitLines(bytes: Buffer): Lines {
  const hasBom = bytes.subarray(0, BOM.length).equals(BOM);
  const first = hasBom ? BOM.length : 0;
  const starts = [];
  const ends = [];
  let start = first;
  while (start < bytes.length) {
    const newline = bytes.indexOf(LF, start);
    starts.push(start);
    if (newline === -1) {
      ends.push(bytes.length);
      start = bytes.length;
    } else {
      ends.push(newline > start && bytes[newline - 1] === CR ? newline - 1 : newline);
      start = newline + 1;
    }
  }
  starts.push(bytes.length);
  return {
    bytes,
    count: ends.length,
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    hasBom,
  };
}

export const startOf = (lines: Lines, index: number): number =>
  lines.starts[index] ?? lines.bytes.length;

export const endOf = (lines: Lines, index: number): number =>
  lines.ends[index] ?? lines.bytes.length;

/** A line's bytes without its terminator; empty past the end. */
export const contentOf = (lines: Lines, index: number): Buffer =>
  lines.bytes.subarray(startOf(lines, index), endOf(lines, index));

/** A line's text, for people and for comparing ASCII parts: one character per byte. */
export const latin1Of = (lines: Lines, index: number): string =>
  lines.bytes.toString('latin1', startOf(lines, index), endOf(lines, index));

export function terminatorOf(lines: Lines, index: number): Terminator {
  const length = startOf(lines, index + 1) - endOf(lines, index);
  return length === 2 ? '\r\n' : length === 1 ? '\n' : '';
}

export function lineIs(lines: Lines, index: number, content: Buffer): boolean {
  const start = startOf(lines, index);
  const end = endOf(lines, index);
  return (
    end - start === content.length &&
    lines.bytes.compare(content, 0, content.length, start, end) === 0
  );
}

/** The 0-based line that holds the byte at `offset`; the last line for the end of the file. */
export function lineAt(lines: Lines, offset: number): number {
  let low = 0;
  let high = Math.max(lines.count - 1, 0);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (startOf(lines, middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The terminator that a new line at `index` takes: its neighbour's, so that a file with mixed
 * endings stays as mixed as it is. `\n` where the file has no newline at all.
 */
export function terminatorNear(lines: Lines, index: number): Terminator {
  for (const near of [index, index - 1, index + 1]) {
    if (near < 0 || near >= lines.count) continue;
    const terminator = terminatorOf(lines, near);
    if (terminator !== '') return terminator;
  }
  return '\n';
}

/** Offset of the first character of a line that is not white space; null where it has none. */
export function firstOffset(lines: Lines, index: number): number | null {
  if (index < 0 || index >= lines.count) return null;
  const at = latin1Of(lines, index).search(/[^\s\f]/);
  return at === -1 ? null : startOf(lines, index) + at;
}

/** Bytes as text for people: UTF-8 where they are, otherwise one character per byte. */
export const displayText = (bytes: Buffer): string =>
  isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
