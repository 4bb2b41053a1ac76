/** A text that a person wrote, with its places: offsets in, line and column out. */
import { LineCounter } from 'yaml';
import type { Diagnostic, Where } from './model.js';

export interface Source {
  /** The name shown to people: root-relative with forward slashes where it lies under the root. */
  readonly file: string;
  /** Decoded, without a byte order mark. */
  readonly text: string;
  readonly lines: LineCounter;
}

/** Offsets into a source's text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function makeSource(file: string, text: string): Source {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    lines.addNewLine(at + 1);
  return { file, text, lines };
}

/** The 1-based place of an offset. Columns count UTF-16 units, as editors do. */
export function whereOf(source: Source, offset: number): Where {
  const { line, col } = source.lines.linePos(Math.min(offset, source.text.length));
  return { file: source.file, line, col };
}

/** Text of a 1-based line without its line break; the empty text past the end. */
export function lineText(source: Source, line: number): string {
  const start = source.lines.lineStarts[line - 1];
  if (start === undefined) return '';
  const next = source.text.indexOf('\n', start);
  const raw = source.text.slice(start, next === -1 ? undefined : next);
  return raw.endsWith('\r') ? raw.slice(0, -1) : raw;
}

/** A fault at a span; the underline ends with the span's first line. */
export function diagnose(
  source: Source,
  span: Span,
  message: string,
  hint: string | null = null,
): Diagnostic {
  const where = whereOf(source, span.start);
  const sourceLine = lineText(source, where.line);
  const room = Math.max(1, sourceLine.length - where.col + 1);
  const length = Math.max(1, Math.min(span.end - span.start, room));
  return { where, length, message, hint, sourceLine };
}

/** A fault at a place that was noted earlier: the text, or the word, that starts there. */
export function diagnoseAt(
  source: Source,
  where: Where,
  message: string,
  hint: string | null = null,
): Diagnostic {
  const start = (source.lines.lineStarts[where.line - 1] ?? 0) + where.col - 1;
  const rest = source.text.slice(start, start + 300);
  const [word = ' '] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,\]}#]+)/.exec(rest) ?? [];
  // A key without its colon.
  return diagnose(source, { start, end: start + word.replace(/:$/, '').length }, message, hint);
}

/** A fault of a whole file, of which no line can be shown. */
export function fileDiagnostic(
  file: string,
  message: string,
  hint: string | null = null,
): Diagnostic {
  return { where: { file, line: 1, col: 1 }, length: 1, message, hint, sourceLine: null };
}

/** In the order of the text, file by file. */
export function sortDiagnostics(list: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = new Map<string, number>();
  for (const { where } of list) if (!files.has(where.file)) files.set(where.file, files.size);
  const order = (file: string): number => files.get(file) ?? 0;
  return list.toSorted(
    ({ where: a }, { where: b }) =>
      order(a.file) - order(b.file) || a.line - b.line || a.col - b.col,
  );
}
