/** Tests that must not move. They are compared by id, and shown with counts at every step. */
import type { Move, StepView } from './moves.js';
import { countOutcomes } from './outcome.js';
import type { Counts, TestResult } from './outcome.js';
import { isExactId, matchIds, writtenOut } from './select.js';
import type { IdRules } from './select.js';

export interface ControlFinding {
  readonly selector: string;
  readonly lane: string;
  /** Its tests in the baseline, without the expected and the quarantined ones. */
  readonly members: readonly string[];
  /** Before those were taken out; 0: the selector matches nothing. */
  readonly matched: number;
  /** Members that pass in the baseline: without any the control could not move. */
  readonly passing: number;
  readonly moved: readonly Move[];
  /** null: not measured, or not every member was. */
  readonly held: boolean | null;
  /** null: that step was not run, or not for every member. Never copied from another step. */
  readonly counts: {
    readonly baseline: Counts;
    readonly mutated: Counts | null;
    readonly restored: Counts | null;
  };
}

export interface ControlInput {
  readonly selector: string;
  readonly lane: string;
  /** Ids of that lane's baseline. */
  readonly ids: readonly string[];
  readonly options: IdRules;
  /** Expected and quarantined tests: the first must move, the second may. */
  readonly takenOut: ReadonlySet<string>;
  readonly baseline: StepView;
  readonly mutated: StepView | null;
  readonly restored: StepView | null;
}

/** Measures one control in its lane. A test that appears in a group is a move of that group. */
export function measureControl(input: ControlInput): ControlFinding {
  const { selector, lane, ids, options, takenOut, baseline, mutated, restored } = input;
  const matched = matchIds(selector, ids, options);
  const members = matched.filter((id) => !takenOut.has(id));
  const joined = isExactId(selector, ids, options)
    ? new Set<string>()
    : new Set(matchIds(writtenOut(selector, ids, options), appeared(mutated), options));
  const inside = new Set(members);
  const moved = (mutated?.moves ?? []).filter(
    ({ test }) => inside.has(test) || (joined.has(test) && !takenOut.has(test)),
  );
  const before = resultsOf(members, baseline) ?? [];
  const now = mutated === null ? null : resultsOf([...members, ...joined], mutated);
  const after = restored === null ? null : resultsOf(members, restored);
  return {
    selector,
    lane,
    members,
    matched: matched.length,
    passing: before.filter(({ outcome }) => outcome === 'passed').length,
    moved,
    held: moved.length > 0 ? false : now === null ? null : true,
    counts: {
      baseline: count(before),
      mutated: now === null ? null : count(now),
      restored: after === null ? null : count(after),
    },
  };
}

function appeared(step: StepView | null): readonly string[] {
  return (step?.moves ?? []).filter(({ from }) => from === null).map(({ test }) => test);
}

/** Results of all these tests; null where one of them was not run. */
export function resultsOf(
  ids: readonly string[],
  { resultOf }: StepView,
): readonly TestResult[] | null {
  const results = ids.map(resultOf).filter((result) => result !== null);
  return results.length === ids.length ? results : null;
}

export const count = (results: readonly TestResult[]): Counts =>
  countOutcomes(results.map(({ outcome }) => outcome));
