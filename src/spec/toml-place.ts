/**
 * Where a path of a TOML document is written. The parser keeps no positions, so the lines are
 * searched for headers and keys; inside an inline table or array the place is the nearest word.
 */
import { lineText, type Source, type Span } from './source.js';
import type { Path } from './written.js';

interface Entry {
  readonly path: readonly string[];
  readonly key: Span;
  readonly value: Span;
}

const PART = `(?:[A-Za-z0-9_-]+|"(?:[^"\\\\]|\\\\.)*"|'[^']*')`;
const KEY = new RegExp(`^\\s*(${PART}(?:\\s*\\.\\s*${PART})*)\\s*=\\s*`);
const HEADER = new RegExp(`^\\s*(\\[\\[?)\\s*(${PART}(?:\\s*\\.\\s*${PART})*)\\s*\\]`);

/** A function from a path, from the document's top, to its span. */
export function tomlPlaces(source: Source): (path: Path, part: 'key' | 'value') => Span {
  const entries = entriesOf(source);
  return (path, part) => {
    const wanted = path.map(String);
    const exact = entries.find((entry) => samePath(entry.path, wanted));
    if (exact !== undefined) return exact[part];
    const around = entries
      .filter((entry) => isPrefix(entry.path, wanted))
      .toSorted((a, b) => b.path.length - a.path.length)[0];
    const below = entries.find((entry) => isPrefix(wanted, entry.path));
    if (below !== undefined && (around === undefined || around.path.length < wanted.length))
      return below.key;
    if (around === undefined) return { start: 0, end: 1 };
    return insideOf(source, around, wanted.slice(around.path.length), part);
  };
}

const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && isPrefix(a, b);
const isPrefix = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((part, index) => part === b[index]);

/** Looks for the last known key in the text of an inline value. */
function insideOf(
  source: Source,
  entry: Entry,
  rest: readonly string[],
  part: 'key' | 'value',
): Span {
  const text = source.text.slice(entry.value.start, entry.value.end);
  let from = 0;
  let last: string | null = null;
  for (const step of rest) {
    if (/^\d+$/.test(step)) continue;
    const at = text.indexOf(step, from);
    if (at === -1) return entry.value;
    from = at + step.length;
    last = step;
  }
  if (last === null) return entry.value;
  const start = entry.value.start + from - last.length;
  if (part === 'key') return { start, end: start + last.length };
  const value = /^["']?\s*=\s*([^,}\]]+)/.exec(text.slice(from));
  if (value?.[1] === undefined) return { start, end: start + last.length };
  const valueStart = entry.value.start + from + value[0].length - value[1].length;
  return { start: valueStart, end: valueStart + value[1].trimEnd().length };
}

function entriesOf(source: Source): readonly Entry[] {
  const entries: Entry[] = [];
  const counts = new Map<string, number>();
  let table: readonly string[] = [];
  let fence: string | null = null;
  source.lines.lineStarts.forEach((start, index) => {
    const line = lineText(source, index + 1);
    const before = fence;
    fence = fenceAfter(line, fence);
    if (before !== null) return;
    const header = HEADER.exec(line);
    if (header?.[2] !== undefined) {
      table = partsOf(header[2]);
      if (header[1] === '[[') {
        const count = counts.get(table.join('\0')) ?? 0;
        counts.set(table.join('\0'), count + 1);
        table = [...table, String(count)];
      }
      const at = start + line.indexOf(header[2]);
      const span = { start: at, end: at + header[2].length };
      entries.push({ path: table, key: span, value: span });
      return;
    }
    const key = KEY.exec(line);
    if (key?.[1] === undefined) return;
    const at = start + line.indexOf(key[1]);
    const valueStart = start + key[0].length;
    entries.push({
      path: [...table, ...partsOf(key[1])],
      key: { start: at, end: at + key[1].length },
      value: { start: valueStart, end: valueEnd(source, valueStart) },
    });
  });
  return entries;
}

/** The end of a value: of its line, or of the brackets that it opens. */
function valueEnd(source: Source, start: number): number {
  const { text } = source;
  let depth = 0;
  let quote: string | null = null;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== null) {
      if (character === '\\' && quote === '"') at += 1;
      else if (character === quote || character === '\n') quote = null;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (depth <= 0 && (character === '\n' || character === '#'))
      return start + text.slice(start, at).trimEnd().length;
  }
  return start + text.slice(start).trimEnd().length;
}

/** Which kind of multi-line string is open behind a line. */
function fenceAfter(line: string, open: string | null): string | null {
  let fence = open;
  for (const [mark] of line.matchAll(/"""|'''/g)) {
    if (fence === null) fence = mark;
    else if (fence === mark) fence = null;
  }
  return fence;
}

const partsOf = (key: string): readonly string[] =>
  [...key.matchAll(new RegExp(PART, 'g'))].map(([part]) =>
    /^["']/.test(part) ? part.slice(1, -1) : part,
  );
