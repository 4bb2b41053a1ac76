/** Tests that disagree with themselves between equal runs. They can neither prove nor refute. */
import type { LaneSteps, StepEvidence } from './evidence.js';
import type { StepView } from './moves.js';
import { viewStep } from './moves.js';
import type { Outcome } from './outcome.js';
import { matchIds } from './select.js';

/** Where two equal runs were compared. */
export type Between = 'baselines' | 'mutated runs' | 'restored runs' | 'closing runs';

export interface Disagreement {
  readonly test: string;
  readonly between: Between;
  /** In the order of the runs; null: the test did not exist in that one. */
  readonly outcomes: readonly (Outcome | null)[];
}

/** Quarantined ids of a lane, with the reason that its configuration gives. */
export function quarantinedIds(
  lane: LaneSteps,
  ids: readonly string[],
  idPrefix: string,
): ReadonlyMap<string, string> {
  return new Map(
    lane.quarantined.flatMap(({ test, because }) =>
      matchIds(test, ids, { idPrefix }).map((id) => [id, because] as const),
    ),
  );
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
