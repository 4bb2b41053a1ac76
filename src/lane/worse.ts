/** Which result counts where one test has several: phases, repetitions, cases of one name. */
import type { Outcome, TestResult } from '../proof/outcome.js';

/**
 * The higher one counts where a test has several. `failed` stands above `error`: a test that
 * fails its assertion and then its teardown as well has failed its assertion.
 */
const WEIGHT: { readonly [O in Outcome]: number } = {
  missing: 0,
  passed: 1,
  skipped: 2,
  xfailed: 3,
  xpassed: 4,
  error: 5,
  failed: 6,
  timeout: 7,
  crashed: 8,
};

/** The one that counts; the first of two equal ones, since a later one is mostly its echo. */
export function worse(a: TestResult, b: TestResult): TestResult {
  const worst = WEIGHT[b.outcome] > WEIGHT[a.outcome] ? b : a;
  return {
    ...worst,
    durationMs: Math.max(a.durationMs, b.durationMs),
    broken: worst.broken ?? a.broken ?? b.broken,
  };
}
