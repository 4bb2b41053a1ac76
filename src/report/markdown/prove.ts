/** What `prove` found, as a reviewer pastes it: the answer, what was taken back, the tests. */
import type { ChangeRecord, FixTestRecord, ProofRecord } from '../../record/schema.js';
import { glyphOf } from '../face.js';
import { glyphs } from '../look.js';
import { allBroken, breakText, brokenBy } from '../prove-breaks.js';
import { byNameText, freshFirst, freshText, othersText, redIn } from '../prove-noticing.js';
import { faceOfTest, quietRows, testText } from '../prove-test-wording.js';
import {
  faceOfChange,
  filesWithWhy,
  hasParts,
  hunkList,
  joinText,
  lacksEvidence,
  linesText,
  overallFace,
  overallText,
  placeOf,
  placesOf,
  proofNamed,
  proveTotals,
  rangeText,
  sourceOf,
  wholeText,
  type ProveView,
} from '../prove-wording.js';
import { reachText } from '../prove-reach.js';
import { duration, page, plural } from '../text.js';
import { code, fence, prose, tableHead, tableRow } from './escape.js';

const GLYPHS = glyphs({ unicode: true });
const LISTED = 30;
/** Lines of a hunk that nothing holds. */
const PATCH_LINES = 40;

/** `**✗ partly held**: The tests hold hunk 1. …` */
export function proveSentence(view: ProveView): string {
  const glyph = glyphOf(overallFace(view), GLYPHS);
  return `**${glyph} ${overallText(view)}**: ${prose(view.prove.reason)}`;
}

export function proveSummary(view: ProveView): string {
  const { durationMs, exitCode } = view.record;
  return `**${proveTotals(view)}; ${duration(durationMs)}; exit ${exitCode}**`;
}

/** The tests that the change breaks; empty: none. */
export function breakLines(view: ProveView): readonly string[] {
  return allBroken(view).map(
    ({ test, message }) =>
      `- ${code(test)} ${prose(breakText(view))}${message === null ? '' : `: ${code(message)}`}`,
  );
}

/** The range and how it was split, a line each. */
export function rangeLines(view: ProveView): string {
  const { prove } = view;
  const lines = [
    `- range: ${prose(rangeText(view))}`,
    ...prove.range.notes.map((note) => `- ${prose(note)}`),
  ];
  for (const [label, kind] of [
    ['source', 'source'],
    ['test code', 'test'],
    ['support', 'support'],
    ['not taken back', 'other'],
  ] as const) {
    const changes = prove.changes.filter((change) => change.class === kind);
    const files = filesWithWhy(changes);
    if (files.length === 0) continue;
    const { shown, more } = page(files, LISTED);
    const named = shown.map(({ file, why }) => `${code(file)} (${prose(why)})`).join(', ');
    lines.push(`- ${label}: ${named}${more > 0 ? ` and ${more} more` : ''}`);
  }
  return lines.join('\n');
}

export const TAKEN_LEAD =
  'Each row takes one part of the change out of the code again, leaves the tests as they are, and runs them: a test that fails then holds that part. Every file is put back afterwards.';

export const TAKEN_HEAD = tableHead([
  'taken back',
  'lines',
  'in',
  'new tests',
  'others',
  'held by',
]);

/** A row for the whole fix, for each file with several hunks, and for each hunk. */
export function takenRows(view: ProveView): readonly string[] {
  const { prove } = view;
  const { whole } = prove;
  const source = sourceOf(view);
  const rows: string[] = [];
  if (whole !== null) {
    const face =
      whole.state === 'held' ? 'pinned' : whole.state === 'unheld' ? 'refuted' : 'no-evidence';
    const found = proofNamed(view, whole.proof);
    const broken = brokenBy(view, found).length > 0;
    const said = (broken ? null : whole.reason) ?? byNameText(found, whole.heldBy) ?? '';
    rows.push(
      takenRow(
        view,
        `${glyphOf(face, GLYPHS)} ${prose(wholeText(view))}`,
        ['', '', prose(said)],
        whole.state === 'not-measurable' && !broken ? null : { by: whole.heldBy, proof: found },
      ),
    );
  }
  for (const { file, proof } of prove.files) {
    const found = proofNamed(view, proof);
    const face =
      found?.group === 'proven' ? 'pinned' : found?.group === 'refuted' ? 'refuted' : 'no-evidence';
    rows.push(
      takenRow(
        view,
        `${glyphOf(face, GLYPHS)} all of ${code(file)}`,
        ['', '', ''],
        face === 'no-evidence' ? null : { by: redIn(found), proof: found },
      ),
    );
  }
  if (hasParts(view)) for (const change of source) rows.push(changeRow(view, change));
  const support = proofNamed(view, prove.support);
  if (support !== null)
    rows.push(
      takenRow(view, 'support code alone', ['', '', ''], { by: redIn(support), proof: support }),
    );
  return rows;
}

function changeRow(view: ProveView, change: ChangeRecord): string {
  const glyph = glyphOf(faceOfChange(change), GLYPHS);
  const note = joinText(change);
  const proof = proofNamed(view, change.proof);
  const { shown, more } = page(freshFirst(view, change.heldBy), 3);
  const tests = shown.map(code).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const by = change.status === 'unheld' ? '**nothing**' : tests;
  const broken = brokenBy(view, proof).length;
  const breaks = broken === 0 ? null : `breaks ${plural(broken, 'test')}`;
  const notes = [breaks, byNameText(proof, change.heldBy), note];
  const said = [by, ...notes.map((text) => (text === null ? '' : prose(text)))];
  return takenRow(
    view,
    `${glyph} ${change.id} ${code(placesOf(change))}`,
    [
      linesText(change),
      change.scope === null ? '' : code(change.scope),
      said.filter((part) => part !== '').join('; '),
    ],
    lacksEvidence(change) ? null : { by: change.heldBy, proof },
  );
}

function takenRow(
  view: ProveView,
  what: string,
  [lines, scope, by]: readonly [string, string, string],
  noticed: { readonly by: readonly string[]; readonly proof: ProofRecord | null } | null,
): string {
  if (noticed === null) return tableRow([what, lines, scope, 'no evidence', '-', by]);
  const { by: red, proof } = noticed;
  const few = view.prove.tests.length === 0 ? '-' : freshText(view, proof, red);
  return tableRow([what, lines, scope, few, othersText(view, proof, red), by]);
}

export const TEST_HEAD = tableHead(['test', '', 'without the fix']);

export function testRows(view: ProveView): readonly string[] {
  return view.prove.tests.map((test) => {
    const quiet = quietRows(test);
    const rows = quiet.length === 0 ? '' : `; does not notice: ${quiet.map(code).join(' ')}`;
    return tableRow([
      code(test.test),
      test.kind,
      `${glyphOf(faceOfTest(view, test), GLYPHS)} ${saidOf(view, test)}${rows}`,
    ]);
  });
}

/** The words of ours as prose, those of the test as code. */
function saidOf(view: ProveView, test: FixTestRecord): string {
  const text = testText(view, test);
  const { message } = test;
  if (message === null || !text.endsWith(`: ${message}`)) return prose(text);
  return `${prose(text.slice(0, -message.length - 2))}: ${code(message)}`;
}

/** What nothing holds, with the lines that went unnoticed. */
export function unheldBlocks(view: ProveView): readonly string[] {
  return sourceOf(view)
    .filter(({ status }) => status === 'unheld' || status === 'together')
    .map((change) => {
      const proof = proofNamed(view, change.proof);
      const title = `Hunk ${change.id}, ${code(placesOf(change))}`;
      const joined = change.joined.length === 0 ? '' : ` with ${hunkList(change.joined)}`;
      const reach = proof === null ? null : reachText(view, proof, placeOf(change));
      const broken = brokenBy(view, proof).length;
      const said = `${title}: nothing notices when it is gone${joined}${broken === 0 ? '' : `, and it breaks ${plural(broken, 'test')}`}${reach === null ? '' : `; ${prose(reach)}`}.`;
      if (proof?.patch == null) return said;
      const lines = proof.patch.split('\n');
      const more = lines.length > PATCH_LINES ? '\n\nThe rest of the patch is in the record.' : '';
      return `${said}\n\n${fence(lines.slice(0, PATCH_LINES).join('\n'), 'diff')}${more}`;
    });
}
