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
  /** The id as DESIGN writes it; for pytest relative to the project's root. */
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
