/** The parts of a report that concern the whole run: controls, lanes, environment, checks by hand. */
import type { ControlRecord, LaneRecord, ProofRecord, RunRecord } from '../../record/schema.js';
import type { Counts } from '../../proof/outcome.js';
import { FACES, MEANING, faceOf } from '../face.js';
import { page, visible } from '../text.js';
import { countsText, selectedText, shellText, versionsText } from '../wording.js';
import { code, details, fence, prose, tableHead, tableRow } from './escape.js';

const LISTED = 30;

function countsCell(counts: Counts | null): string {
  return counts === null ? 'not run' : countsText(counts);
}

function heldCell(control: ControlRecord): string {
  if (control.held === null) return 'not measured';
  return control.held ? 'held' : `**moved**: ${control.moved.length} of ${control.total}`;
}

/** Every declared control with its counts at every step, skipped ones included. */
export function controlRows(proofs: readonly ProofRecord[]): string[] {
  return proofs.flatMap((proof) =>
    proof.controls.map((control) =>
      tableRow([
        code(proof.id),
        code(control.selector) +
          (control.lane === proof.lane ? '' : ` in lane ${code(control.lane)}`),
        countsCell(control.counts.baseline),
        countsCell(control.counts.mutated),
        countsCell(control.counts.restored),
        heldCell(control),
      ]),
    ),
  );
}

export const CONTROL_HEAD = tableHead([
  'mutation',
  'control',
  'baseline',
  'mutated',
  'restored',
  'result',
]);

function laneBlock(lane: LaneRecord): string {
  const alive =
    lane.alive === null
      ? 'not shown to be able to fail in this run'
      : `can fail: ${code(lane.alive.by)} flipped ${code(lane.alive.flipped)}`;
  const baseline =
    lane.baseline === null
      ? 'not run'
      : `${lane.baseline.complete ? '' : `${prose(lane.baseline.ending)}; `}${countsText(lane.baseline.counts)}`;
  const closing =
    lane.closing === null
      ? 'not run'
      : `${lane.closing.equal ? 'as in the baseline' : '**not as in the baseline**'}: ${countsText(lane.closing.counts)}`;
  const files = page(lane.files, LISTED);
  const perFile = files.shown.map(
    ({ file, selected, collected }) => `  - ${code(file)}: ${selected} of ${collected}`,
  );
  return [
    `Lane ${code(lane.name)}: ${code(shellText(lane.command))}, from ${code(lane.from)}`,
    '',
    `- ${code(lane.tool)}; ${prose(versionsText(lane.versions))}`,
    `- ${selectedText(lane)}, ${lane.deselected} deselected`,
    ...perFile,
    ...(files.more > 0 ? [`  - and ${files.more} more files`] : []),
    `- baseline: ${baseline}`,
    `- closing run: ${closing}`,
    `- ${alive}`,
    ...lane.notes.map((note) => `- ${prose(note)}`),
  ].join('\n');
}

function pairs(entries: Readonly<Record<string, string>>): string {
  const said = Object.entries(entries).map(([name, value]) => code(`${name}=${value}`));
  return said.length === 0 ? 'none' : said.join(', ');
}

function dirtyText(paths: readonly string[]): string {
  if (paths.length === 0) return '- no file differs from the commit';
  const { shown, more } = page(paths, LISTED);
  return `- differs from the commit: ${shown.map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function environmentDetails(record: RunRecord): string {
  const { environment, project, tool } = record;
  const lines = [
    `- ${prose(`${environment.os}, ${environment.arch}, ${environment.cpus} CPUs, node ${environment.node}`)}; ${prose(versionsText(environment.runners))}`,
    `- Counterproof ${prose(tool.version)}: ${code(shellText(record.command))}`,
    `- isolation: ${prose(environment.isolation)}; jobs: ${environment.jobs}; seeds: ${pairs(environment.seeds)}`,
    `- variables: ${pairs(environment.variables)}`,
    `- commit ${project.commit === null ? 'unknown' : code(project.commit)}, tree ${project.tree === null ? 'unknown' : code(project.tree)}, started ${prose(record.startedAt)}`,
    ...(project.commit === null ? [] : [dirtyText(project.dirty)]),
  ];
  return details('Environment', [lines.join('\n'), ...record.lanes.map(laneBlock)].join('\n\n'));
}

/** Red, uncollectable and quarantined tests: once for the run, never as flips. Null: none. */
export function preExistingDetails(record: RunRecord): string | null {
  const items = record.lanes.flatMap((lane) => [
    ...lane.preExisting.map(
      ({ test, outcome, message }) =>
        `- ${code(test)} ${outcome}${message === null ? '' : `: ${code(message)}`}`,
    ),
    ...lane.collectionErrors.map(
      ({ file, message }) => `- ${code(file ?? 'a file')} not collected: ${code(message)}`,
    ),
    ...lane.quarantined.map(
      ({ test, because }) => `- ${code(test)} in quarantine: ${prose(because)}`,
    ),
  ]);
  if (items.length === 0) return null;
  const { shown, more } = page(items, LISTED);
  const rest = more > 0 ? [`- and ${more} more in the record`] : [];
  return details(
    `Red or left aside ${record.prove === undefined ? 'before any edit' : 'with the change in place'}: ${items.length}`,
    [
      record.prove === undefined
        ? 'None of these counts as a flip.'
        : 'None of these can hold the change.',
      [...shown, ...rest].join('\n'),
    ].join('\n\n'),
  );
}

/** A proof that is worth repeating by hand: one that the reader may doubt, else the first. */
function exampleOf(record: RunRecord): ProofRecord | undefined {
  const usable = record.proofs.filter((proof) => proof.patch !== null && proof.files.length > 0);
  const order = usable.toSorted((a, b) => FACES.indexOf(faceOf(a)) - FACES.indexOf(faceOf(b)));
  return order[0];
}

/**
 * The commands that repeat one proof without Counterproof: the file's sum, the patch, the lane,
 * and the sum again. Null where no edit landed.
 */
export function byHandDetails(record: RunRecord): string | null {
  const proof = exampleOf(record);
  const lane = record.lanes.find(({ name }) => name === proof?.lane);
  if (proof?.patch == null || lane === undefined || proof.patch.length > 4000) return null;
  // What cannot be shown as it is cannot be copied either.
  if (
    proof.patch
      .split('\n')
      .some((line) => visible(line.replaceAll('\t', '')) !== line.replaceAll('\t', ''))
  ) {
    return null;
  }
  const { root } = record.project;
  const tests = shellText(lane.command);
  const sums = proof.files.map(({ path }) => shellText(['sha256sum', '--', path])).join('\n');
  const marker = heredocMark(proof.patch);
  const expected = proof.files
    .map(
      ({ path, baseline, mutated }) =>
        `# ${path}: ${baseline ?? 'absent'}, then ${mutated ?? 'absent'}`,
    )
    .join('\n');
  const patch = proof.patch.endsWith('\n') ? proof.patch : `${proof.patch}\n`;
  const script = [
    expected,
    sums,
    `cat > /tmp/mutation.patch <<'${marker}'`,
    `${patch}${marker}`,
    'patch -p1 < /tmp/mutation.patch',
    sums,
    root === '.' || root === '' ? tests : `(cd ${shellText([root])} && ${tests})`,
    'patch -p1 -R < /tmp/mutation.patch',
    sums,
  ].join('\n');
  return details(
    'Check by hand',
    `${code(proof.id)}, at the top of the tree:\n\n${fence(script, 'sh')}`,
  );
}

function heredocMark(patch: string): string {
  let mark = 'END_OF_PATCH';
  while (patch.split('\n').includes(mark)) mark += '_';
  return mark;
}

/** What the verdicts of this run mean; nothing for a word that does not occur. */
export function legend(record: RunRecord): string {
  const seen = new Set(record.proofs.map((proof) => proof.verdict));
  const lines = [...seen].map((verdict) => `- **${verdict}**: ${MEANING[verdict]}`);
  return details('What the words mean', lines.join('\n'));
}
