/** A sheet of lines with a narrow gutter: `label     text`, hanging at one column. */
import { append } from '../../lists.js';
import { type Glyphs, type Look, type Palette, glyphs, palette } from '../look.js';
import { keepStart, padEnd, visible, widthOf, wrap } from '../text.js';

const GUTTER = 10;
const NARROW_GUTTER = 2;
/** Below this the gutter would leave too little beside it: labels get their own line. */
const NARROW = 60;

type Paint = (text: string) => string;

export interface Sheet {
  readonly look: Look;
  readonly glyphs: Glyphs;
  readonly palette: Palette;
  /** How many entries of a long list are shown before `and 4 more (-v)`. */
  readonly limit: number;
  readonly verbose: boolean;
  readonly lines: string[];
}

export function newSheet(look: Look, verbose: boolean): Sheet {
  return {
    look,
    glyphs: glyphs(look),
    palette: palette(look),
    limit: verbose ? Number.POSITIVE_INFINITY : 5,
    verbose,
    lines: [],
  };
}

export function isNarrow(sheet: Sheet): boolean {
  return sheet.look.width < NARROW;
}

/** Columns beside the gutter. */
export function room(sheet: Sheet): number {
  return sheet.look.width - (isNarrow(sheet) ? NARROW_GUTTER : GUTTER);
}

function gutter(sheet: Sheet): string {
  return ' '.repeat(isNarrow(sheet) ? NARROW_GUTTER : GUTTER);
}

export function blank(sheet: Sheet): void {
  if (sheet.lines.length > 0 && sheet.lines.at(-1) !== '') sheet.lines.push('');
}

/** Lines over the whole width, broken at words; nothing is lost. */
export function text(sheet: Sheet, raw: string, paint: Paint = (line) => line): void {
  for (const line of wrap(visible(raw), sheet.look.width)) sheet.lines.push(paint(line));
}

/** Lines that are finished: made visible, broken and painted by the caller. */
function hang(sheet: Sheet, label: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  if (isNarrow(sheet)) {
    if (label !== '') sheet.lines.push(label);
    for (const line of lines) sheet.lines.push((gutter(sheet) + line).trimEnd());
    return;
  }
  lines.forEach((line, index) => {
    const start = index === 0 ? padEnd(label, GUTTER) : gutter(sheet);
    sheet.lines.push((start + line).trimEnd());
  });
}

/** `label     text`, broken at words and hanging; each entry begins a line of its own. */
export function row(
  sheet: Sheet,
  label: string,
  entries: readonly string[],
  paint: Paint = (line) => line,
): void {
  const lines = entries.flatMap((entry) => wrap(visible(entry), room(sheet)));
  hang(sheet, label, lines.map(paint));
}

/** Like `row`, but an entry takes one line and its end may be cut: for messages and source lines. */
export function cutRow(
  sheet: Sheet,
  label: string,
  entries: readonly { readonly text: string; readonly paint?: Paint }[],
): void {
  const cut = entries.map(({ text: raw, paint }) => {
    const line = keepStart(visible(raw), room(sheet), sheet.glyphs.ellipsis);
    return paint === undefined ? line : paint(line);
  });
  hang(sheet, label, cut);
}

/** Like `row`, of one entry that takes a few lines at most: the end of a longer one is cut. */
export function shortRow(sheet: Sheet, label: string, raw: string, most: number): void {
  const width = room(sheet);
  const lines = wrap(visible(raw), width);
  const last = keepStart(lines.slice(most - 1).join(' '), width, sheet.glyphs.ellipsis);
  hang(sheet, label, lines.length <= most ? lines : [...lines.slice(0, most - 1), last]);
}

/** `label     text            0.3s`: the right one ends at the last column of its first line. */
export function timedRow(sheet: Sheet, label: string, left: string, right: string): void {
  const width = room(sheet) - widthOf(right) - 1;
  const [first = '', ...others] = wrap(visible(left), Math.max(10, width));
  hang(sheet, label, [padEnd(first, width + 1) + right, ...others]);
}

/** `left              right` over the whole width; the right one goes below where both do not fit. */
export function spread(sheet: Sheet, left: string, right: string): void {
  const lines = wrap(visible(left), sheet.look.width);
  const last = lines.at(-1) ?? '';
  if (widthOf(last) + 2 + widthOf(right) <= sheet.look.width) {
    lines[lines.length - 1] = padEnd(last, sheet.look.width - widthOf(right)) + right;
  } else {
    lines.push(' '.repeat(Math.max(0, sheet.look.width - widthOf(right))) + right);
  }
  append(sheet.lines, lines);
}
