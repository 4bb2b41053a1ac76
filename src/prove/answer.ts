/** From what was measured to the answer: overall, for each change, for each test. */
import type { ChangeRecord, FixTestRecord, ProveRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import { type Change, lineOf, otherPlacesOf, pathOf, sizeOf } from './fix.js';
import type { Range } from './range.js';
import { reasonOf } from './joining.js';
import { breaking, type Break } from './breaks.js';
import { ofArms, ofParts, withBreaks, withNewTests } from './overall.js';
import type { State } from './search.js';
import { asideOf } from './set-aside.js';
import type { Holding, Take } from './take-model.js';

export interface AnswerInput {
  readonly range: Range;
  /** Names of two trees that were compared whole; null: a range, taken back part by part. */
  readonly arms: readonly [string, string] | null;
  readonly tested: string;
  readonly changes: readonly Change[];
  readonly state: State;
  readonly tests: readonly FixTestRecord[];
  /** Ids of tests that fail with the fix in place. */
  readonly red: ReadonlySet<string>;
  readonly breaks: readonly Break[];
  /** Name of a take in the record; null: it is not in it. */
  readonly proofOf: (take: Take) => string | null;
  /** Why the run ended early; null: it did not. */
  readonly stopped: string | null;
}

/** New tests that pass without the fix. */
export const vacuousOf = (tests: readonly FixTestRecord[]): readonly FixTestRecord[] =>
  tests.filter(({ kind, withoutFix }) => kind === 'new' && withoutFix === 'passed');

/** New tests that fail with the fix in place, or a row of which does. */
const redOf = (
  tests: readonly FixTestRecord[],
  red: ReadonlySet<string>,
): readonly FixTestRecord[] =>
  tests.filter(
    ({ kind, test, rows }) =>
      kind === 'new' && (red.has(test) || rows.some(({ row }) => red.has(test + row))),
  );

export function answerOf(input: AnswerInput): ProveRecord {
  const { range, tested, changes, state, tests, proofOf } = input;
  const { arms } = input;
  const all = changes.map((change) => changeRecord(change, input));
  const records = arms === null ? all.map(setAside) : all;
  const whole = wholeOf(input);
  const alone = [...state.files.values(), ...(state.support === null ? [] : [state.support])];
  const used = new Set([
    whole?.proof,
    ...records.map(({ proof }) => proof),
    ...alone.map((take) => proofOf(take)),
  ]);
  const breaks = input.breaks.filter(({ proof }) => used.has(proof));
  // Told by what they do without it, which says more.
  const told = new Set(breaks.map(({ test }) => test));
  const red = new Set([...input.red].filter((test) => !told.has(test)));
  const answer = arms === null ? ofParts(records, whole) : ofArms(records, arms, whole);
  const withTests = withNewTests(answer, {
    vacuous: vacuousOf(tests).length,
    red: redOf(tests, red).length,
  });
  return {
    range: { ...range, notes: [...range.notes], tested },
    arms: arms === null ? null : { old: arms[0], fresh: arms[1] },
    ...withBreaks(withTests, breaking(breaks, { whole, changes: [...records] }), arms),
    vacuous: vacuousOf(tests).map(({ test }) => test),
    breaks,
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
      return unknown(reasonOf(finding));
    default:
      return unreachable(finding);
  }
}

/** What no test need notice does not count, unless one does. */
function setAside(record: ChangeRecord): ChangeRecord {
  const { status, why } = record;
  const aside = asideOf(why);
  const isUnread = status === 'not-measurable';
  const isUnnoticed = status === 'unheld' || status === 'skipped';
  // A script that tests run and do not hold is code as any other.
  const isAside =
    (aside === 'version number' && (isUnread || isUnnoticed)) ||
    (aside === 'script of CI' && isUnread);
  return isAside ? { ...record, status: 'aside' } : record;
}

function changeRecord(
  change: Change,
  { state, proofOf, stopped, arms }: AnswerInput,
): ChangeRecord {
  const base = {
    id: change.id,
    file: pathOf(change),
    line: lineOf(change),
    ...(change.class === 'source' && change.parts.length > 1
      ? { others: [...otherPlacesOf(change)] }
      : {}),
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
