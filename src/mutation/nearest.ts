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
 * An equal line counts more than one that differs in its margins, and that one more than a
 * blank line or a lone bracket. One pass over the file: 200,000 lines take less than 0.2 s.
 */
export function nearestLines(
  lines: Lines,
  range: Range,
  wanted: readonly Buffer[],
): Nearest | null {
  const exact = wanted.map((line) => line.toString('latin1'));
  const places = new Map<string, number[]>();
  for (const [offset, text] of exact.entries()) {
    const key = text.trim();
    places.set(key, [...(places.get(key) ?? []), offset]);
  }
  const votes = new Map<number, number>();
  for (let index = range.from; index < range.to; index += 1) {
    const text = latin1Of(lines, index);
    const key = text.trim();
    for (const offset of places.get(key) ?? []) {
      const weight = isTrivial(key) ? 1 : text === exact[offset] ? 1000 : 900;
      votes.set(index - offset, (votes.get(index - offset) ?? 0) + weight);
    }
  }
  let best: number | null = null;
  for (const [start, weight] of votes) {
    const leader = best === null ? 0 : (votes.get(best) ?? 0);
    if (
      start >= 0 &&
      weight >= 900 &&
      (weight > leader || (weight === leader && start < (best ?? 0)))
    ) {
      best = start;
    }
  }
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
