/** What `prove` found, in words that every report shares. Text out of here is not yet made visible. */
import type { ChangeRecord, ProofRecord, ProveRecord, RunRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import type { Face } from './face.js';
import { plural } from './text.js';

export interface ProveView {
  readonly record: RunRecord;
  readonly prove: ProveRecord;
}

export const sourceOf = ({ prove }: ProveView): readonly ChangeRecord[] =>
  prove.changes.filter((change) => change.class === 'source');

export function proofNamed({ record }: ProveView, id: string | null): ProofRecord | null {
  return record.proofs.find((proof) => proof.id === id) ?? null;
}

/** A held range that does not end with 0 is no plain success. */
export function overallFace({ record, prove: { overall, vacuous, breaks } }: ProveView): Face {
  switch (overall) {
    case 'held':
      if (!record.complete) return 'no-evidence';
      if (vacuous.length === 0 && (breaks ?? []).length === 0) return 'pinned';
      return record.exitCode === 0 ? 'accepted' : 'refuted';
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

/** `held`, `partly held`, `held, but not by every new test`. */
export function overallText({ record, prove: { overall, vacuous, breaks } }: ProveView): string {
  if (overall !== 'held') return overall.replaceAll('-', ' ');
  if (!record.complete) return 'held, but the run ended early';
  if ((breaks ?? []).length > 0) return 'held, but it breaks a test';
  return vacuous.length > 0 ? 'held, but not by every new test' : 'held';
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
