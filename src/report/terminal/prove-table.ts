/** What was taken back, a line each: who noticed, and who did not move. */
import { largest } from '../../lists.js';
import type { ChangeRecord, ProofRecord } from '../../record/schema.js';
import { type Face, glyphOf, paintOf } from '../face.js';
import { freshText, noticing, othersText, redIn } from '../prove-noticing.js';
import { brokenBy } from '../prove-breaks.js';
import {
  faceOfChange,
  hasParts,
  hunkList,
  lacksEvidence,
  linesText,
  placesOf,
  proofNamed,
  sourceOf,
  wholeText,
  type ProveView,
} from '../prove-wording.js';
import { duration, keepEnd, keepStart, padEnd, visible, widthOf } from '../text.js';
import { type Sheet, isNarrow } from './sheet.js';

interface Line {
  readonly face: Face;
  /** Place, size and scope. */
  readonly what: readonly string[];
  readonly fresh: string;
  readonly others: string;
  readonly time: string;
}

const GAP = 2;
const LEAST_PLACE = 12;

export function takenTable(sheet: Sheet, view: ProveView): void {
  const lines = linesOf(view);
  if (lines.length === 0) return;
  if (isNarrow(sheet)) {
    for (const line of lines) narrowLine(sheet, line);
    return;
  }
  const head = headOf(view);
  const widths = (['fresh', 'others', 'time'] as const).map((column) =>
    Math.max(widthOf(head[column]), ...lines.map((line) => widthOf(line[column]))),
  );
  const right = widths.reduce((sum, width) => sum + width + GAP, 0);
  const room = Math.max(LEAST_PLACE, sheet.look.width - 2 - right);
  const columns = columnWidths(lines, room);
  const cells = (line: Pick<Line, 'fresh' | 'others' | 'time'>): string =>
    [line.fresh, line.others, line.time]
      .map((cell, index) => ' '.repeat(GAP) + padEnd(cell, widths[index] ?? 0))
      .join('');
  sheet.lines.push(`  ${padEnd('taken back', room)}${cells(head)}`.trimEnd());
  for (const line of lines) {
    const what = whatText(sheet, line, columns, room);
    const glyph = glyphOf(line.face, sheet.glyphs);
    const text = `${padEnd(glyph, 2)}${padEnd(what, room)}${cells(line)}`.trimEnd();
    sheet.lines.push(paintOf(line.face, sheet.palette)(glyph) + text.slice(glyph.length));
  }
}

/** Columns of number, place, size and scope, as far as they fit. */
function columnWidths(lines: readonly Line[], room: number): readonly number[] {
  const rows = lines.filter(({ what }) => what.length > 1);
  const natural = [0, 1, 2, 3].map((column) =>
    largest(rows.map(({ what }) => widthOf(what[column] ?? ''))),
  );
  const [number = 0, place = 0, size = 0, scope = 0] = natural;
  const left = room - number - GAP - size - GAP;
  if (place + GAP + scope <= left) return natural;
  return place <= left ? [number, place, size, 0] : [number, Math.max(LEAST_PLACE, left), size, 0];
}

function whatText(sheet: Sheet, { what }: Line, columns: readonly number[], room: number): string {
  const [only] = what;
  if (what.length === 1) return keepEnd(only ?? '', room, sheet.glyphs.ellipsis);
  return what
    .map((cell, column) => {
      const width = columns[column] ?? 0;
      return padEnd(keepEnd(cell, width, sheet.glyphs.ellipsis), width);
    })
    .filter((_, column) => (columns[column] ?? 0) > 0)
    .join(' '.repeat(GAP))
    .trimEnd();
}

function headOf({ prove }: ProveView): Pick<Line, 'fresh' | 'others' | 'time'> {
  const changed = prove.tests.some(({ kind }) => kind === 'changed');
  return {
    fresh: prove.tests.length === 0 ? 'tests' : changed ? 'new, changed' : 'new tests',
    others: prove.tests.length === 0 ? '' : 'others',
    time: 'time',
  };
}

function linesOf(view: ProveView): readonly Line[] {
  const { prove } = view;
  const { whole } = prove;
  const source = sourceOf(view);
  const lines: Line[] = [];
  if (whole !== null) {
    const face: Face =
      whole.state === 'held' ? 'pinned' : whole.state === 'unheld' ? 'refuted' : 'no-evidence';
    lines.push(
      lineOf(
        view,
        { face, what: [visible(wholeText(view))], by: whole.heldBy },
        proofNamed(view, whole.proof),
      ),
    );
  }
  for (const { file, proof } of prove.files) {
    const found = proofNamed(view, proof);
    const face: Face =
      found?.group === 'proven' ? 'pinned' : found?.group === 'refuted' ? 'refuted' : 'no-evidence';
    lines.push(lineOf(view, { face, what: [`all of ${visible(file)}`], by: redIn(found) }, found));
  }
  if (hasParts(view)) for (const change of source) lines.push(changeLine(view, change));
  const support = proofNamed(view, prove.support);
  if (support !== null)
    lines.push(
      lineOf(view, { face: 'accepted', what: ['support code alone'], by: redIn(support) }, support),
    );
  return lines;
}

function changeLine(view: ProveView, change: ChangeRecord): Line {
  const what = [
    change.id,
    visible(placesOf(change)),
    linesText(change),
    visible(change.scope ?? ''),
  ];
  const line = lineOf(
    view,
    { face: faceOfChange(change), what, by: change.heldBy },
    proofNamed(view, change.proof),
  );
  if (lacksEvidence(change)) return { ...line, fresh: 'no evidence', others: '' };
  const others = change.joined.length === 0 ? line.others : `with ${hunkList(change.joined)}`;
  return { ...line, others };
}

function lineOf(
  view: ProveView,
  { face, what, by }: Pick<Line, 'face' | 'what'> & { readonly by: readonly string[] },
  proof: ProofRecord | null,
): Line {
  if (proof === null) return { face, what, fresh: '-', others: '', time: '' };
  const time = duration(proof.durationMs);
  const { freshTotal } = noticing(view, by);
  if (face === 'no-evidence' && brokenBy(view, proof).length === 0)
    return { face, what, fresh: 'no evidence', others: '', time };
  const gone = othersText(view, proof, by);
  if (freshTotal === 0)
    return {
      face,
      what,
      fresh: gone === 'did not move' ? 'none fails' : gone,
      others: '',
      time,
    };
  return { face, what, fresh: freshText(view, proof, by), others: gone, time };
}

function narrowLine(sheet: Sheet, { face, what, fresh, others, time }: Line): void {
  const glyph = glyphOf(face, sheet.glyphs);
  const paint = paintOf(face, sheet.palette);
  const width = sheet.look.width - 2;
  const place = keepEnd(what.filter((cell) => cell !== '').join(' '), width, sheet.glyphs.ellipsis);
  sheet.lines.push(`${paint(glyph)} ${place}`);
  const said = [fresh, others === '' ? '' : `others: ${others}`, time].filter(
    (part) => part !== '',
  );
  sheet.lines.push(keepStart(`  ${said.join(', ')}`, sheet.look.width, sheet.glyphs.ellipsis));
}
