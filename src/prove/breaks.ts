/** Tests that the change breaks: red with it in place, and green when it is taken back. */
import { viewStep } from '../proof/moves.js';
import { isRed } from '../proof/outcome.js';
import type { ProveRecord } from '../record/schema.js';
import type { Measurement } from './finding.js';
import type { Shown } from './test-answers.js';

export type Break = NonNullable<ProveRecord['breaks']>[number];

/** Of these takes; each test once for each take that turns it green. */
export const breaksOf = (shown: readonly Pick<Shown, 'proof' | 'measurement'>[]): Break[] =>
  shown.flatMap(({ proof, measurement }) =>
    brokenIn(measurement).map((test) => ({
      test,
      proof,
      message: messageOf(test, measurement),
    })),
  );

function brokenIn({ evidence, judgement }: Measurement): readonly string[] {
  const { verdict, flipped, also } = judgement;
  // Another copy ran, or equal runs disagree: what moved says nothing of the change.
  if (verdict.code === 'flaky' || verdict.code === 'unsettled') return [];
  if (verdict.code === 'not-loaded' && verdict.problem.kind !== 'unseen') return [];
  const { baseline, mutatedAgain, mutatedOnceMore, mutatedLast } = evidence;
  if (baseline === null) return [];
  const repeats = [mutatedAgain, mutatedOnceMore, mutatedLast]
    .filter((step) => step !== null)
    .map((step) => viewStep(baseline, step));
  return [...flipped, ...also]
    .filter(({ from, to, restored }) => isRedBefore(from) && to === 'passed' && restored === from)
    .filter(({ test }) =>
      repeats.every((step) => (step.resultOf(test)?.outcome ?? 'passed') === 'passed'),
    )
    .map(({ test }) => test);
}

const isRedBefore = (from: Parameters<typeof isRed>[0] | null): boolean =>
  from !== null && isRed(from);

const messageOf = (test: string, { evidence: { baseline } }: Measurement): string | null =>
  baseline?.results.find(({ id }) => id === test)?.message ?? null;

export interface Breaking {
  /** Hunks that the take took back; null: all of it. */
  readonly hunks: readonly string[] | null;
  readonly tests: readonly string[];
}

/** Those of the whole first; a part tells of the tests alone that the whole does not. */
export function breaking(
  breaks: readonly Break[],
  { whole, changes }: Pick<ProveRecord, 'whole' | 'changes'>,
): readonly Breaking[] {
  const testsIn = (proof: string | null): readonly string[] =>
    breaks.filter((each) => each.proof === proof).map(({ test }) => test);
  const ofWhole = whole === null ? [] : testsIn(whole.proof);
  const known = new Set(ofWhole);
  const groups: Breaking[] = ofWhole.length === 0 ? [] : [{ hunks: null, tests: ofWhole }];
  for (const proof of new Set(changes.map((change) => change.proof))) {
    const tests = testsIn(proof).filter((test) => !known.has(test));
    if (tests.length === 0) continue;
    for (const test of tests) known.add(test);
    const hunks = changes.filter((change) => change.proof === proof).map(({ id }) => id);
    groups.push({ hunks, tests });
  }
  return groups;
}
