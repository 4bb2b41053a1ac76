/** What one test did in one step. `missing`: collected in the baseline, but gone in this step. */
export const OUTCOMES = [
  'passed',
  'failed',
  'error',
  'skipped',
  'xfailed',
  'xpassed',
  'crashed',
  'timeout',
  'missing',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The part of a test in which an `error` (or a failure) arose. */
export type Phase = 'setup' | 'call' | 'teardown';

/** One test in one step, folded over its phases and subtests: the worst counts. */
export interface TestResult {
  /** Exactly as the lane reports it; for pytest relative to the project's root. */
  readonly id: string;
  readonly outcome: Outcome;
  readonly phase: Phase | null;
  /** `path:line` of the crash, the path relative to the root where it lies in it. */
  readonly at: string | null;
  /** First line of the failure's message, at most 500 characters, control characters removed. */
  readonly message: string | null;
  readonly durationMs: number;
  /** Why this result is no evidence: a SyntaxError of a mutated file, an ImportError naming it. */
  readonly broken: string | null;
}

/** Tests by outcome; outcomes that did not occur are absent. */
export type Counts = { readonly [O in Outcome]?: number };

const RED: ReadonlySet<Outcome> = new Set(['failed', 'error', 'crashed', 'timeout']);

/** Whether a runner that reports honestly would turn red over it. A skip or a vanished test would not. */
export const isRed = (outcome: Outcome): boolean => RED.has(outcome);

/** Counts outcomes, in the order of `OUTCOMES`. */
export function countOutcomes(outcomes: Iterable<Outcome>): Counts {
  const seen = new Map<Outcome, number>();
  for (const outcome of outcomes) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  const counts: { [O in Outcome]?: number } = {};
  for (const outcome of OUTCOMES) {
    const count = seen.get(outcome);
    if (count !== undefined) counts[outcome] = count;
  }
  return counts;
}
