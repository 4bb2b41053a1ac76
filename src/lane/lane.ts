/** What the rest of the program knows of a test runner. One folder beside this file for each. */
import type {
  Breakage,
  Ending,
  Executables,
  ExitStatus,
  LoadEvidence,
  Selection,
  StepName,
} from '../proof/evidence.js';
import type { TestResult } from '../proof/outcome.js';
import type { Result } from '../result.js';

/** How a lane will be run, found out before any test is. */
export interface LaneDescription {
  /** The command as it will be run, without our additions: can be pasted. */
  readonly command: readonly string[];
  /** Where the choice came from: `counterproof.yaml`, `pyproject.toml`, `.venv beside the project`. */
  readonly from: string;
  /** `python` → `3.12.3`, `pytest` → `9.0.3`. */
  readonly versions: Readonly<Record<string, string>>;
  /** Absolute path of the interpreter or toolchain, as shown to people. */
  readonly tool: string;
  readonly seeds: Readonly<Record<string, string>>;
}

/** The lane cannot be run at all: no interpreter, no pytest in it, no such command. */
export interface LaneProblem {
  readonly message: string;
  readonly hint: string | null;
}

/** A file whose load is to be proven: the bytes that must have been compiled have this sum. */
export interface LoadTarget {
  /** Tree-relative. */
  readonly path: string;
  /** SHA-256 of the bytes that stand on disk in this step; null: the file is absent. */
  readonly sha256: string | null;
}

export interface RunRequest {
  readonly step: StepName;
  /** `lane`: the whole selection; otherwise exactly these ids, by the same command line. */
  readonly scope: 'lane' | readonly string[];
  /** Ids left out, to grade the rest after one of them ended a step. */
  readonly without: readonly string[];
  readonly targets: readonly LoadTarget[];
  /** Unified diff of the edit that stands in the tree; absent: none does, or it has no text. */
  readonly patch?: string;
  /** The step is to start from nothing that an earlier one has left in memory. */
  readonly isCold?: boolean;
  /**
   * What the lane's tests did in its baseline, for commands that do not say what they select;
   * absent: this is the baseline, or nothing but a collection.
   */
  readonly baseline?: readonly TestResult[];
  /** Root-relative probe files: selected by themselves, whatever the marker expression says. */
  readonly probes: readonly string[];
  readonly limits: {
    readonly stepMs: number;
    readonly testMs: number;
    readonly memoryBytes: number;
    readonly outputBytes: number;
  };
  /**
   * Empty and private to this step; holds TMPDIR, caches and the event stream. Exists. Its path
   * is mostly that of the step before: what remembers it from there is not led astray.
   */
  readonly scratch: string;
  /**
   * For a runner that runs a step twice: an empty scratch, at the same path where that can be,
   * and where isolation allows it the tree as it was when the step began. Absent: it cannot be done.
   */
  readonly renew?: () => Promise<string>;
  /** Mutations that are to be measured in this lane, as far as is known; absent: it is not. */
  readonly ahead?: number;
  /** File for the bounded log (head and tail) of the step's output. */
  readonly log: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LaneProgress) => void;
}

export type LaneProgress =
  | { readonly kind: 'collected'; readonly selected: number; readonly deselected: number }
  | { readonly kind: 'started'; readonly test: string }
  | { readonly kind: 'finished'; readonly test: string; readonly outcome: TestResult['outcome'] };

/** Modules that an import asked for, and none before in the same run. */
export interface Asked {
  /** In which it did; null: before any, while tests were collected. */
  readonly test: string | null;
  readonly names: readonly string[];
}

/** All that one run of a lane left behind, whole: differences are taken by the slot. */
export interface LaneRun {
  readonly ending: Ending;
  readonly exit: ExitStatus;
  readonly durationMs: number;
  /** What was run; absent: what was asked for. */
  readonly scope?: 'lane';
  /** Every selected test that has an outcome. */
  readonly results: readonly TestResult[];
  readonly selection: Selection;
  readonly collectionErrors: readonly Breakage[];
  readonly loads: readonly LoadEvidence[];
  /** Absent: the lane builds none. */
  readonly executables?: Executables;
  /** Of a `reach` step of a lane that builds programs; null: it cannot be read here. */
  readonly image?: string | null;
  /** Of a `reach` step: why a test that passed the raise need not be in `reached`. */
  readonly unseen?: string;
  readonly reached: readonly string[];
  readonly notes: readonly string[];
  /**
   * What the run altered of its own process, as a word each, and the baseline had not: a library
   * that was loaded before it began may have read that. Absent: nothing, or it was loaded after.
   */
  readonly altered?: readonly string[];
  /** Of the modules that were loaded before the run began. Absent: none was, or none asked for. */
  readonly asked?: readonly Asked[];
  /**
   * This run took the place of one in a warm interpreter, which did not tell the same: the tests
   * that differed; empty: something else did. What was measured warm before is in doubt.
   */
  readonly differsWarm?: readonly string[];
}

/** What a lane selects, found out without running a test. */
export interface Collection {
  readonly ending: Ending;
  /** Selected ids, in the order in which they run. */
  readonly ids: readonly string[];
  readonly selection: Selection;
  readonly collectionErrors: readonly Breakage[];
  readonly notes: readonly string[];
}

export interface LaneRunner {
  /** Finds command, interpreter and versions; runs no test. */
  describe(): Promise<Result<LaneDescription, LaneProblem>>;
  /** Runs the lane's `prepare` command; once per slot. */
  prepare(signal: AbortSignal): Promise<Result<void, LaneProblem>>;
  /**
   * Compiles mutants that are not on disk yet, all in one interpreter. The answer has one
   * entry per source, in order: null where it compiles or is none of this runner's languages.
   */
  compile(
    sources: readonly { readonly path: string; readonly bytes: Buffer }[],
  ): Promise<readonly (Breakage | null)[]>;
  /**
   * To be called after every write, restores included, and before the next `build` or `run`:
   * drops stale bytecode of these tree-relative paths.
   */
  written(paths: readonly string[]): Promise<void>;
  /**
   * What `run` does to the tree before it starts anything: drops compiled copies of these
   * tree-relative paths, which a fresh layer brought back. Absent: it does nothing.
   */
  purge?(paths: readonly string[]): void;
  /** Runs the lane's `build` command, where it has one. */
  build(signal: AbortSignal): Promise<readonly Breakage[]>;
  run(request: RunRequest): Promise<LaneRun>;
  /** Collects as `run` would, with the same command line, and runs no test body. */
  collect(request: RunRequest): Promise<Collection>;
  /** Ends whatever waits for the next step; no call may follow. Absent: nothing does. */
  close?(): Promise<void>;
}
