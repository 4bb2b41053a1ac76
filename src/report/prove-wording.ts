/** What `prove` found, in words that every report shares. Text out of here is not yet made visible. */
import { isRed } from '../proof/outcome.js';
import type {
  ChangeRecord,
  FixTestRecord,
  ProofRecord,
  ProveRecord,
  RunRecord,
} from '../record/schema.js';
import { unreachable } from '../result.js';
import type { Face } from './face.js';
import { plural } from './text.js';
import { movesOf } from './wording.js';

export interface ProveView {
  readonly record: RunRecord;
  readonly prove: ProveRecord;
}

export const sourceOf = ({ prove }: ProveView): readonly ChangeRecord[] =>
  prove.changes.filter((change) => change.class === 'source');

export function proofNamed({ record }: ProveView, id: string | null): ProofRecord | null {
  return record.proofs.find((proof) => proof.id === id) ?? null;
}

export function overallFace({ overall }: ProveRecord): Face {
  switch (overall) {
    case 'held':
      return 'pinned';
    case 'partly-held':
    case 'unheld':
      return 'refuted';
    case 'not-measurable':
    case 'nothing-to-prove':
      return 'no-evidence';
    default:
      return unreachable(overall);
  }
}

export function faceOfChange({ status }: ChangeRecord): Face {
  switch (status) {
    case 'held':
      return 'pinned';
    case 'unheld':
    case 'together':
    case 'skipped':
      return 'refuted';
    case 'aside':
      return 'accepted';
    case 'not-measurable':
    case 'stays':
      return 'no-evidence';
    default:
      return unreachable(status);
  }
}

/** Nothing is known of it, noticed or not. */
export const lacksEvidence = ({ status, reason }: ChangeRecord): boolean =>
  status === 'not-measurable' || (status === 'aside' && reason !== null);

/** A new test that passes without the fix is a finding; a changed one may always have been about something else. */
export function faceOfTest({ kind, withoutFix }: FixTestRecord): Face {
  switch (withoutFix) {
    case 'failed':
    case 'crashed':
    case 'timeout':
      return 'pinned';
    case 'passed':
      return kind === 'new' ? 'refuted' : 'accepted';
    case 'broken':
    case 'flaky':
    case 'not-run':
      return 'no-evidence';
    default:
      return unreachable(withoutFix);
  }
}

/** `fails without the fix: …`, `passes on v1.2`. */
export function testText({ prove }: ProveView, test: FixTestRecord): string {
  const { withoutFix, rows } = test;
  const moved = rows.filter((row) => row.withoutFix !== 'passed' && row.withoutFix !== 'not-run');
  const some = rows.length > 1 && moved.length < rows.length && moved.length > 0;
  const which = some ? `${moved.length} of ${rows.length} rows: ` : '';
  const where = prove.arms === null ? 'without the fix' : `on ${prove.arms.old}`;
  return which + withoutText(withoutFix, test, where);
}

function withoutText(
  withoutFix: FixTestRecord['withoutFix'],
  { kind, message }: FixTestRecord,
  where: string,
): string {
  const said = message === null ? '' : `: ${message}`;
  switch (withoutFix) {
    case 'failed':
      return `fails ${where}${said}`;
    case 'crashed':
      return `crashes ${where}`;
    case 'timeout':
      return `hangs ${where}`;
    case 'passed':
      return `${message ?? 'passes'} ${where}${kind === 'changed' ? ' (changed, not new)' : ''}`;
    case 'broken':
      return `fails by a missing name alone${said}`;
    case 'flaky':
      return 'disagrees with itself';
    case 'not-run':
      return `no answer${said}`;
    default:
      return unreachable(withoutFix);
  }
}

/** Rows of a parametrised test that do not notice, where others do. */
export function quietRows({ rows, withoutFix }: FixTestRecord): readonly string[] {
  if (withoutFix === 'passed') return [];
  return rows.filter((row) => row.withoutFix === 'passed').map(({ row }) => row);
}

export interface Noticing {
  /** New and changed tests that went red, and how many there are. */
  readonly fresh: number;
  readonly freshTotal: number;
  /** Other tests that went red. */
  readonly others: number;
}

/** Which of the tests that notice are those of the range. */
export function noticing(view: ProveView, noticed: readonly string[]): Noticing {
  const owners = noticed.map((test) => ownerOf(view, test));
  return {
    fresh: new Set(owners.filter((name) => name !== undefined)).size,
    freshTotal: view.prove.tests.length,
    others: owners.filter((name) => name === undefined).length,
  };
}

/** The new or changed test that this is one of. */
function ownerOf({ prove }: ProveView, test: string): string | undefined {
  return prove.tests.find(
    ({ test: name }) =>
      test === name || test.startsWith(`${name}[`) || test.startsWith(`${name}::`),
  )?.test;
}

/** Those of the range first: they are what a reviewer asks about. */
export const freshFirst = (view: ProveView, tests: readonly string[]): readonly string[] =>
  tests.toSorted(
    (a, b) => Number(ownerOf(view, a) === undefined) - Number(ownerOf(view, b) === undefined),
  );

/**
 * Tests that went red beside those that hold it: by the absence of a name alone. They are red
 * when somebody takes it back by hand, so that leaving them out would look like a wrong count.
 */
export function redByName(proof: ProofRecord | null, heldBy: readonly string[]): readonly string[] {
  // Where a test ended the run, what else was red was not asked why.
  if (proof === null || (proof.verdict !== 'pinned' && proof.verdict !== 'broken')) return [];
  const holders = new Set(heldBy);
  return heldBy.length === 0 ? [] : redIn(proof).filter((test) => !holders.has(test));
}

/** `3 more tests fail by a missing name alone`; null: none does. */
export function byNameText(proof: ProofRecord | null, heldBy: readonly string[]): string | null {
  const more = redByName(proof, heldBy).length;
  if (more === 0) return null;
  return `${plural(more, 'more test')} ${more === 1 ? 'fails' : 'fail'} by a missing name alone`;
}

/** `none fails`, `2 of 3 fail`, `3 by name`; new and changed tests while this was taken back. */
export function freshText(
  view: ProveView,
  proof: ProofRecord | null,
  by: readonly string[],
): string {
  const { fresh, freshTotal } = noticing(view, by);
  if (fresh > 0) return `${fresh} of ${freshTotal} ${freshTotal === 1 ? 'fails' : 'fail'}`;
  const byName = noticing(view, redByName(proof, by)).fresh;
  return byName === 0 ? 'none fails' : `${byName} by name`;
}

/** `did not move`, `2 fail`, `2 by name`; tests outside the range while this was taken back. */
export function othersText(
  view: ProveView,
  proof: ProofRecord | null,
  by: readonly string[],
): string {
  const { others } = noticing(view, by);
  if (others > 0) return `${others} ${others === 1 ? 'fails' : 'fail'}`;
  const byName = noticing(view, redByName(proof, by)).others;
  return byName === 0 ? 'did not move' : `${byName} by name`;
}

/** Tests that went red while this was taken back, for whatever reason. */
export const redIn = (proof: ProofRecord | null): readonly string[] =>
  proof === null
    ? []
    : movesOf(proof)
        .filter(({ to }) => isRed(to))
        .map(({ test }) => test);

/** `2 hunks in src/stream.py`, `3 hunks in 2 files`. */
export function countText(changes: readonly ChangeRecord[]): string {
  const files = [...new Set(changes.map(({ file }) => file))];
  const where = files.length === 1 ? (files[0] ?? '') : plural(files.length, 'file');
  return `${plural(changes.length, 'hunk')} in ${where}`;
}

/** Each file with its reason, once; parts of one file may have several. */
export const filesWithWhy = (
  changes: readonly ChangeRecord[],
): readonly Pick<ChangeRecord, 'file' | 'why'>[] => [
  ...new Map(changes.map(({ file, why }) => [JSON.stringify([file, why]), { file, why }])).values(),
];

/** `src/stream.py:14`, or the file alone. */
export const placeOf = ({ file, line }: ChangeRecord): string =>
  line === null ? file : `${file}:${line}`;

/** All places: lines that moved have two. */
export const placesOf = (change: ChangeRecord): string =>
  [placeOf(change), ...(change.others ?? [])].join(' + ');

export const linesText = ({ lines }: ChangeRecord): string => `+${lines.added} -${lines.removed}`;

/** What joins a hunk with others, or keeps it from being measured; null: it stands alone. */
export function joinText(change: ChangeRecord): string | null {
  const { joined, joinedBy, names, status, reason } = change;
  if (status === 'aside')
    return reason === null
      ? `a ${change.why} that no test notices`
      : `a ${change.why}, no evidence: ${reason}`;
  if (status === 'not-measurable') return `no evidence: ${reason ?? 'it was not measured'}`;
  if (joined.length === 0) return null;
  const others = hunkList(joined);
  if (joinedBy === 'redundant')
    return `alone it is not missed; taken back together with ${others} it is`;
  const why = names.length === 0 ? '' : ` (${names.map((name) => `\`${name}\``).join(', ')})`;
  const what = status === 'together' ? ', and nothing notices that' : '';
  return `goes only together with ${others}${why}${what}`;
}

export function hunkList(ids: readonly string[]): string {
  if (ids.length === 1) return `hunk ${ids[0]}`;
  return `hunks ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
}

/** `1 of 2 hunks held, 3 of 3 runs graded` */
export function proveTotals(view: ProveView): string {
  const source = sourceOf(view);
  const { summary } = view.record;
  if (source.length === 0) return 'nothing to prove';
  if (view.prove.arms !== null) {
    const noticed = view.prove.whole?.heldBy.length ?? 0;
    return `${plural(noticed, 'test')} of ${view.prove.arms.fresh} ${noticed === 1 ? 'fails' : 'fail'} on ${view.prove.arms.old}`;
  }
  const held = source.filter(({ status }) => status === 'held').length;
  return `${held} of ${plural(source.length, 'hunk')} held, ${summary.graded} of ${plural(summary.declared, 'run')} graded`;
}

/** What the first row of the table takes back. */
export const wholeText = ({ prove }: ProveView): string =>
  prove.arms === null ? 'the whole fix' : `on the source of ${prove.arms.old}`;

/** Whether the parts have rows of their own. */
export const hasParts = (view: ProveView): boolean =>
  sourceOf(view).length > 1 && view.prove.whole?.state !== 'unheld' && view.prove.arms === null;

/** What was tested: the range, and the tree if it is not plainly its end. */
export function rangeText({ prove, record }: ProveView): string {
  const { text, commits, subject, tested } = prove.range;
  const count = commits === 0 ? '' : `, ${plural(commits, 'commit')}`;
  const tree = record.project.tree === null ? '' : `, tree ${record.project.tree.slice(0, 7)}`;
  const title = subject === null ? '' : `  "${subject}"`;
  const where = tested === 'HEAD' || tested === 'the working tree' ? '' : `; tested: ${tested}`;
  return `${text}${count}${tree}${where}${title}`;
}
