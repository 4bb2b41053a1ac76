/** The report of `prove`: what was taken back, who noticed, and what nothing holds. */
import type { ChangeRecord, FixTestRecord, ProofRecord, ProveRecord } from '../../record/schema.js';
import { glyphOf, paintOf } from '../face.js';
import { allBroken, brokenBy } from '../prove-breaks.js';
import { byNameText, freshFirst } from '../prove-noticing.js';
import {
  countText,
  filesWithWhy,
  joinText,
  overallFace,
  overallText,
  placeOf,
  placesOf,
  proofNamed,
  proveTotals,
  rangeText,
  sourceOf,
  type ProveView,
} from '../prove-wording.js';
import { reachedBy, reachText } from '../prove-reach.js';
import { duration, page, plural, shortSum, visible, widthOf, wrap } from '../text.js';
import {
  countsText,
  filesBack,
  movesOf,
  notVerifiedOf,
  selectedText,
  shellText,
} from '../wording.js';
import { closingLine, preExisting, unfinished } from './ends.js';
import { changeRows, laneRows } from './evidence.js';
import { breakRows } from './prove-breaks.js';
import { takenTable } from './prove-table.js';
import { testRows } from './prove-tests.js';
import { type Sheet, blank, row, timedRow } from './sheet.js';

export function proveForm(
  sheet: Sheet,
  view: ProveView,
  options: { readonly quiet: boolean; readonly recordPath: string | null },
): void {
  const { record } = view;
  if (!options.quiet) {
    headRows(sheet, view);
    blank(sheet);
    takenTable(sheet, view);
    blank(sheet);
  }
  verdict(sheet, view);
  if (!options.quiet) blank(sheet);
  breakRows(sheet, view);
  const { whole } = view.prove;
  if (whole !== null && !options.quiet) wholeDetail(sheet, view, whole);
  for (const change of sourceOf(view)) {
    if (options.quiet) quietDetail(sheet, change);
    else changeDetail(sheet, view, change);
  }
  if (!options.quiet) {
    testRows(sheet, view);
    preExisting(sheet, record, { heading: 'with the change in place', told: allBroken(view) });
    restoredRow(sheet, view);
  }
  row(sheet, 'not run', notVerifiedOf(record));
  if (!options.quiet) {
    blank(sheet);
    nextRows(sheet, view);
  }
  unfinished(sheet, record);
  blank(sheet);
  closingLine(sheet, proveTotals(view), record, options.recordPath);
}

function headRows(sheet: Sheet, view: ProveView): void {
  const { record, prove } = view;
  row(sheet, 'range', [rangeText(view), ...prove.range.notes]);
  const source = sourceOf(view);
  row(sheet, 'source', [source.length === 0 ? 'no change' : countText(source)]);
  for (const [label, kind] of [
    ['test code', 'test'],
    ['support', 'support'],
    ['other', 'other'],
  ] as const) {
    const changes = prove.changes.filter((change) => change.class === kind);
    classRow(sheet, label, changes, kind === 'test' ? newTests(prove.tests) : '');
  }
  for (const lane of record.lanes) {
    laneRows(sheet, lane, record.environment.isolation);
    if (lane.baseline === null) continue;
    const ending = lane.baseline.complete ? '' : `${lane.baseline.ending}; `;
    const said = `${ending}${selectedText(lane)}: ${countsText(lane.baseline.counts)}`;
    timedRow(sheet, 'baseline', said, duration(lane.baseline.durationMs));
  }
}

function newTests(tests: readonly FixTestRecord[]): string {
  const fresh = tests.filter(({ kind }) => kind === 'new').length;
  const changed = tests.length - fresh;
  const parts = [
    ...(fresh > 0 ? [plural(fresh, 'new test')] : []),
    ...(changed > 0 ? [plural(changed, 'changed test')] : []),
  ];
  return parts.length === 0 ? 'no new or changed test function' : parts.join(', ');
}

function classRow(
  sheet: Sheet,
  label: string,
  changes: readonly ChangeRecord[],
  more: string,
): void {
  if (changes.length === 0) return;
  const files = filesWithWhy(changes);
  const { shown, more: rest } = page(files, sheet.limit);
  const listed = shown.map(({ file, why }) => `${file} (${why})`);
  const others = rest > 0 ? [`and ${rest} more (-v)`] : [];
  row(sheet, label, [...listed, ...others, ...(more === '' ? [] : [more])]);
}

/** Of the lines that follow the first one of the answer. */
const INDENT = 2;

function verdict(sheet: Sheet, view: ProveView): void {
  const { prove } = view;
  const face = overallFace(view);
  const paint = paintOf(face, sheet.palette);
  const word = overallText(view).toUpperCase();
  const head = `${glyphOf(face, sheet.glyphs)} ${word}`;
  const said = visible(`${head}  ${prove.reason}`);
  const { width } = sheet.look;
  const [first = '', ...rest] = widthOf(said) <= width ? [said] : wrap(said, width - INDENT);
  sheet.lines.push(
    first.startsWith(head) ? paint(head) + first.slice(head.length) : paint(first),
    ...rest.map((line) => ' '.repeat(INDENT) + line),
  );
}

/** What its row in the table leaves open, where no hunk says it. */
function wholeDetail(
  sheet: Sheet,
  view: ProveView,
  { state, reason, proof, heldBy }: NonNullable<ProveRecord['whole']>,
): void {
  const found = proofNamed(view, proof);
  const byName = byNameText(found, heldBy);
  if (state === 'not-measurable' && reason !== null)
    row(sheet, 'whole', [`no evidence: ${reason}`]);
  else if (byName !== null) row(sheet, 'whole', [byName]);
  else if (state === 'unheld' && found !== null && view.prove.arms === null && hasSeveral(view)) {
    const reach = reachText(view, found, 'it');
    if (reach !== null) row(sheet, 'whole', [`held by nothing; ${reach}`]);
    reachedRows(sheet, view, found);
  }
}

const hasSeveral = (view: ProveView): boolean => sourceOf(view).length > 1;

/** `-q`: what is not held, a line each. */
function quietDetail(sheet: Sheet, change: ChangeRecord): void {
  if (['held', 'skipped', 'aside'].includes(change.status)) return;
  const said = joinText(change) ?? 'held by nothing';
  row(sheet, `hunk ${change.id}`, [`${placesOf(change)}: ${said}`]);
}

/** What nothing holds, or cannot be measured, with the lines that it takes away; and who holds the rest. */
function changeDetail(sheet: Sheet, view: ProveView, change: ChangeRecord): void {
  const label = `hunk ${change.id}`;
  const note = joinText(change);
  if (change.status === 'skipped') return;
  if (change.status === 'held') {
    const { shown, more } = page(freshFirst(view, change.heldBy), sheet.verbose ? sheet.limit : 2);
    const by = [...shown, ...(more > 0 ? [`${more} more (-v)`] : [])].join(', ');
    const byName = byNameText(proofNamed(view, change.proof), change.heldBy);
    row(sheet, label, [`held by ${by}`, ...[byName, note].filter((line) => line !== null)]);
    return;
  }
  const isCounted = change.status !== 'not-measurable' && change.status !== 'aside';
  const proof = isCounted ? proofNamed(view, change.proof) : null;
  if (proof !== null) changeRows(sheet, label, proof);
  const reach = proof === null ? null : reachText(view, proof, placeOf(change));
  const broken = isCounted ? brokenBy(view, proof) : [];
  const said = [
    note ?? 'held by nothing',
    ...(broken.length === 0 ? [] : [`it breaks ${plural(broken.length, 'test')}`]),
    ...(reach === null ? [] : [reach]),
  ];
  row(sheet, proof?.patch == null ? label : '', [said.join('; ')]);
  if (proof !== null) reachedRows(sheet, view, proof);
}

function reachedRows(sheet: Sheet, view: ProveView, proof: ProofRecord): void {
  if (proof.reach?.state !== 'reached') return;
  const { quiet, red } = reachedBy(view, proof);
  const { shown, more } = page([...quiet, ...red], sheet.verbose ? sheet.limit : 2);
  row(sheet, '', [
    ...shown.map((id) => `  ${id}`),
    ...(more > 0 ? [`  and ${more} more (-v)`] : []),
  ]);
}

function restoredRow(sheet: Sheet, { record }: ProveView): void {
  const written = record.proofs.filter((proof) => proof.files.length > 0);
  if (written.length === 0) return;
  const files = new Map<string, ProofRecord['files'][number]>();
  for (const file of written.flatMap((proof) => proof.files)) files.set(file.path, file);
  const states = new Set(written.map(filesBack));
  const moved = new Set(written.flatMap(movesOf).map(({ test }) => test));
  const again = new Set(
    written
      .flatMap(movesOf)
      .filter(({ from, restored }) => restored !== null && restored === from)
      .map(({ test }) => test),
  );
  const tests =
    moved.size === 0
      ? 'no test had moved'
      : again.size === moved.size
        ? `${plural(moved.size, 'test')} that moved ${moved.size === 1 ? 'is' : 'are'} as before`
        : `of ${plural(moved.size, 'test')} that moved ${again.size} are as before`;
  const { shown, more } = page([...files.values()], sheet.limit);
  const back = states.has(false)
    ? 'NOT AS BEFORE'
    : states.has(null)
      ? 'not checked everywhere'
      : 'as before';
  row(sheet, 'restored', [
    ...shown.map(({ path, baseline }) => `${path}  ${shortSum(baseline)}`),
    ...(more > 0 ? [`and ${plural(more, 'more file')} (-v)`] : []),
    `${back}; ${tests}`,
  ]);
}

function nextRows(sheet: Sheet, { record, prove }: ProveView): void {
  if (!record.complete) {
    row(sheet, 'next', [`${shellText(commandAgain(record.command))}   once more, to its end`]);
    return;
  }
  if (prove.overall === 'nothing-to-prove') return;
  const held = prove.changes.find(({ status }) => status === 'held');
  const lines = [
    `${shellText(withOption(record.command, '--report', 'markdown'))}   for the review`,
  ];
  if (held !== undefined) {
    const name = held.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
    const keep = withOption(record.command, '--write', `mutations/${name}.yaml`);
    lines.push(`${shellText(keep)}   to keep what is held`);
  }
  row(sheet, 'next', lines);
}

/** The command once more with this option; what stands behind `--` is for the test runner. */
function withOption(command: readonly string[], option: string, value: string): readonly string[] {
  const end = command.indexOf('--');
  const own = end === -1 ? command : command.slice(0, end);
  const given = own.slice(1).filter((word, at, words) => {
    // How the run showed itself is no part of what is to be done again.
    const isOurs = /^--(?:(?:report|write)(?:=|$)|(?:no-)?progress$)/.test(word);
    return !isOurs && !/^--(?:report|write)$/.test(words[at - 1] ?? '');
  });
  return ['counterproof', ...given, option, value, ...command.slice(own.length)];
}

/** As it was typed, without what may have ended it early. */
function commandAgain(command: readonly string[]): readonly string[] {
  const end = command.indexOf('--');
  const own = end === -1 ? command.length : end;
  return command.filter((word, at) => at >= own || !/^(?:-x|--fail-fast)$/.test(word));
}
