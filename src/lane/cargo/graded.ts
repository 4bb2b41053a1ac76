/** What is asked of one test executable, and what comes of it. */
import type { Ending } from '../../proof/evidence.js';
import type { LaneProgress, RunRequest } from '../lane.js';
import type { ProcessEnd } from '../process.js';
import type { Launch } from './model.js';
import type { TestOptions } from './test-options.js';

export interface GradedTest {
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'crashed' | 'timeout';
  readonly message: string | null;
  /** As the compiler wrote it. */
  readonly at: { readonly file: string; readonly line: number } | null;
  readonly durationMs: number;
  /** Why it is no evidence: it does not compile. */
  readonly broken: string | null;
}

export interface Graded {
  readonly results: ReadonlyMap<string, GradedTest>;
  /** null: every wanted test has its outcome. */
  readonly ending: Ending | null;
  /** Nothing more may run in this step: a limit, or the run was cancelled. */
  readonly over: boolean;
  /** How the first process ended; null: none was started. */
  readonly end: ProcessEnd | null;
  readonly reached: readonly string[];
  readonly notes: readonly string[];
  /** Why a test that came by the marker need not be in `reached`; absent: each is. */
  readonly unseen?: string;
}

/** What every process of a step is given, whatever it runs. */
export interface ProcessRequest {
  readonly limits: RunRequest['limits'];
  readonly remainingMs: () => number;
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Text of the reach mutation's panic; null: it is not looked for. */
  readonly marker: string | null;
  readonly onProgress: (progress: LaneProgress) => void;
  readonly onProcess: (command: readonly string[], end: ProcessEnd) => void;
}

export interface GradeRequest extends ProcessRequest {
  /** Id of the executable: `jail::stop_behavior`. */
  readonly binary: string;
  readonly launch: Launch;
  /** All names that the executable lists, in its order. */
  readonly listed: readonly string[];
  readonly wanted: ReadonlySet<string>;
  /** Must not run, even where more runs than is wanted. */
  readonly forbidden: ReadonlySet<string>;
  /** A new path in an existing private folder, at each call. */
  readonly newLogfile: () => string;
  readonly options: TestOptions;
}
