/** The report that a person reads in a terminal. The answer comes last, beside the prompt. */
import type { LaneRecord, ProofRecord, RunRecord } from '../../record/schema.js';
import { type Alike, gapsOf, groupAlike, namesIn } from '../alike.js';
import { faceOf } from '../face.js';
import type { Look } from '../look.js';
import { duration, plural } from '../text.js';
import {
  countedProofs,
  filesBack,
  notVerifiedOf,
  overallText,
  selectedText,
  countsText,
  shellText,
  summaryText,
} from '../wording.js';
import { closingLine, preExisting, unfinished } from './ends.js';
import { laneRows } from './evidence.js';
import { findingForm, groupForm, longForm, shortForm, verdictLine } from './proof.js';
import { type Sheet, blank, newSheet, row, text, timedRow } from './sheet.js';
import { proveForm } from './prove.js';
import { proofTable } from './table.js';

export interface TerminalOptions extends Look {
  /** Lists are whole, messages are not cut, notes are shown. */
  readonly verbose: boolean;
  /** Only the answer to an ad hoc question, or what is not as it should be; what was not verified, and the closing line. */
  readonly quiet: boolean;
  /** Where the record is kept, as it is to be shown; null: it is not kept. */
  readonly recordPath: string | null;
}

/** Renders a run, or a stored record of one, as lines of at most `width` columns with a line break at the end. */
export function renderRun(record: RunRecord, options: TerminalOptions): string {
  const sheet = newSheet(options, options.verbose);
  const [only] = record.proofs;
  if (record.prove !== undefined) {
    proveForm(sheet, { record, prove: record.prove }, options);
    return `${sheet.lines.join('\n')}\n`;
  }
  if (options.quiet) quietForm(sheet, record);
  else if (record.proofs.length === 1 && only !== undefined) oneProof(sheet, record, only);
  else manyProofs(sheet, record);
  closing(sheet, record, options.recordPath);
  return `${sheet.lines.join('\n')}\n`;
}

function laneOf(record: RunRecord, name: string): LaneRecord | undefined {
  return record.lanes.find((lane) => lane.name === name);
}

function oneProof(sheet: Sheet, record: RunRecord, proof: ProofRecord): void {
  const lane = laneOf(record, proof.lane);
  // A declared mutation that the tests do not hold: the reader knows the lane and wants the gap.
  const isFinding = proof.spec !== null && faceOf(proof) === 'refuted' && !sheet.verbose;
  if (isFinding) findingForm(sheet, proof, lane);
  else {
    for (const each of record.lanes) laneRows(sheet, each, record.environment.isolation);
    longForm(sheet, proof, lane);
  }
  preExisting(sheet, record);
  row(sheet, 'not run', notVerifiedOf(record));
  const next = [...proof.next, ...keepIt(sheet, record, proof)];
  if (next.length > 0) blank(sheet);
  row(sheet, 'next', proof.next);
  row(sheet, 'keep it', keepIt(sheet, record, proof));
  unfinished(sheet, record);
}

/** How an ad hoc edit that the tests notice becomes a spec. */
function keepIt(sheet: Sheet, record: RunRecord, proof: ProofRecord): readonly string[] {
  const isSaved = record.command.some((word) => /^--save(?:=|$)/.test(word));
  const [edit] = proof.edits;
  if (proof.spec !== null || proof.group !== 'proven' || isSaved || edit === undefined) return [];
  const name = edit.path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  const to = shellText([`mutations/${name}.yaml`]);
  return [`counterproof try ${sheet.glyphs.ellipsis} --save ${to}`];
}

function manyProofs(sheet: Sheet, record: RunRecord): void {
  for (const lane of record.lanes) {
    laneRows(sheet, lane, record.environment.isolation);
    if (lane.baseline !== null) {
      const ending = lane.baseline.complete ? '' : `${lane.baseline.ending}; `;
      timedRow(
        sheet,
        'baseline',
        `${ending}${selectedText(lane)}: ${countsText(lane.baseline.counts)}`,
        duration(lane.baseline.durationMs),
      );
    }
    if (lane.closing !== null) {
      const equal = lane.closing.equal ? 'as in the baseline' : 'NOT as in the baseline';
      timedRow(
        sheet,
        'closing',
        `${equal}: ${countsText(lane.closing.counts)}`,
        duration(lane.closing.durationMs),
      );
    }
  }
  if (record.proofs.length > 0) {
    blank(sheet);
    proofTable(sheet, record.proofs);
    filesLine(sheet, record.proofs);
  }
  for (const group of groupsOf(sheet, record)) {
    const [proof, ...others] = group;
    if (faceOf(proof) === 'pinned') continue;
    blank(sheet);
    if (others.length > 0) groupForm(sheet, group);
    else if (faceOf(proof) === 'accepted' && !sheet.verbose) verdictLine(sheet, proof, proof.id);
    else shortForm(sheet, proof, laneOf(record, proof.lane));
  }
  if (record.lanes.some((lane) => lane.preExisting.length > 0)) blank(sheet);
  preExisting(sheet, record);
  unfinished(sheet, record);
  blank(sheet);
  sheet.lines.push('not verified');
  for (const item of gapRows(sheet, record)) text(sheet, `  ${item}`);
}

const groupsOf = (sheet: Sheet, { proofs }: RunRecord): readonly Alike[] =>
  sheet.verbose ? proofs.map((proof) => [proof]) : groupAlike(proofs);

const gapRows = (sheet: Sheet, record: RunRecord): readonly string[] =>
  sheet.verbose ? notVerifiedOf(record) : gapsOf(record);

function quietForm(sheet: Sheet, record: RunRecord): void {
  for (const group of groupsOf(sheet, record)) {
    const [proof] = group;
    // An ad hoc edit is the one question of its run, and has no name.
    const isAsked = proof.spec === null && record.proofs.length === 1;
    const isFine = faceOf(proof) === 'pinned' || faceOf(proof) === 'accepted';
    if (isAsked) verdictLine(sheet, proof, null);
    else if (!isFine) verdictLine(sheet, proof, namesIn(group));
  }
  unfinished(sheet, record);
  row(sheet, 'not run', gapRows(sheet, record));
}

function filesLine(sheet: Sheet, proofs: readonly ProofRecord[]): void {
  const states = proofs.filter((proof) => proof.files.length > 0).map(filesBack);
  if (states.length === 0) return;
  const away = states.filter((state) => state === false).length;
  const unknown = states.filter((state) => state === null).length;
  if (away > 0) text(sheet, `  FILES ARE NOT BACK after ${plural(away, 'mutation')}`);
  else if (unknown > 0)
    text(sheet, `  files were not checked after ${plural(unknown, 'mutation')}`);
  else text(sheet, '  every file is back to its baseline sum');
}

function answer(record: RunRecord): string {
  const { summary } = record;
  if (summary.declared === 0) return 'nothing to prove';
  const [only] = record.proofs;
  const isTry = record.proofs.length === 1 && only?.spec === null && record.complete;
  const isUntouched = only?.group === 'no-evidence' && only.files.length === 0;
  if (isTry && isUntouched) {
    const isMeasured = record.lanes.some(({ baseline }) => baseline !== null);
    return `Stopped ${isMeasured ? 'after the baseline' : 'before any test ran'}; no file was touched`;
  }
  const whole =
    countedProofs(record).length === summary.declared ? '' : `, ${summary.declared} declared`;
  return `${summaryText(summary)}${whole}`;
}

function closing(sheet: Sheet, record: RunRecord, recordPath: string | null): void {
  blank(sheet);
  if (record.proofs.length !== 1 && record.summary.declared > 0) text(sheet, overallText(record));
  closingLine(sheet, answer(record), record, recordPath);
}
