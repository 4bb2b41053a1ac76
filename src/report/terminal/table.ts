/** Many proofs, a line each. Laid out by cli-table3 without borders; coloured and made visible here. */
import Table from 'cli-table3';
import { append } from '../../lists.js';
import type { ProofRecord } from '../../record/schema.js';
import { type Face, faceOf, glyphOf, paintOf, wordOf } from '../face.js';
import { duration, page, visible, widthOf, wrap } from '../text.js';
import { flipsText, moveText, stillText, sumText } from '../wording.js';
import { type Sheet, isNarrow, row, text } from './sheet.js';

/**
 * Rows per table. cli-table3 is quadratic in them: 1,000 rows took 0.18 s, 5,000 1.2 s, 20,000
 * 18.6 s. Columns have the same width in every part, so that the parts read as one table.
 */
const PART = 200;
/** Beyond this many rows, pinned ones are counted instead of listed. */
const LISTED = 100;
const MIN_NAME = 14;
/** With less room for the name than this, even the verdict goes: its glyph stands beside. */
const MIN_BROKEN = 6;
const GAP = 2;

type Column = 'glyph' | 'mutation' | 'verdict' | 'flips' | 'did not move' | 'mutated sum' | 'time';

/** From the first to be left out where the terminal is too narrow. */
const EXPENDABLE: readonly Column[] = ['mutated sum', 'did not move', 'time', 'flips'];

const COLUMNS: readonly Column[] = [
  'glyph',
  'mutation',
  'verdict',
  'flips',
  'did not move',
  'mutated sum',
  'time',
];

interface Row {
  readonly cells: { readonly [C in Column]: string };
  readonly face: Face | null;
}

function sumCell(proof: ProofRecord): string {
  const [first, ...others] = proof.files;
  if (first === undefined) return '-';
  const more = others.length === 0 ? '' : ` +${others.length}`;
  return sumText(proof, first, 'mutated') + more;
}

function rowOf(sheet: Sheet, proof: ProofRecord, note: string): Row {
  const face = faceOf(proof);
  return {
    face,
    cells: {
      glyph: glyphOf(face, sheet.glyphs),
      mutation: visible(proof.id),
      verdict: wordOf(proof),
      flips: flipsText(proof),
      'did not move': stillText(proof) + note,
      'mutated sum': sumCell(proof),
      time: duration(proof.durationMs),
    },
  };
}

const HEAD: Row = {
  face: null,
  cells: {
    glyph: '',
    mutation: 'mutation',
    verdict: 'verdict',
    flips: 'flips',
    'did not move': 'did not move',
    'mutated sum': 'mutated sum',
    time: 'time',
  },
};

interface Layout {
  readonly columns: readonly Column[];
  /** Columns on the terminal, gaps not included. */
  readonly widths: ReadonlyMap<Column, number>;
}

function gapAfter(column: Column): number {
  return column === 'glyph' ? 1 : GAP;
}

function roomForName(
  columns: readonly Column[],
  widths: ReadonlyMap<Column, number>,
  width: number,
): number {
  const others = columns.filter((column) => column !== 'mutation');
  const taken = others.reduce((sum, column) => sum + (widths.get(column) ?? 0), 0);
  const gaps = columns.slice(0, -1).reduce((sum, column) => sum + gapAfter(column), 0);
  return width - taken - gaps;
}

function layoutOf(rows: readonly Row[], width: number): Layout {
  const natural = new Map<Column, number>(
    COLUMNS.map((column) => [
      column,
      rows.reduce((most, { cells }) => Math.max(most, widthOf(cells[column])), 0),
    ]),
  );
  const name = natural.get('mutation') ?? 0;
  let columns = COLUMNS;
  let left = roomForName(columns, natural, width);
  for (const candidate of EXPENDABLE) {
    // A name that no terminal of this width could hold is broken; it costs no other column.
    const enough = name > width / 2 ? MIN_NAME : name;
    if (left >= Math.min(name, enough)) break;
    columns = columns.filter((column) => column !== candidate);
    left = roomForName(columns, natural, width);
  }
  if (left < MIN_BROKEN) {
    columns = ['glyph', 'mutation'];
    left = roomForName(columns, natural, width);
  }
  natural.set('mutation', Math.max(1, Math.min(name, left)));
  return { columns, widths: natural };
}

function contentOf(
  column: Column,
  cells: Row['cells'],
  widths: ReadonlyMap<Column, number>,
  paint: (text: string) => string,
): string {
  if (column === 'glyph' || column === 'verdict') return paint(cells[column]);
  if (column !== 'mutation') return cells[column];
  // Broken here: cli-table3 cuts a long word at an ellipsis, or a colour code in two.
  return wrap(cells.mutation, widths.get('mutation') ?? 1).join('\n');
}

function draw(sheet: Sheet, rows: readonly Row[], { columns, widths }: Layout): string[] {
  const table = new Table({
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '',
    },
    colWidths: columns.map(
      (column, index) =>
        (widths.get(column) ?? 0) + (index === columns.length - 1 ? 0 : gapAfter(column)),
    ),
  });
  for (const { cells, face } of rows) {
    const paint = face === null ? (cell: string) => cell : paintOf(face, sheet.palette);
    table.push(
      columns.map((column, index) => ({
        content: contentOf(column, cells, widths, paint),
        style: {
          'padding-left': 0,
          'padding-right': index === columns.length - 1 ? 0 : gapAfter(column),
        },
      })),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Tests that moved though nobody named them, below the table; the sign in its row leads here. */
function footnotes(
  sheet: Sheet,
  noted: ReadonlyMap<ProofRecord, string>,
  columns: readonly Column[],
): void {
  for (const [proof, sign] of noted) {
    const { shown, more } = page(proof.flips.also, sheet.limit);
    const moved = shown.map((move) => {
      const how = moveText(move, sheet.glyphs.arrow);
      return how === 'failed' ? move.test : `${move.test} (${how})`;
    });
    const rest = more > 0 ? [`and ${more} more${sheet.verbose ? '' : ' (-v)'}`] : [];
    const around = proof.around.map(
      ({ group, held, moved: gone }) => `${held} of ${held + gone} in ${group} did not move`,
    );
    const beside = around.length === 0 ? '' : ` (${around.join('; ')})`;
    // Without the column that holds the sign, the name says which row is meant.
    const whose = columns.includes('did not move') ? sign : proof.id;
    text(sheet, `  ${whose} also moved: ${[...moved, ...rest].join(', ')}${beside}`);
  }
}

function signsOf(proofs: readonly ProofRecord[]): Map<ProofRecord, string> {
  const noted = proofs.filter((proof) => proof.flips.also.length > 0);
  return new Map(noted.map((proof, index) => [proof, noted.length === 1 ? '*' : `*${index + 1}`]));
}

/** The table of all proofs, in the record's order, with its footnotes. */
export function proofTable(sheet: Sheet, proofs: readonly ProofRecord[]): void {
  const listed =
    sheet.verbose || proofs.length <= LISTED
      ? proofs
      : proofs.filter((proof) => faceOf(proof) !== 'pinned');
  const signs = signsOf(listed);
  const rows = listed.map((proof) => {
    const sign = signs.get(proof);
    return rowOf(sheet, proof, sign === undefined ? '' : ` ${sign}`);
  });
  const layout = layoutOf([HEAD, ...rows], sheet.look.width);
  if (rows.length > 0) {
    for (let from = 0; from < rows.length; from += PART) {
      const part = rows.slice(from, from + PART);
      append(sheet.lines, draw(sheet, from === 0 ? [HEAD, ...part] : part, layout));
    }
  }
  if (listed.length < proofs.length) {
    row(sheet, isNarrow(sheet) ? '' : sheet.glyphs.pinned, [
      `and ${proofs.length - listed.length} pinned (-v lists them)`,
    ]);
  }
  footnotes(sheet, signs, layout.columns);
}
