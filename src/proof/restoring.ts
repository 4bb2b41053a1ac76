/** Whether the tests are back where they were, now that the bytes are. */
import type { StepEvidence } from './evidence.js';
import type { StepView } from './moves.js';
import { viewStep } from './moves.js';
import type { Outcome } from './outcome.js';
import { disagreements, isWhole } from './stability.js';
import type { Disagreement } from './stability.js';

/** A test that is not what it was in the baseline, although every byte is back. */
export interface Unsettled {
  readonly test: string;
  readonly baseline: Outcome | null;
  readonly restored: Outcome;
}

export type Restoring =
  | { readonly kind: 'not-run' }
  /** As in the baseline. */
  | { readonly kind: 'settled' }
  /** Differs or did not finish; only a repeat with the whole lane tells why. */
  | { readonly kind: 'to-repeat' }
  /** The narrow run differed, the whole lane is as in the baseline: these tests need others before them. */
  | { readonly kind: 'order-dependent'; readonly tests: readonly string[] }
  /** Two restored runs differ from the baseline in the same way. */
  | { readonly kind: 'unsettled'; readonly tests: readonly Unsettled[] }
  /** Two restored runs disagree with each other, or a repeat alone differs from the baseline. */
  | { readonly kind: 'disagrees'; readonly tests: readonly Disagreement[] };

export interface RestoringInput {
  readonly baseline: StepEvidence;
  readonly restored: StepEvidence | null;
  readonly restoredAgain: StepEvidence | null;
  /** Tests that cannot prove or refute. */
  readonly ignored: ReadonlySet<string>;
  /** Tests that the verdict rests on; the others' disagreements say nothing about this mutation. */
  readonly concerns: (test: string) => boolean;
}

export function compareRestored(input: RestoringInput): Restoring {
  const { baseline, restored, restoredAgain, ignored, concerns } = input;
  if (restored === null) return { kind: 'not-run' };
  const first = differing(baseline, restored, ignored);
  if (first.length === 0 && isWhole(restored)) return { kind: 'settled' };
  if (restoredAgain === null) return { kind: 'to-repeat' };
  const second = differing(baseline, restoredAgain, ignored);
  const again = new Map(second.map((test) => [test.test, test.restored]));
  const twice = first.filter(({ test, restored: outcome }) => again.get(test) === outcome);
  if (twice.length > 0) return { kind: 'unsettled', tests: twice };
  const tests = disagreeing(input, restoredAgain).filter(
    ({ test }) => !ignored.has(test) && concerns(test),
  );
  if (tests.length > 0) return { kind: 'disagrees', tests };
  const orderDependent = restored.scope !== 'lane' && first.length > 0;
  return orderDependent
    ? { kind: 'order-dependent', tests: first.map(({ test }) => test) }
    : { kind: 'settled' };
}

/**
 * A narrow run that differs from a whole one in a test that the whole run gives as in the
 * baseline is order, not chance. Everything else that two equal runs tell differently is chance.
 */
function disagreeing(
  { baseline, restored }: RestoringInput,
  restoredAgain: StepEvidence,
): readonly Disagreement[] {
  if (restored === null) return [];
  const whole = viewStep(baseline, restoredAgain);
  const found = [...disagreements(viewStep(baseline, restored), whole, 'restored runs').values()];
  const before = viewStep(baseline, baseline);
  const unlikeBaseline = whole.moves.map(({ test, from, to }): Disagreement => ({
    test,
    between: 'restored runs',
    outcomes: [from, to],
  }));
  const byChance = found.filter(
    ({ test }) => restored.scope === 'lane' || !isAs(test, before, whole),
  );
  return [...new Map([...unlikeBaseline, ...byChance].map((each) => [each.test, each])).values()];
}

const isAs = (test: string, one: StepView, two: StepView): boolean =>
  one.resultOf(test)?.outcome === two.resultOf(test)?.outcome;

function differing(
  baseline: StepEvidence,
  step: StepEvidence,
  ignored: ReadonlySet<string>,
): readonly Unsettled[] {
  return viewStep(baseline, step)
    .moves.filter(({ test }) => !ignored.has(test))
    .map(({ test, from, to }) => ({ test, baseline: from, restored: to }));
}
