/** One proof: the long form where it is the only one, the short form below a table. */
import type { LaneRecord, ProofRecord } from '../../record/schema.js';
import { isOwnNameNote } from '../../proof/own-name.js';
import { type Alike, namesIn } from '../alike.js';
import { faceOf, glyphOf, paintOf, wordOf } from '../face.js';
import { page, visible, wrap } from '../text.js';
import { ownFacts } from '../wording.js';
import {
  aliveRows,
  controlRows,
  editRows,
  flipRows,
  keptRows,
  landedRows,
  reachRows,
  stepRows,
  stillRows,
  sumRows,
  valueRows,
} from './evidence.js';
import { type Sheet, blank, row } from './sheet.js';

/** `✓ PINNED  id: 1 test notices, 682 did not move.`; the id is left out where nobody gave one. */
export function verdictLine(sheet: Sheet, proof: ProofRecord, id: string | null): void {
  const face = faceOf(proof);
  const paint = paintOf(face, sheet.palette);
  const head = `${glyphOf(face, sheet.glyphs)} ${wordOf(proof).toUpperCase()}`;
  const verdict = face === 'accepted' ? `${proof.verdict}. ` : '';
  const said = `${id === null ? '' : `${id}: `}${verdict}${proof.reason}`;
  const whole = visible(`${head}  ${said}`);
  const [first = ''] = wrap(whole, sheet.look.width);
  const rest = whole.slice(first.length).trimStart();
  // The verdict is painted after breaking the line, so that no colour has to be measured.
  sheet.lines.push(
    first.startsWith(head) ? paint(head) + first.slice(head.length) : paint(first),
    ...(rest === '' ? [] : wrap(`  ${rest}`, sheet.look.width)),
  );
  if (proof.accepted !== null) {
    const until = proof.accepted.until === null ? '' : ` (until ${proof.accepted.until})`;
    row(sheet, 'accepted', [`${proof.accepted.because}${until}`]);
  }
}

/** A fact that names itself (`you edit  src/money.py`) has its name in the gutter. */
function factRows(sheet: Sheet, facts: readonly string[]): void {
  const named = facts.map((fact) =>
    /^(?<label>[a-z][a-z ]{0,7}[a-z]) {2,}(?<text>\S.*)$/su.exec(fact),
  );
  const plain = facts.filter((_, index) => named[index] === null);
  for (const match of named) {
    const { label = '', text = '' } = match?.groups ?? {};
    if (match !== null) row(sheet, label, [text]);
  }
  row(sheet, named.some((match) => match !== null) ? '' : 'facts', plain);
}

/** What explains a verdict that is not `pinned`; a pinned one is explained by its evidence, or doubtful by a remark. */
function explanation(sheet: Sheet, proof: ProofRecord, lane: LaneRecord | undefined): void {
  const facts = ownFacts(proof);
  const isWhole = proof.group !== 'proven' || sheet.verbose;
  factRows(sheet, isWhole ? facts : facts.filter(isOwnNameNote));
  if (proof.group === 'refuted') {
    landedRows(sheet, proof);
    reachRows(sheet, proof);
    aliveRows(sheet, lane);
  }
  if (proof.verdict === 'dead-lane') reachRows(sheet, proof);
}

function evidence(sheet: Sheet, proof: ProofRecord): void {
  flipRows(sheet, proof);
  controlRows(sheet, proof);
  stillRows(sheet, proof);
  valueRows(sheet, proof);
  sumRows(sheet, proof);
  keptRows(sheet, proof);
}

/** All of a proof, its verdict in the middle: what was done above it, what rests on it below. */
export function longForm(sheet: Sheet, proof: ProofRecord, lane: LaneRecord | undefined): void {
  editRows(sheet, proof);
  blank(sheet);
  stepRows(sheet, proof, lane);
  blank(sheet);
  verdictLine(sheet, proof, proof.spec === null ? null : proof.id);
  blank(sheet);
  explanation(sheet, proof, lane);
  evidence(sheet, proof);
}

/** The only mutation of a run that the tests do not hold: what a reader acts on comes first. */
export function findingForm(sheet: Sheet, proof: ProofRecord, lane: LaneRecord | undefined): void {
  verdictLine(sheet, proof, proof.id);
  blank(sheet);
  editRows(sheet, proof);
  explanation(sheet, proof, lane);
  evidence(sheet, proof);
}

/** Proofs without evidence for one cause: the cause, once. What differs between them, `-v` shows. */
export function groupForm(sheet: Sheet, group: Alike): void {
  const [first] = group;
  verdictLine(sheet, first, namesIn(group));
  const { shown, more } = page(group, sheet.limit);
  const rest = more > 0 ? ` and ${more} more (-v)` : '';
  row(sheet, 'alike', [shown.map(({ id }) => id).join(', ') + rest]);
  factRows(sheet, ownFacts(first));
  row(sheet, 'next', first.next);
}

/** Below a table: the verdict first, then only what a reader needs to act on it. */
export function shortForm(sheet: Sheet, proof: ProofRecord, lane: LaneRecord | undefined): void {
  verdictLine(sheet, proof, proof.id);
  editRows(sheet, proof);
  explanation(sheet, proof, lane);
  evidence(sheet, proof);
  row(sheet, 'next', proof.next);
}
