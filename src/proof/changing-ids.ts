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
    const now = free.get(shapeOf(was))?.shift();
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
  return changing.some(({ was }) => shapeOf(was) === shapeOf(test));
}

/** A number that is part of a word (`test_utf8`, `TestB64`) belongs to the name of a test. */
const MADE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![\p{L}\p{N}_])(?:0x[0-9a-f]+|\d+)/giu;

/** What the test can be called at every run, as a selector: a star only where two of them differ. */
export function selectorFor({ was, now }: ChangingId): string {
  if (shapeOf(was) === groupOf(was)) return groupOf(was);
  const [file, name] = partsOf(was);
  const later = partsOf(now)[1].match(MADE) ?? [];
  let at = 0;
  const starred = name.replaceAll(MADE, (made) => (made === later[at++] ? made : '*'));
  return file + starred;
}

/** What all names of one test have in common: without what stands in brackets, or is made. */
function shapeOf(id: string): string {
  const group = groupOf(id);
  if (group !== id) return group;
  const [file, name] = partsOf(id);
  return file + name.replaceAll(MADE, '*');
}

const groupOf = (id: string): string => id.replace(/\[.*\]$/s, '');

/** The file or class, which is written by hand, and the rest. */
function partsOf(id: string): readonly [string, string] {
  const at = id.indexOf('::');
  return at === -1 ? ['', id] : [id.slice(0, at), id.slice(at)];
}

function groupBy(ids: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const key = shapeOf(id);
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return groups;
}
