/** Where an anchor almost fits: help for people, never a place to apply anything. */
import type { Nearest } from './edit.js';
import { contentOf, displayText, latin1Of, type Lines } from './lines.js';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A line that merely looks alike is shown from this share of equal characters on. */
const ALIKE = 0.5;

const show = (lines: Lines, index: number): string =>
  index < lines.count ? displayText(contentOf(lines, index)) : '';

const isTrivial = (text: string): boolean => /^[\s)\]}{([,;:]*$/.test(text);

/**
 * The place in which most of `wanted` stands, in order, and the first line that differs there.
 * An equal line counts more than one that differs in its margins; blank lines and lone
 * brackets, which stand everywhere, do not count. One pass over the file.
 */
export function nearestLines(
  lines: Lines,
  range: Range,
  wanted: readonly Buffer[],
): Nearest | null {
  const exact = wanted.map((line) => line.toString('latin1'));
  const best = bestStart(lines, range, exact);
  if (best === null) return nearestText(lines, range, longest(wanted.map((w) => displayText(w))));
  for (const [offset, text] of exact.entries()) {
    const line = best + offset;
    if (line < lines.count && latin1Of(lines, line) === text) continue;
    return {
      line: line + 1,
      expected: displayText(wanted[offset] ?? Buffer.alloc(0)),
      found: show(lines, line),
    };
  }
  return null;
}

/** Lets every line of the file vote for where the hunk would begin if it were that line. */
function bestStart(lines: Lines, range: Range, exact: readonly string[]): number | null {
  const offsets = new Map<string, number[]>();
  for (const [offset, text] of exact.entries()) {
    const key = text.trim();
    if (!isTrivial(key)) offsets.set(key, [...(offsets.get(key) ?? []), offset]);
  }
  // A hunk may begin above the file, where its first lines are the ones that are missing.
  const shift = exact.length;
  const votes = new Uint32Array(lines.count + shift);
  for (let index = range.from; index < range.to && offsets.size > 0; index += 1) {
    const text = latin1Of(lines, index);
    for (const offset of offsets.get(text.trim()) ?? []) {
      const at = index - offset + shift;
      votes[at] = (votes[at] ?? 0) + (text === exact[offset] ? 10 : 9);
    }
  }
  let best = shift;
  for (let at = shift; at < votes.length; at += 1) {
    if ((votes[at] ?? 0) > (votes[best] ?? 0)) best = at;
  }
  return (votes[best] ?? 0) > 0 ? best - shift : null;
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.trim().length > best.trim().length ? text : best), '');

/** The line most alike to one wanted text, by equal characters at both ends. */
export function nearestText(lines: Lines, range: Range, wanted: string): Nearest | null {
  const needle = Buffer.from(wanted.trim(), 'utf8').toString('latin1');
  if (needle === '') return null;
  let best: { index: number; score: number } | null = null;
  for (let index = range.from; index < range.to; index += 1) {
    const line = latin1Of(lines, index).trim();
    const score = alike(needle, line);
    if (score >= ALIKE && (best === null || score > best.score)) best = { index, score };
  }
  return best === null
    ? null
    : { line: best.index + 1, expected: wanted, found: show(lines, best.index) };
}

function alike(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  const longer = Math.max(a.length, b.length);
  if (shorter < longer * ALIKE) return 0;
  let head = 0;
  while (head < shorter && a.charCodeAt(head) === b.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)
  ) {
    tail += 1;
  }
  return (head + tail) / longer;
}

/**
 * For a text that is only part of a line: the line that holds most of its words, at least half
 * of them.
 */
export function nearestWords(lines: Lines, range: Range, wanted: string): Nearest | null {
  const words =
    Buffer.from(wanted, 'utf8')
      .toString('latin1')
      .match(/[\w\x80-\xff]+/g) ?? [];
  let best: { index: number; score: number } | null = null;
  for (let index = range.from; index < range.to && words.length > 0; index += 1) {
    const line = latin1Of(lines, index);
    const held = words.filter((word) => line.includes(word));
    const score = held.join('').length / words.join('').length;
    if (score >= ALIKE && (best === null || score > best.score)) best = { index, score };
  }
  return best === null
    ? nearestText(lines, range, wanted)
    : { line: best.index + 1, expected: wanted, found: show(lines, best.index) };
}
