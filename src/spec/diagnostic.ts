/** Diagnostics as people see them: the place, the line, a caret under the fault, the way out. */
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import type { Diagnostic } from './model.js';

/** More than this is not read by anybody; the rest is counted. */
export const MAX_SHOWN = 20;

const INDENT = '    ';
const TAB_WIDTH = 4;
const CUT = '...';
/** Raw characters looked at on either side of the caret, so that a line of a megabyte costs nothing. */
const LOOK_AROUND = 1000;
const MIN_WIDTH = 30;

export interface RenderOptions {
  readonly colour: boolean;
  /** Columns of the terminal; source lines are windowed to it. */
  readonly width: number;
  /** From a diagnostic's file name to the one that the reader can open from where they stand. */
  readonly nameOf?: (file: string) => string;
}

/** Renders at most 20 diagnostics, and counts the rest. Ends with a line break unless empty. */
export function renderDiagnostics(list: readonly Diagnostic[], options: RenderOptions): string {
  const blocks = list.slice(0, MAX_SHOWN).map((diagnostic) => renderOne(diagnostic, options));
  const more = list.length - MAX_SHOWN;
  if (more > 0) blocks.push(`and ${more} more ${more === 1 ? 'fault' : 'faults'}\n`);
  return blocks.join('\n');
}

function renderOne(diagnostic: Diagnostic, options: RenderOptions): string {
  const colours = picocolors.createColors(options.colour);
  const { where, message, hint, sourceLine, length } = diagnostic;
  const name = visible(options.nameOf?.(where.file) ?? where.file);
  const lines = [`${colours.bold(`${name}:${where.line}:${where.col}`)}  ${visible(message)}`];
  if (sourceLine !== null) {
    const { text, before, under } = windowOf(sourceLine, where.col, length, options.width);
    lines.push(INDENT + text);
    const caret = '^' + '~'.repeat(Math.max(0, under - 1));
    lines.push(INDENT + ' '.repeat(before) + colours.red(caret));
  }
  if (hint !== null)
    lines.push(...hint.split('\n').map((line) => INDENT + colours.cyan(visible(line))));
  return lines.join('\n') + '\n';
}

interface Cell {
  readonly text: string;
  readonly width: number;
  /** Where it stands in the source line, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The part of a line that fits, and where the caret's underline goes in it, in columns. */
function windowOf(
  line: string,
  col: number,
  length: number,
  width: number,
): { readonly text: string; readonly before: number; readonly under: number } {
  const start = Math.min(col - 1, line.length);
  const from = Math.max(0, start - LOOK_AROUND);
  const until = Math.min(line.length, start + LOOK_AROUND);
  const cells = cellsOf(line.slice(from, until), from);
  const room = Math.max(MIN_WIDTH, width) - INDENT.length - 2 * CUT.length;

  const atCaret = cells.findIndex((cell) => cell.end > start);
  const caret = atCaret === -1 ? cells.length : atCaret;
  const total = sum(cells);
  let first = 0;
  let last = cells.length;
  if (total > room || from > 0 || until < line.length) {
    // A third of the window stands before the caret: what leads to a fault explains it.
    let left = Math.floor(room / 3);
    first = caret;
    for (; first > 0 && left >= (cells[first - 1]?.width ?? 0); first -= 1)
      left -= cells[first - 1]?.width ?? 0;
    let right = room - sum(cells.slice(first, caret));
    last = caret;
    for (; last < cells.length && right >= (cells[last]?.width ?? 0); last += 1)
      right -= cells[last]?.width ?? 0;
  }
  const head = first > 0 || from > 0 ? CUT : '';
  const tail = last < cells.length || until < line.length ? CUT : '';
  const shown = cells.slice(first, last);
  const marked = shown.filter((cell) => cell.end > start && cell.start < start + length);
  return {
    text: head + shown.map((cell) => cell.text).join('') + tail,
    before: head.length + sum(cells.slice(first, caret)),
    under: Math.max(1, sum(marked)),
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cellsOf(text: string, offset: number): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    const shown =
      segment === '\t' ? ' '.repeat(TAB_WIDTH - (column % TAB_WIDTH)) : visible(segment);
    const width = stringWidth(shown);
    const at = offset + index;
    cells.push({ text: shown, width, start: at, end: at + segment.length });
    column += width;
  }
  return cells;
}

const sum = (cells: readonly Cell[]): number => cells.reduce((all, cell) => all + cell.width, 0);

// Control characters, line separators, direction overrides, zero-width characters, lone surrogates:
// a source line must not steer the terminal, nor look other than it is.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]|[\ud800-\udfff]/gu;

/** Makes characters that do not show, or that steer a terminal, readable as escapes. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
