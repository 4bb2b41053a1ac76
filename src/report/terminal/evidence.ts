/** The parts of a proof, each as rows of the sheet. Facts come from the record as they stand there. */
import type {
  ControlRecord,
  LaneRecord,
  MoveRecord,
  ProofRecord,
  StepRecord,
} from '../../record/schema.js';
import { unreachable } from '../../result.js';
import { duration, page, plural, shortSum, visible, visibleLines, widthOf } from '../text.js';
import {
  countsText,
  filesBack,
  landedText,
  laneCommand,
  loadedText,
  moveText,
  movesOf,
  selectedText,
  sumText,
  toolText,
} from '../wording.js';
import { type Sheet, cutRow, room, row, shortRow, timedRow } from './sheet.js';

/** Lines of a patch that are shown before it is cut: an edit is a few lines, a revert may be hundreds. */
const PATCH_LINES = 12;

export function laneRows(sheet: Sheet, lane: LaneRecord, isolation: string): void {
  // A lane that was never opened has no command: an edit that fits nowhere stops before it.
  const opened =
    lane.command.length === 0
      ? []
      : [`${laneCommand(lane)}, from ${lane.from}; ${isolation}`, toolText(lane)];
  row(sheet, 'lane', [...opened, ...lane.notes]);
}

function placeText(edit: ProofRecord['edits'][number]): string {
  const line = edit.line > 0 ? `:${edit.line}` : '';
  return `${edit.path}${line}${edit.scope === null ? '' : ` in ${edit.scope}`}`;
}

/** Only what the patch takes away and adds: headers and context are in the record. */
function changedLines(patch: string): string[] {
  return visibleLines(patch).filter(
    (line) => /^[-+]/.test(line) && !line.startsWith('--- ') && !line.startsWith('+++ '),
  );
}

export function editRows(sheet: Sheet, proof: ProofRecord): void {
  row(sheet, 'edit', proof.edits.map(placeText));
  changeRows(sheet, '', proof);
}

/** The lines that an edit takes away and adds, under a label. */
export function changeRows(sheet: Sheet, label: string, proof: ProofRecord): void {
  if (proof.patch === null) return;
  const { shown, more } = page(changedLines(proof.patch), sheet.verbose ? Infinity : PATCH_LINES);
  const paint = (line: string): ((text: string) => string) =>
    line.startsWith('-') ? sheet.palette.bad : sheet.palette.good;
  cutRow(
    sheet,
    label,
    shown.map((line) => ({ text: line, paint: paint(line) })),
  );
  if (more > 0) row(sheet, '', [`and ${plural(more, 'more line')} (-v)`]);
}

/** `bytes back: the test that moved passes again`, as far as the record says so. */
function restoredText(proof: ProofRecord, scope: StepRecord['scope'], counts: string): string {
  const back = filesBack(proof);
  const bytes = back === null ? 'bytes not checked' : back ? 'bytes back' : 'BYTES NOT BACK';
  const moves = movesOf(proof);
  if (moves.length === 0 && scope === 0) return `${bytes}; no test had moved`;
  const again = moves.filter((move) => move.restored !== null && move.restored === move.from);
  if (moves.length === 0 || again.length < moves.length) return `${bytes}: ${counts}`;
  if (moves.every((move) => move.from === 'passed')) {
    return moves.length === 1
      ? `${bytes}: the test that moved passes again`
      : `${bytes}: the ${moves.length} tests that moved pass again`;
  }
  return `${bytes}: ${plural(moves.length, 'test')} that moved as in the baseline again`;
}

export function stepRows(sheet: Sheet, proof: ProofRecord, lane: LaneRecord | undefined): void {
  const named = new Set(proof.steps.map((step) => step.step));
  if (!named.has('baseline') && lane?.baseline != null) {
    const { baseline } = lane;
    const ending = baseline.complete ? '' : `${baseline.ending}; `;
    timedRow(
      sheet,
      'baseline',
      `${ending}${selectedText(lane)}: ${countsText(baseline.counts)}`,
      duration(baseline.durationMs),
    );
  }
  for (const step of proof.steps) {
    const counts = step.complete
      ? countsText(step.counts)
      : `${step.ending}; ${countsText(step.counts)}`;
    const scope = step.scope === 'lane' ? '' : `${plural(step.scope, 'test')} run, `;
    let said: string;
    switch (step.step) {
      case 'baseline':
        said = lane === undefined ? counts : `${selectedText(lane)}: ${counts}`;
        break;
      case 'mutated':
        said = `${loadedText(proof.loaded)}: ${scope}${counts}`;
        break;
      case 'restored':
        said = step.complete ? restoredText(proof, step.scope, scope + counts) : counts;
        break;
      case 'reach':
        said = `raised at the head of the edited function: ${scope}${counts}`;
        break;
      case 'closing':
        said = `${scope}${counts}`;
        break;
      default:
        said = unreachable(step.step);
    }
    timedRow(sheet, step.step, said, duration(step.durationMs));
    row(sheet, '', step.notes);
  }
}

/** What a failure says stands at its end as often as at its beginning. */
const MESSAGE_LINES = 3;

function moveRows(
  sheet: Sheet,
  label: string,
  moves: readonly MoveRecord[],
  shape: 'long' | 'short',
): void {
  const { shown, more } = page(moves, sheet.limit);
  shown.forEach((move, index) => {
    const how = moveText(move, sheet.glyphs.arrow);
    row(sheet, index === 0 ? label : '', [how === 'failed' ? move.test : `${move.test}  ${how}`]);
    if (shape === 'short') return;
    const detail = [move.at, move.message].filter((part) => part !== null).join('  ');
    if (detail === '') return;
    if (sheet.verbose) row(sheet, '', [detail]);
    else shortRow(sheet, '', detail, MESSAGE_LINES);
  });
  if (more > 0) row(sheet, '', [`and ${more} more (-v)`]);
}

export function flipRows(sheet: Sheet, proof: ProofRecord): void {
  moveRows(sheet, 'flipped', proof.flips.expected, 'long');
  listRows(sheet, 'unmoved', proof.flips.missing, 'expected to flip:');
  // Where nothing was named there is nothing to stand beside.
  const label = proof.flips.declared === 0 && proof.flips.expected.length === 0 ? 'moved' : 'also';
  moveRows(sheet, label, proof.flips.also, proof.group === 'proven' ? 'short' : 'long');
}

/** A heading line and a list below it, or the only entry beside the label. */
function listRows(sheet: Sheet, label: string, items: readonly string[], heading: string): void {
  if (items.length === 0) return;
  const { shown, more } = page(items, sheet.limit);
  const rest = more > 0 ? [`  and ${more} more (-v)`] : [];
  row(sheet, label, [heading, ...shown.map((item) => `  ${item}`), ...rest]);
}

function controlCounts(control: ControlRecord): string {
  const { baseline, mutated, restored } = control.counts;
  const said = [baseline, mutated, restored].map((each) =>
    each === null ? 'not run' : countsText(each),
  );
  const [b = '', m = '', r = ''] = said;
  if (b === m && m === r) return b === 'not run' ? b : `${b} in every step`;
  if (b === m && restored === null) return `${b} in baseline and mutated; restored not run`;
  return `baseline ${b}; mutated ${m}; restored ${r}`;
}

function heldText(control: ControlRecord): string {
  if (control.held === null) return 'not measured; ';
  return control.held ? '' : `MOVED, ${control.moved.length} of ${control.total}; `;
}

export function controlRows(sheet: Sheet, proof: ProofRecord): void {
  const { shown, more } = page(proof.controls, sheet.limit);
  shown.forEach((control, index) => {
    const elsewhere = control.lane === proof.lane ? '' : ` in lane ${control.lane}`;
    row(sheet, index === 0 ? 'control' : '', [
      `${control.selector}${elsewhere}  ${heldText(control)}${controlCounts(control)}`,
    ]);
    moveRows(sheet, '', control.moved, 'long');
  });
  if (more > 0) row(sheet, '', [`and ${plural(more, 'more control')} (-v)`]);
}

export function stillRows(sheet: Sheet, proof: ProofRecord): void {
  const around = proof.around.map(
    ({ group, held, moved }) => `${group}  ${held} of ${held + moved}`,
  );
  const { shown, more } = page(around, sheet.limit);
  const all =
    proof.still === null ? [] : [`all others  ${proof.still.held} of ${proof.still.total}`];
  const said = [...shown, ...(more > 0 ? [`and ${more} more (-v)`] : []), ...all];
  if (said.length === 0) return;
  const line = said.join(' '.repeat(8));
  row(sheet, 'still', widthOf(visible(line)) <= room(sheet) ? [line] : said);
}

export function landedRows(sheet: Sheet, proof: ProofRecord): void {
  if (proof.loaded.proof === 'none') return;
  row(sheet, 'landed', [landedText(proof.loaded)]);
}

export function reachRows(sheet: Sheet, proof: ProofRecord): void {
  const { reach } = proof;
  if (reach === null) return;
  switch (reach.state) {
    case 'reached':
      listRows(
        sheet,
        'reached',
        reach.by,
        `by ${plural(reach.by.length, 'test')}${proof.verdict === 'survived' ? ', none of them notices' : ''}:`,
      );
      break;
    case 'unreached':
      row(sheet, 'reached', ['by no test of the lane']);
      break;
    case 'unknown':
      row(sheet, 'reached', [`not known${reach.why === null ? '' : `: ${reach.why}`}`]);
      break;
    default:
      unreachable(reach.state);
  }
}

export function aliveRows(sheet: Sheet, lane: LaneRecord | undefined): void {
  if (lane === undefined) return;
  row(sheet, 'lane', [
    lane.alive === null
      ? 'not shown to be able to fail in this run'
      : `can fail: ${lane.alive.by} flipped ${lane.alive.flipped}`,
  ]);
}

export function sumRows(sheet: Sheet, proof: ProofRecord): void {
  const { shown, more } = page(proof.files, sheet.limit);
  const arrow = ` ${sheet.glyphs.arrow} `;
  const chains = shown.flatMap((file) => {
    const states = ['baseline', 'mutated', 'restored'] as const;
    const chain = states.map((state) => sumText(proof, file, state)).join(arrow);
    return proof.files.length === 1 ? [chain] : [file.path, `  ${chain}`];
  });
  row(sheet, 'sha256', [...chains, ...(more > 0 ? [`and ${plural(more, 'more file')} (-v)`] : [])]);
  row(
    sheet,
    'probe',
    proof.probes.map(({ path, sha256 }) => `${path}  ${shortSum(sha256)}`),
  );
}

export function keptRows(sheet: Sheet, proof: ProofRecord): void {
  row(
    sheet,
    'kept',
    proof.kept.map(
      ({ path, keptAs }) => `a test or somebody wrote into ${path}: those bytes are in ${keptAs}`,
    ),
  );
}

export function valueRows(sheet: Sheet, proof: ProofRecord): void {
  const moved = proof.values.filter((value) => !value.same);
  const { shown, more } = page(moved, sheet.limit);
  const said = shown.map(
    ({ test, key, values }) =>
      `${test}  ${key}  ${JSON.stringify(values.baseline)} ${sheet.glyphs.arrow} ${JSON.stringify(values.mutated)}`,
  );
  row(sheet, 'value', [...said, ...(more > 0 ? [`and ${more} more (-v)`] : [])]);
}
