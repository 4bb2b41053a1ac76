/**
 * The vocabulary of evidence: facts that a lane run left behind, before any verdict.
 * Everything here is plain data, crosses the process boundary and goes into the record.
 */
import type { Counts, TestResult } from './outcome.js';

/** A file or module that could not be compiled, imported or collected. */
export interface Breakage {
  readonly stage: 'compile' | 'import' | 'collect' | 'build' | 'configure';
  /** Root-relative path of the file at fault, where known. */
  readonly file: string | null;
  readonly line: number | null;
  /** One line, e.g. `SyntaxError: invalid syntax`. */
  readonly message: string;
}

/** How a lane run ended. Anything but `complete` says why its outcomes are no verdict. */
export type Ending =
  | { readonly kind: 'complete' }
  /** Nothing could be run: the runner refused its configuration, or a conftest or build broke. */
  | { readonly kind: 'broken'; readonly causes: readonly Breakage[] }
  /** A limit ended the run; `test` is the one that was running. */
  | {
      readonly kind: 'timeout';
      readonly limit: 'step' | 'test';
      readonly limitMs: number;
      readonly test: string | null;
    }
  | { readonly kind: 'out-of-memory'; readonly limitBytes: number; readonly test: string | null }
  /** The process ended without finishing the session: `exit 0`, `SIGSEGV`, … */
  | { readonly kind: 'crashed'; readonly how: string; readonly test: string | null }
  /** The session finished, but not every collected test has a terminal outcome. */
  | { readonly kind: 'incomplete'; readonly why: string; readonly without: readonly string[] }
  /** The plugin never spoke: `-p no:…`, `python -I`, a wrapper that strips the environment. */
  | { readonly kind: 'no-channel'; readonly why: string; readonly hint: string }
  /** The lane selected no test at all. `deselected` tells a marker that fits nothing from an empty folder. */
  | { readonly kind: 'empty'; readonly deselected: number; readonly why: string }
  | { readonly kind: 'cancelled' };

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What the recorder saw of one edited file in one run. */
export interface LoadEvidence {
  /** Tree-relative path of the edited file. */
  readonly path: string;
  /**
   * `compiled`: a module whose file resolves to it was compiled from the bytes expected in
   * this step and executed. `cached`: executed, but not from bytes that we saw. `none`: neither.
   */
  readonly proof: 'compiled' | 'rebuilt' | 'cached' | 'none';
  /** SHA-256 of the bytes that were compiled, whatever they were. */
  readonly sha256: string | null;
  /** Absolute path of a file from which a module of the same dotted name came instead. */
  readonly elsewhere: string | null;
  /** `test process`, `child process`, `xdist worker`, …; null without proof. */
  readonly by: string | null;
}

export type StepName = 'baseline' | 'mutated' | 'restored' | 'reach' | 'closing';

/**
 * One lane run in one tree state. `results` holds every test for the baseline and only the
 * tests that differ from the baseline for every other step: a 2,000-test lane's full map
 * costs 4 ms each way over IPC and would be 2.8 GB at 10,000 mutations.
 */
export interface StepEvidence {
  readonly step: StepName;
  /** `lane`: the whole selection; otherwise the ids that were run. */
  readonly scope: 'lane' | readonly string[];
  readonly ending: Ending;
  readonly exit: ExitStatus;
  readonly durationMs: number;
  readonly counts: Counts;
  readonly results: readonly TestResult[];
  /** Files that could not be collected; the run went on without them. */
  readonly collectionErrors: readonly Breakage[];
  readonly loads: readonly LoadEvidence[];
  /** Ids of tests that passed the raise at the head of the edited function, even where it was swallowed. */
  readonly reached: readonly string[];
  /** Remarks that are no verdict: a leaked process, an exit code that disagrees with the reports. */
  readonly notes: readonly string[];
}

/** What a lane's baseline knows beyond the step itself. */
export interface Selection {
  readonly collected: number;
  readonly selected: number;
  /** Ids that the lane's filter took out. */
  readonly deselected: readonly string[];
  readonly files: readonly {
    readonly file: string;
    readonly collected: number;
    readonly selected: number;
  }[];
  /** Prefix that makes a rootdir-relative id root-relative (`sub/`), or the empty string. */
  readonly idPrefix: string;
}

/** A file's SHA-256 in each state; null where the file does not exist in it. */
export interface FileSums {
  readonly path: string;
  readonly baseline: string | null;
  readonly mutated: string | null;
  readonly restored: string | null;
}

/** Which tests get to the edit. `unknown`: the edit is at module level, or the raise could not be placed. */
export type Reach =
  | {
      readonly state: 'reached';
      readonly by: readonly string[];
      readonly noticed: readonly string[];
    }
  | { readonly state: 'unreached' }
  | { readonly state: 'unknown'; readonly why: string };
