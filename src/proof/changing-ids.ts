/** Ids that are made anew at each run: parameters from a clock, a random number, an address. */
import type { LaneSteps, StepEvidence } from './evidence.js';
import { viewStep } from './moves.js';

/** One test under two names, of two runs. */
export interface ChangingId {
  readonly was: string;
  readonly now: string;
}

/**
 * What two runs of one tree call differently. A lane whose ids change can never be as its
 * baseline again, which reads as if the tests had left something behind.
 *
 * @param lost ids that the second run lacks
 * @param found ids that only the second run has
 */
export function pairIds(lost: readonly string[], found: readonly string[]): readonly ChangingId[] {
  const free = groupBy(found);
  return lost.flatMap((was) => {
    const now = free.get(nameOf(was))?.shift();
    return now === undefined ? [] : [{ was, now }];
  });
}

/**
 * Tests that bear another id in each run of the whole lane, by their id in the baseline. A name
 * that comes in two runs was not made anew: there something outside the tree is remembered.
 */
export function changingIds(
  { baseline, mutated, mutatedOnceMore, mutatedLast, restored, restoredAgain }: LaneSteps,
  closing: readonly StepEvidence[],
): readonly ChangingId[] {
  if (baseline === null) return [];
  const all = [mutated, mutatedOnceMore, mutatedLast, restored, restoredAgain, ...closing];
  // The closing run may be the restored one of the last mutations.
  const runs = [...new Set(all)]
    .filter((step) => step !== null)
    .filter(({ scope, ending }) => scope === 'lane' && ending.kind === 'complete')
    .map((step) => viewStep(baseline, step).moves);
  const appeared = runs.map((moves) => moves.filter(({ from }) => from === null));
  const times = new Map<string, number>();
  for (const { test } of appeared.flat()) times.set(test, (times.get(test) ?? 0) + 1);
  const last = runs.findLastIndex((_, index) => (appeared[index]?.length ?? 0) > 0);
  if (appeared.filter((moves) => moves.length > 0).length < 2) return [];
  const lost = (runs[last] ?? []).filter(({ to }) => to === 'missing').map(({ test }) => test);
  const found = (appeared[last] ?? []).map(({ test }) => test);
  return pairIds(
    lost,
    found.filter((test) => times.get(test) === 1),
  );
}

/** Whether this is, under any name, one of the tests whose id changes. */
export function isChanging(test: string, changing: readonly ChangingId[]): boolean {
  return changing.some(({ was }) => nameOf(was) === nameOf(test));
}

const MADE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+/gi;

/**
 * What the test can be called at every run, as a selector: without what stands in brackets, or
 * with a star for each number.
 */
export function nameOf(id: string): string {
  const group = id.replace(/\[.*\]$/s, '');
  return group === id ? id.replaceAll(MADE, '*') : group;
}

function groupBy(ids: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const key = nameOf(id);
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return groups;
}
