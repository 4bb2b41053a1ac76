/** From what was measured to the answer: overall, for each change, for each test. */
import type { ChangeRecord, FixTestRecord, ProveRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import { type Change, lineOf, pathOf, sizeOf } from './fix.js';
import type { Range } from './range.js';
import { reasonOf as whyUnknown } from './joining.js';
import type { State } from './search.js';
import type { Holding, Take } from './take-model.js';

export interface AnswerInput {
  readonly range: Range;
  /** Names of two trees that were compared whole; null: a range, taken back part by part. */
  readonly arms: readonly [string, string] | null;
  readonly tested: string;
  readonly changes: readonly Change[];
  readonly state: State;
  readonly tests: readonly FixTestRecord[];
  /** Name of a take in the record; null: it is not in it. */
  readonly proofOf: (take: Take) => string | null;
  /** Why the run ended early; null: it did not. */
  readonly stopped: string | null;
}

export function answerOf(input: AnswerInput): ProveRecord {
  const { range, tested, changes, state, tests, proofOf } = input;
  const records = changes.map((change) => changeRecord(change, input));
  const whole = wholeOf(input);
  const { arms } = input;
  const overall = arms === null ? overallOf(records, whole) : overallOfArms(records, whole);
  return {
    range: { ...range, notes: [...range.notes], tested },
    arms: arms === null ? null : { old: arms[0], fresh: arms[1] },
    overall,
    reason: arms === null ? reasonOf(overall, records, whole) : armsReason(overall, arms, whole),
    whole,
    changes: records,
    files: [...state.files].flatMap(([file, take]) => {
      const proof = proofOf(take);
      return proof === null ? [] : [{ file, proof }];
    }),
    support: state.support === null ? null : proofOf(state.support),
    tests: [...tests],
  };
}

/** Changes of source, and what is known of them. */
const sourceOf = (records: readonly ChangeRecord[]): readonly ChangeRecord[] =>
  records.filter((record) => record.class === 'source');

function wholeOf({ state, proofOf }: AnswerInput): ProveRecord['whole'] {
  if (state.whole === null) return null;
  const { take, finding } = state.whole;
  const proof = proofOf(take);
  if (proof === null) return null;
  const unknown = (reason: string): ProveRecord['whole'] => ({
    proof,
    state: 'not-measurable',
    heldBy: [],
    reason,
  });
  switch (finding.kind) {
    case 'held': {
      const heldBy = finding.flips.map(({ test }) => test);
      return { proof, state: 'held', heldBy, reason: null };
    }
    case 'unmoved':
      return { proof, state: 'unheld', heldBy: [], reason: finding.reason };
    case 'inseparable':
    case 'gone':
    case 'ended':
    case 'no-evidence':
      return unknown(whyUnknown(finding));
    default:
      return unreachable(finding);
  }
}

/** Two trees are one change: it is held, or not, or cannot be measured. */
function overallOfArms(
  records: readonly ChangeRecord[],
  whole: ProveRecord['whole'],
): ProveRecord['overall'] {
  const source = sourceOf(records);
  if (source.length === 0) return 'nothing-to-prove';
  const isWhole = source.every(({ status }) => status === 'skipped');
  return isWhole && whole !== null ? whole.state : 'not-measurable';
}

function armsReason(
  overall: ProveRecord['overall'],
  [old, fresh]: readonly [string, string],
  whole: ProveRecord['whole'],
): string {
  switch (overall) {
    case 'held':
      return `Tests that pass on ${fresh} fail on ${old}.`;
    case 'unheld':
    case 'partly-held':
      return `No test that passes on ${fresh} fails on ${old}.`;
    case 'nothing-to-prove':
      return `${old} and ${fresh} differ in nothing that a test could notice.`;
    case 'not-measurable':
      return `There is no answer: ${whole?.reason ?? `not all of ${old} could be put in place`}.`;
    default:
      return unreachable(overall);
  }
}

function changeRecord(
  change: Change,
  { state, proofOf, stopped, arms }: AnswerInput,
): ChangeRecord {
  const base = {
    id: change.id,
    file: pathOf(change),
    line: lineOf(change),
    lines: sizeOf(change),
    scope: change.scope,
    class: change.class,
    why: change.why,
    joined: [],
    joinedBy: null,
    names: [],
    proof: null,
    heldBy: [],
    reason: null,
  };
  if (change.class !== 'source') return { ...base, status: 'stays' };
  if (change.obstacle !== null)
    return { ...base, status: 'not-measurable', reason: change.obstacle };
  if (arms !== null) return { ...base, status: 'skipped' };
  const holding = state.changes.get(change.id);
  if (holding === undefined) {
    const why = stopped === null ? 'it was not measured' : `the run ended early: ${stopped}`;
    return { ...base, status: 'not-measurable', reason: why };
  }
  const take = holding.take === null ? null : proofOf(holding.take);
  const isSkipped =
    holding.kind === 'unheld' &&
    state.whole?.finding.kind === 'unmoved' &&
    holding.take.changes.length > 1;
  return {
    ...base,
    proof: take,
    ...held(holding),
    status: isSkipped ? 'skipped' : statusOf(holding),
  };
}

function statusOf(holding: Holding): ChangeRecord['status'] {
  switch (holding.kind) {
    case 'held':
    case 'held-joined':
      return 'held';
    case 'unheld':
      return 'unheld';
    case 'unheld-joined':
      return 'together';
    case 'no-evidence':
      return 'not-measurable';
    default:
      return unreachable(holding);
  }
}

/** Ids of source are numbers. */
const inOrder = (ids: readonly string[]): string[] => ids.toSorted((a, b) => Number(a) - Number(b));

function held(holding: Holding): Partial<ChangeRecord> {
  switch (holding.kind) {
    case 'held':
      return { heldBy: holding.by.map(({ test }) => test) };
    case 'held-joined':
      return {
        heldBy: holding.by.map(({ test }) => test),
        joined: inOrder(holding.with),
        joinedBy: holding.why,
        names: [...holding.names],
      };
    case 'unheld-joined':
      return { joined: inOrder(holding.with), joinedBy: 'name', names: [...holding.names] };
    case 'no-evidence':
      return { reason: holding.reason };
    case 'unheld':
      return {};
    default:
      return unreachable(holding);
  }
}

/** In doubt there is no answer: `held` needs every change held, `unheld` that nothing notices all of it. */
function overallOf(
  records: readonly ChangeRecord[],
  whole: ProveRecord['whole'],
): ProveRecord['overall'] {
  const source = sourceOf(records);
  if (source.length === 0) return 'nothing-to-prove';
  const count = (...statuses: readonly ChangeRecord['status'][]): number =>
    source.filter(({ status }) => statuses.includes(status)).length;
  const unknown = count('not-measurable');
  const missed = count('unheld', 'together', 'skipped');
  if (missed > 0 && (count('held') > 0 || whole?.state === 'held')) return 'partly-held';
  if (unknown > 0) return 'not-measurable';
  return missed > 0 ? 'unheld' : 'held';
}

function reasonOf(
  overall: ProveRecord['overall'],
  records: readonly ChangeRecord[],
  whole: ProveRecord['whole'],
): string {
  const source = sourceOf(records);
  const named = (...statuses: readonly ChangeRecord['status'][]): string =>
    hunks(source.filter(({ status }) => statuses.includes(status)).map(({ id }) => id));
  const missing = named('unheld', 'together');
  const unknown = named('not-measurable');
  const isOne =
    source.filter(({ status }) => status === 'unheld' || status === 'together').length === 1;
  const gone = `Nothing notices when ${missing} ${isOne ? 'is' : 'are'} gone.`;
  const also = unknown === '' ? '' : ` There is no evidence about ${unknown}.`;
  switch (overall) {
    case 'nothing-to-prove':
      return records.some((record) => record.class === 'test')
        ? 'The range changes tests, and no source that they could hold.'
        : 'The range changes no source.';
    case 'held':
      return source.length === 1
        ? 'A test fails without the fix.'
        : `The tests hold ${source.length === 2 ? 'both hunks' : `all ${source.length} hunks`}.`;
    case 'unheld':
      return 'No test fails without the fix.';
    case 'partly-held': {
      const kept = named('held');
      return `${kept === '' ? 'The tests hold the fix as a whole.' : `The tests hold ${kept}.`} ${gone}${also}`;
    }
    case 'not-measurable': {
      const kept = named('held');
      if (kept !== '') return `The tests hold ${kept}.${also}`;
      if (missing !== '') return `${gone}${also}`;
      if (source.length > 1 && whole?.state === 'held')
        return `The tests hold the fix as a whole.${also}`;
      return `There is no answer: ${whole?.reason ?? source[0]?.reason ?? 'nothing was measured'}.`;
    }
    default:
      return unreachable(overall);
  }
}

/** `hunk 1`, `hunks 1 and 3`, `hunks 1, 2 and 5 more`. */
export function hunks(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  if (ids.length === 1) return `hunk ${ids[0]}`;
  const shown = ids.length > 6 ? [...ids.slice(0, 4), `${ids.length - 4} more`] : ids;
  return `hunks ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
