/** Tests that disagree with themselves between equal runs. They can neither prove nor refute. */
import type { LaneSteps, StepEvidence } from './evidence.js';
import type { Move, StepView } from './moves.js';
import { viewStep } from './moves.js';
import type { Outcome } from './outcome.js';
import { idRules, matchIds } from './select.js';
import { idsOf, resultsById } from './step.js';

/** Where two equal runs were compared. */
export type Between = 'baselines' | 'slots' | 'mutated runs' | 'restored runs' | 'closing runs';

export interface Disagreement {
  readonly test: string;
  readonly between: Between;
  /** In the order of the runs; null: the test did not exist in that one. */
  readonly outcomes: readonly (Outcome | null)[];
}

/**
 * Quarantined ids of a lane, with the reason that its configuration gives.
 *
 * @param ids those of the baseline
 * @param later runs whose tests the baseline may not know: a quarantined group whose ids are
 *   made anew at each run stays in quarantine under every name
 */
export function quarantinedIds(
  { quarantined, selection }: Pick<LaneSteps, 'quarantined' | 'selection'>,
  ids: readonly string[],
  later: readonly (StepEvidence | null)[] = [],
): ReadonlyMap<string, string> {
  if (quarantined.length === 0) return new Map();
  const known = new Set(ids);
  const appeared = later
    .flatMap((step) => step?.results ?? [])
    .map(({ id }) => id)
    .filter((id) => !known.has(id));
  const sets = appeared.length === 0 ? [ids] : [ids, [...ids, ...new Set(appeared)]];
  return new Map(
    quarantined.flatMap(({ test, because }) =>
      sets
        .flatMap((all) => matchIds(test, all, idRules(selection)))
        .map((id) => [id, because] as const),
    ),
  );
}

/** What of a lane says which of its tests count. */
export type MeasuredLane = Pick<
  LaneSteps,
  'baseline' | 'otherBaselines' | 'quarantined' | 'selection'
>;

/**
 * How a run of the untouched tree differs from the baseline, in tests that count. A test that is
 * red in both with another message (an address, a time) is as it was.
 */
export function movesFromBaseline(lane: MeasuredLane, run: StepEvidence): readonly Move[] {
  const { baseline, otherBaselines } = lane;
  if (baseline === null) return [];
  const quarantined = quarantinedIds(lane, idsOf(baseline), [run]);
  const flaky = baselineDisagreements(baseline, otherBaselines);
  return viewStep(baseline, run).moves.filter(
    ({ test }) => !quarantined.has(test) && !flaky.has(test),
  );
}

/** Whether a run is to its end, with an outcome for every test of its scope. */
export const isWhole = ({ ending, notRun }: StepEvidence): boolean =>
  ending.kind === 'complete' && notRun.length === 0;

/** Whether a run of the whole lane closes what was measured before it. */
export const isAsBaseline = (lane: MeasuredLane, run: StepEvidence): boolean =>
  isWhole(run) && movesFromBaseline(lane, run).length === 0;

/**
 * Tests that two whole baselines tell differently, or that only one of them knows: measured at
 * the same time in two slots, they are in each other's way.
 */
export function baselinesDiffer(one: StepEvidence, other: StepEvidence): readonly Disagreement[] {
  const mine = resultsById(one.results);
  const theirs = resultsById(other.results);
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((test): Disagreement[] => {
    const outcomes = [mine.get(test)?.outcome ?? null, theirs.get(test)?.outcome ?? null];
    return outcomes[0] === outcomes[1] ? [] : [{ test, between: 'slots', outcomes }];
  });
}

/** Tests whose outcome differs between runs of the untouched tree. */
export function baselineDisagreements(
  baseline: StepEvidence,
  others: readonly StepEvidence[],
): ReadonlyMap<string, Disagreement> {
  const moves = others.flatMap((other) => viewStep(baseline, other).moves);
  return new Map(
    moves.map(({ test, from, to }) => [test, { test, between: 'baselines', outcomes: [from, to] }]),
  );
}

/**
 * Tests whose outcome differs between two runs of one tree, among those that both ran.
 * Only tests that moved in one of them can differ, as all others are as in the baseline.
 */
export function disagreements(
  first: StepView,
  second: StepView,
  between: Between,
): ReadonlyMap<string, Disagreement> {
  const candidates = new Set([...first.moves, ...second.moves].map(({ test }) => test));
  const found = new Map<string, Disagreement>();
  for (const test of candidates) {
    const one = outcomeOf(first, test);
    const two = outcomeOf(second, test);
    if (one === null || two === null || one === two) continue;
    const outcomes = [one, two].map((outcome) => (outcome === 'missing' ? null : outcome));
    found.set(test, { test, between, outcomes });
  }
  return found;
}

/** A test that appeared in the other step alone is missing in this one; one not run is unknown. */
function outcomeOf(step: StepView, test: string): Outcome | null {
  if (step.notRun.has(test)) return null;
  return step.resultOf(test)?.outcome ?? (step.whole ? 'missing' : null);
}
