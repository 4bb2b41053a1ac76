/**
 * The list of mutations in a long spec, cut into pieces that can be parsed one after another: the
 * parser holds every token of its text beside the tree, which took 70 MB for 10,000 mutations.
 */

/** Some items of the list: a part of the text, by offsets; `to` is exclusive. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly items: number;
}

interface Line {
  readonly at: number;
  readonly indent: number;
  /** Without its indentation and its line break. */
  readonly text: string;
}

const LIST_LINE = /^mutations:(?:[ \t]+#.*|[ \t]*)$/;
const ITEM = /^-(?: |$)/;

/** Whatever a directive changes, it changes for the whole text. */
const DIRECTIVE = /(?:^|\n)%/;

/**
 * Pieces of about `size` UTF-16 units; null where the list is not a block of items at one
 * indentation. Lines are told by their first characters alone, so a cut may be wrong, as in a
 * quoted text that looks like an item. Such a piece has an error, or other items than it should.
 */
export function cutList(text: string, size: number): readonly Piece[] | null {
  if (DIRECTIVE.test(text)) return null;
  const start = listStart(text);
  if (start === null) return null;
  const pieces: Piece[] = [];
  let depth: number | null = null;
  let piece = { from: start, to: text.length, items: 0 };
  for (const { at, indent, text: line } of linesFrom(text, start)) {
    if (line === '' || line.startsWith('#')) continue;
    depth ??= indent;
    if (indent > depth) continue;
    if (indent < depth || !ITEM.test(line)) {
      if (indent > 0) return null;
      piece.to = at;
      break;
    }
    if (piece.items > 0 && at - piece.from >= size) {
      pieces.push({ ...piece, to: at });
      piece = { from: at, to: text.length, items: 0 };
    }
    piece.items += 1;
  }
  return piece.items === 0 ? null : [...pieces, piece];
}

/** The text with blanks in place of the list, so that all else keeps its offset. */
export function withoutList(text: string, pieces: readonly Piece[]): string {
  const from = pieces[0]?.from ?? text.length;
  const to = pieces.at(-1)?.to ?? text.length;
  const blanks = to > from ? `${' '.repeat(to - from - 1)}\n` : '';
  return `${text.slice(0, from)}${blanks}${text.slice(to)}`;
}

/** Where the line after `mutations:` begins; null: there is none, or more than one such line. */
function listStart(text: string): number | null {
  let start: number | null = null;
  for (const { at, indent, text: line } of linesFrom(text, 0)) {
    if (indent > 0 || !LIST_LINE.test(line)) continue;
    if (start !== null) return null;
    const end = text.indexOf('\n', at);
    start = end === -1 ? text.length : end + 1;
  }
  return start;
}

/** Only a line feed ends a line in YAML, with or without a carriage return before it. */
function* linesFrom(text: string, start: number): Generator<Line> {
  for (let at = start; at < text.length;) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(at, end).replace(/\r$/, '');
    const bare = line.replace(/^ +/, '');
    yield { at, indent: line.length - bare.length, text: bare };
    at = end + 1;
  }
}
