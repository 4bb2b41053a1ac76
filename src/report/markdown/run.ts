/** The report for a review: paste it into a comment, replace it by its hidden id. */
import { createHash } from 'node:crypto';
import type { ProofRecord, RunRecord } from '../../record/schema.js';
import { gapsOf, groupAlike } from '../alike.js';
import { FACES, faceOf, glyphOf } from '../face.js';
import { glyphs } from '../look.js';
import { duration, keepStart, plural } from '../text.js';
import { overallText, summaryText, unprovenIds } from '../wording.js';
import { code, prose, tableHead, tableRow } from './escape.js';
import { type Piece, fit } from './fit.js';
import {
  breakLines,
  proveSentence,
  proveSummary,
  rangeLines,
  TAKEN_HEAD,
  TAKEN_LEAD,
  takenRows,
  TEST_HEAD,
  testRows,
  unheldBlocks,
} from './prove.js';
import { groupDetails, proofDetails, resultText } from './proof.js';
import {
  CONTROL_HEAD,
  byHandDetails,
  controlRows,
  environmentDetails,
  legend,
  preExistingDetails,
} from './sections.js';

/** GitHub refuses a comment of more than 65,536 characters; the rest is for a line around it. */
export const MARKDOWN_LIMIT = 65_000;
/** Kept free for headings, and for the lines that count what was left out. */
const RESERVE = 3000;
/** About what a folded block takes that has lost all it can: less room is not worth the asking. */
const DETAILS_FLOOR = 600;
/** One statement of a hundred lines must not push the others out. */
const STATEMENT_LIMIT = 1500;
/** Nor may all statements together push out the verdicts. */
const NOT_VERIFIED_LIMIT = 20_000;

/**
 * A hidden line that stays the same when the same specs, lanes and shard are run again, so that a
 * re-run can find and replace its own comment. It holds digits alone, never a name.
 */
export function markerOf(record: RunRecord): string {
  const specs = new Set(record.proofs.map((proof) => proof.spec ?? `ad hoc ${proof.id}`));
  const identity = {
    root: record.project.root,
    specs: record.prove === undefined ? [...specs].toSorted() : ['prove', ...armsOf(record)],
    lanes: record.prove === undefined ? record.lanes.map((lane) => lane.name).toSorted() : [],
    shard: record.selection.shard === null ? null : record.selection.shard.index,
  };
  const digits = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  return `<!-- counterproof:${digits} -->`;
}

const armsOf = ({ prove }: RunRecord): readonly string[] =>
  prove?.arms == null ? [] : [prove.arms.old, prove.arms.fresh];

const RANK = {
  notVerified: 0,
  breaks: 1,
  taken: 1,
  tests: 2,
  unheld: 3,
  verdict: 10,
  unproven: 20,
  control: 30,
  details: 40,
  preExisting: 50,
  byHand: 51,
  environment: 52,
  legend: 53,
} as const;

function rankOf(base: number, proof: ProofRecord): number {
  return base + FACES.indexOf(faceOf(proof));
}

interface Sections {
  readonly breaks: readonly Piece[];
  readonly taken: readonly Piece[];
  readonly tests: readonly Piece[];
  readonly unheld: readonly Piece[];
  readonly verdicts: readonly Piece[];
  readonly unproven: readonly Piece[];
  readonly controls: readonly Piece[];
  readonly details: readonly Piece[];
  readonly notVerified: readonly Piece[];
  readonly rest: readonly Piece[];
}

function optional(text: string | null, rank: number, kind: string): Piece[] {
  return text === null ? [] : [{ text: () => text, floor: text.length, rank, kind }];
}

function sectionsOf(record: RunRecord): Sections {
  const laneOf = (name: string) => record.lanes.find((lane) => lane.name === name);
  const view = record.prove === undefined ? null : { record, prove: record.prove };
  const pieces = (texts: readonly string[], rank: number, kind: string): Piece[] =>
    texts.map((text) => ({ text: () => text, floor: text.length, rank, kind }));
  return {
    breaks:
      view === null ? [] : pieces(breakLines(view), RANK.breaks, 'tests that the change breaks'),
    taken: view === null ? [] : pieces(takenRows(view), RANK.taken, 'rows of hunks'),
    tests: view === null ? [] : pieces(testRows(view), RANK.tests, 'rows of tests'),
    unheld:
      view === null ? [] : pieces(unheldBlocks(view), RANK.unheld, 'hunks that nothing holds'),
    verdicts: record.proofs.map((proof) => ({
      text: () =>
        tableRow([
          code(proof.id) + (proof.role === 'liveness' ? ' (liveness)' : ''),
          resultText(proof),
        ]),
      floor: proof.id.length,
      rank: rankOf(RANK.verdict, proof),
      kind: `rows of ${faceOf(proof)} mutations`,
    })),
    unproven: unprovenIds(record).map((id) => ({
      text: () => `- ${code(id)}`,
      floor: id.length,
      rank: RANK.unproven,
      kind: 'names of mutations that had no turn',
    })),
    controls: record.proofs.flatMap((proof) =>
      controlRows([proof]).map((text) => ({
        text: () => text,
        floor: text.length,
        rank: rankOf(RANK.control, proof),
        kind: 'rows of controls',
      })),
    ),
    details: groupAlike(record.proofs).map((group) => {
      const [proof, ...others] = group;
      return {
        text: (room) =>
          others.length > 0 ? groupDetails(group) : proofDetails(proof, laneOf(proof.lane), room),
        floor: DETAILS_FLOOR,
        rank: rankOf(RANK.details, proof),
        kind: `details of ${faceOf(proof)} mutations`,
      };
    }),
    notVerified: gapsOf(record).map((item) => ({
      text: () => `- ${prose(keepStart(item, STATEMENT_LIMIT, '…'))}`,
      floor: 1,
      rank: RANK.notVerified,
      kind: 'statements of what was not verified',
    })),
    rest: [
      ...optional(preExistingDetails(record), RANK.preExisting, 'the list of tests red before'),
      ...optional(byHandDetails(record), RANK.byHand, 'commands to check by hand'),
      ...optional(environmentDetails(record), RANK.environment, 'the environment'),
      ...optional(
        record.proofs.length === 0 ? null : legend(record),
        RANK.legend,
        'the meaning of the words',
      ),
    ],
  };
}

/** `**✗ 2 refuted, 9 pinned**, 12.4s, exit 1` */
function summaryLine(record: RunRecord): string {
  const worst = FACES.find((face) => record.proofs.some((proof) => faceOf(proof) === face));
  const glyph = worst === undefined ? '' : `${glyphOf(worst, glyphs({ unicode: true }))} `;
  const said = record.summary.declared === 0 ? 'nothing to prove' : summaryText(record.summary);
  return `**${glyph}${said}; ${duration(record.durationMs)}; exit ${record.exitCode}**`;
}

function block(title: string, head: string | null, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const body = rows.join('\n');
  return [`### ${title}`, head === null ? body : `${head}\n${body}`];
}

function droppedText(dropped: ReadonlyMap<string, number>): string[] {
  if (dropped.size === 0) return [];
  const kinds = [...dropped].map(([kind, n]) => (kind.startsWith('the ') ? kind : `${kind}: ${n}`));
  return [
    `Left out to stay under the limit of a comment, all of it in the record: ${kinds.join('; ')}.`,
  ];
}

/**
 * Renders a record as GitHub Markdown of at most 65,000 characters. Rows and folded blocks are
 * left out whole, least important first, and counted; the sentence, the totals and "Not verified"
 * always stand.
 */
export function renderMarkdown(record: RunRecord): string {
  const sections = sectionsOf(record);
  const view = record.prove === undefined ? null : { record, prove: record.prove };
  const unverified = fit(sections.notVerified, NOT_VERIFIED_LIMIT);
  const { kept, dropped } = fit(
    [
      ...sections.breaks,
      ...sections.taken,
      ...sections.tests,
      ...sections.unheld,
      ...(view === null ? sections.verdicts : []),
      ...sections.unproven,
      ...sections.controls,
      ...sections.details,
      ...sections.rest,
    ],
    MARKDOWN_LIMIT - RESERVE - unverified.size,
  );
  const texts = (pieces: readonly Piece[]): string[] =>
    pieces.flatMap((piece) => unverified.kept.get(piece) ?? kept.get(piece) ?? []);
  const lost = unprovenIds(record).length;
  const parts = [
    markerOf(record),
    ...(view === null
      ? [
          prose(keepStart(overallText(record), 300, '…')),
          summaryLine(record),
          ...block('Mutations', tableHead(['mutation', 'result']), texts(sections.verdicts)),
        ]
      : [
          proveSentence(view),
          proveSummary(view),
          rangeLines(view),
          ...block('Tests that this change breaks', null, texts(sections.breaks)),
          ...(sections.taken.length === 0 ? [] : [TAKEN_LEAD]),
          ...block('Taken back', TAKEN_HEAD, texts(sections.taken)),
          ...block('New and changed tests', TEST_HEAD, texts(sections.tests)),
          ...texts(sections.unheld),
        ]),
    ...block(`${plural(lost, 'mutation')} had no turn`, null, texts(sections.unproven)),
    ...block('Controls', CONTROL_HEAD, texts(sections.controls)),
    ...block('Not verified', null, texts(sections.notVerified)),
    ...droppedText(new Map([...unverified.dropped, ...dropped])),
    ...texts(sections.details),
    ...texts(sections.rest),
  ];
  return `${parts.join('\n\n')}\n`;
}
