/**
 * Text that comes from a person's project (test ids, messages, source lines) on its way to a
 * terminal: nothing in it may steer the terminal, hide, or reorder what stands beside it.
 */
import stringWidth from 'string-width';
import { append } from '../lists.js';

/**
 * Control (C0, DEL, C1), format (bidi overrides, zero-width, tags, soft hyphen), line and
 * paragraph separators, and lone surrogates. A joined emoji loses its joiner to this; a test id
 * that only looks like another one would cost more.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Combining marks without a letter: they would sit on the text that we put before them. */
const STRAY_MARKS = /(?<=^|[\p{Z}\p{C}])\p{M}+/gu;

/** Printable, one column each: nearly all names and messages, and 100 times as fast to handle. */
const ASCII = /^[ -~]*$/;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeOf(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\u{${code.toString(16)}}`;
}

/** One line of printable text: every control or invisible character becomes a visible escape. */
export function visible(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replaceAll(STRAY_MARKS, (marks) => Array.from(marks, escapeOf).join(''))
    .replaceAll(INVISIBLE, escapeOf);
}

/** Lines of a block (a patch, a source excerpt), each made visible; tabs become four spaces. */
export function visibleLines(block: string): string[] {
  const lines = block.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => visible(line.replaceAll('\t', '    ')));
}

/** Columns that the text takes on a terminal; SGR colours count as nothing. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** As many graphemes from the front as fit into `width` columns. Plain text only, no colours. */
function head(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, width));
  let used = 0;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    kept += segment;
  }
  return kept;
}

function tail(text: string, width: number): string {
  if (ASCII.test(text)) return width < 1 ? '' : text.slice(-width);
  let used = 0;
  let kept = '';
  for (const grapheme of graphemes(text).toReversed()) {
    used += widthOf(grapheme);
    if (used > width) break;
    kept = grapheme + kept;
  }
  return kept;
}

/** Cuts the end off; for messages, whose beginning says most. */
export function keepStart(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  return room < 1 ? head(text, width) : head(text, room) + ellipsis;
}

/** Cuts the end off behind a whole word, where one ends in the latter half; for sentences. */
export function keepWords(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  // A space stands before the sign.
  const cut = keepStart(text, width - 1, ellipsis);
  const kept = cut.slice(0, cut.length - ellipsis.length);
  const end = text.charAt(kept.length) === ' ' ? kept.length : kept.lastIndexOf(' ');
  return end < kept.length / 2 ? cut : `${kept.slice(0, end).trimEnd()} ${ellipsis}`;
}

/** Cuts the beginning off; for test ids and paths, whose end tells them apart. */
export function keepEnd(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  return room < 1 ? tail(text, width) : ellipsis + tail(text, room);
}

/**
 * Cuts one word into pieces of at most `width` columns, losing nothing. Linear in its length. A
 * test id is cut behind its file or class where the rest fits, so that its name can be copied.
 */
function pieces(word: string, width: number): string[] {
  const [name = word] = word.split('[', 1);
  const joint = name.lastIndexOf('::') + 2;
  if (joint < 3 || widthOf(word.slice(joint)) > width) return hardPieces(word, width);
  return [...hardPieces(word.slice(0, joint), width), word.slice(joint)];
}

function hardPieces(word: string, width: number): string[] {
  const cut: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of segmenter.segment(word)) {
    const columns = widthOf(segment);
    if (piece !== '' && used + columns > width) {
      cut.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += columns;
  }
  cut.push(piece);
  return cut;
}

/**
 * Breaks at spaces into lines of at most `width` columns; a longer word is cut, never shortened.
 * Leading spaces are kept and repeated on the lines that follow. Plain text only, no colours.
 */
export function wrap(text: string, width: number): string[] {
  const indent = (/^ */.exec(text)?.[0] ?? '').slice(0, Math.max(0, Math.floor(width / 2)));
  const room = Math.max(1, width - indent.length);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  // Other kinds of space are part of a word: a test id may begin or end with one.
  for (const word of text.replace(/^ +/, '').split(' ')) {
    const columns = widthOf(word);
    const joined = `${line} ${word}`;
    // A word may join the space before it into one sign, so the sum is right for ASCII alone.
    const both = ASCII.test(word) ? used + 1 + columns : widthOf(joined);
    if (line !== '' && both <= room) {
      line = joined;
      used = both;
      continue;
    }
    if (line !== '') lines.push(line);
    const cut = columns <= room ? [word] : pieces(word, room);
    append(lines, cut.slice(0, -1));
    line = cut.at(-1) ?? '';
    used = widthOf(line);
  }
  lines.push(line);
  return lines.map((each) => (indent + each).replace(/ +$/, ''));
}

/** Pads with spaces on the right up to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** `0.3s`, `12.4s`, `2m 05s`, `1h 02m`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${pad2(whole % 60)}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h ${pad2(minutes % 60)}m`;
}

/** `0:07`, `12:03`, `1:02:03`: for a clock that stands still while its digits move. */
export function clock(ms: number): string {
  const whole = Math.floor(Math.max(0, ms) / 1000);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = pad2(whole % 60);
  return hours > 0 ? `${hours}:${pad2(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

function pad2(n: number): string {
  return String(n).padStart(2, '0');
}

/** The first 16 digits of a SHA-256: one fixed short width everywhere, the whole is in the record. */
export function shortSum(sha256: string | null): string {
  return sha256 === null ? 'absent' : sha256.slice(0, 16);
}

/** `1 test`, `2 tests`; `many` where the plural is not `one` + s. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** `2 lanes` of a list that is shown in part: the first ones and how many are left out. */
export function page<T>(
  items: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly more: number } {
  // `and 1 more` would take the line that the one itself needs.
  if (items.length <= limit + 1) return { shown: items, more: 0 };
  return { shown: items.slice(0, limit), more: items.length - limit };
}
