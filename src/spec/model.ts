/** The normalised form of what people write: defaults filled in, positions kept, nothing located yet. */
import type { Outcome } from '../proof/outcome.js';

/** 1-based place in a file that a person wrote. */
export interface Where {
  readonly file: string;
  readonly line: number;
  readonly col: number;
}

export interface Limits {
  /** `auto`: max(60 s, 5 × baseline). */
  readonly stepMs: number | 'auto';
  /** `auto`: max(10 s, 10 × the slowest test of the baseline). */
  readonly testMs: number | 'auto';
  /** Over everything that the step started; sampled, never by rlimit. */
  readonly memoryBytes: number | 'auto';
  /** What is kept of a step's output (head and tail); the rest is counted. */
  readonly outputBytes: number;
}

/** What lanes of every runner have. */
interface LaneBase {
  readonly name: string;
  /** pytest's marker expression (`-m`), cargo's substring filter; null: everything. */
  readonly select: string | null;
  readonly args: readonly string[];
  /** Run after every write; a string goes through `sh -c`. Its failure is `broken`. */
  readonly build: string | readonly string[] | null;
  /** Run once per slot, before the first step. */
  readonly prepare: string | readonly string[] | null;
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the root. */
  readonly cwd: string;
  readonly slots: number | 'auto';
  readonly limits: Limits;
  readonly quarantine: readonly { readonly test: string; readonly because: string }[];
  /** null: made up by detection, no file declares it. */
  readonly where: Where | null;
}

export interface PytestLane extends LaneBase {
  readonly runner: 'pytest';
  readonly paths: readonly string[];
  /** The command that starts the runner, never changed by us; `auto` is detected. */
  readonly command: 'auto' | readonly string[];
  readonly warm: 'auto' | 'off';
}

/** What of a package is built and run: its library's, its binaries' or its integration tests, one of these, or doctests. */
export type CargoTarget = 'lib' | 'bins' | 'tests' | 'doc' | `test:${string}`;

export interface CargoLane extends LaneBase {
  readonly runner: 'cargo';
  /** Names of packages; empty: cargo's own choice for `cwd`. */
  readonly packages: readonly string[];
  /** Empty: lib, bins and tests. */
  readonly targets: readonly CargoTarget[];
  readonly features: readonly string[];
  readonly noDefaultFeatures: boolean;
  readonly allFeatures: boolean;
  /** null: cargo's own for tests. */
  readonly profile: string | null;
  /** As `cargo +NAME` takes it; null: the one that rustup or PATH gives. */
  readonly toolchain: string | null;
  /** The level that rustc's `--cap-lints` is given, for every build of the lane; null: not given. */
  readonly capLints: 'allow' | 'warn' | null;
  /** Whether a `harness = false` target is refused, or is one test that passes by its exit code. */
  readonly harness: 'libtest' | 'exit-code';
}

export interface JunitLane extends LaneBase {
  readonly runner: 'junit';
  /** `{report}` in a word stands for the path of the report. */
  readonly command: readonly string[];
  /** Where the command writes its reports: a path or glob, relative to `cwd`; `{report}`: a private path. */
  readonly report: string;
}

export type LaneConfig = PytestLane | CargoLane | JunitLane;

export interface Defaults {
  readonly lane: string | null;
  readonly isolation: 'auto' | 'overlay' | 'in-place';
  readonly verify: 'moved' | 'full';
}

/** How `prove` splits a range: paths and patterns, relative to the root. */
export interface ProveConfig {
  readonly testPaths: readonly string[];
  readonly sourcePaths: readonly string[];
}

export interface Config {
  /** Absolute path of the file; null: no configuration was found. */
  readonly file: string | null;
  /** At least one: found by detection where none is declared. */
  readonly lanes: readonly LaneConfig[];
  readonly defaults: Defaults;
  readonly prove: ProveConfig;
}

interface EditBase {
  /** Root-relative path as written. */
  readonly file: string;
  /** Lines that narrow the search, outermost first. */
  readonly within: readonly string[];
  readonly where: Where;
}

/** A change that was committed, made backwards or once more; over as many files as it has. */
export interface CommitEdit {
  readonly kind: 'revert' | 'apply';
  /** A commit id or tag, or two of them: `A..B`, what B has since it left A. */
  readonly range: string;
  /** Root-relative files, folders and patterns; one that starts with `!` leaves out. Empty: all. */
  readonly paths: readonly string[];
  /** Empty: all. */
  readonly hunks: readonly HunkName[];
  readonly where: Where;
}

/** One run of changed lines: counted from 1 in its file, or by a line of the file after the commit. */
export type HunkName =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'line'; readonly path: string; readonly line: number };

export type EditSpec = FileEdit | CommitEdit;

export type FileEdit =
  | (EditBase & { readonly kind: 'patch'; readonly patch: string })
  | (EditBase & {
      readonly kind: 'replace';
      readonly find: string;
      readonly with: string;
      readonly count: number;
    })
  | (EditBase & { readonly kind: 'raise' })
  | (EditBase & { readonly kind: 'create'; readonly content: string })
  | (EditBase & { readonly kind: 'delete' })
  | (EditBase & { readonly kind: 'from'; readonly rev: string })
  /** Made in memory, and never written in a spec: a whole file that still is what was read; null: absent. */
  | (EditBase & {
      readonly kind: 'bytes';
      readonly before: Buffer | null;
      readonly after: Buffer | null;
    });

/** One entry of `flips`. A group must flip whole, or as `count` / `min` says. */
export interface FlipExpectation {
  readonly test: string;
  readonly count: number | null;
  readonly min: number | null;
  readonly from: Outcome;
  readonly to: readonly Outcome[];
  /** Source of a regular expression that the failure's first line must match. */
  readonly message: string | null;
  readonly where: Where;
}

export type Flips =
  | { readonly kind: 'tests'; readonly tests: readonly FlipExpectation[] }
  /** At least one test moves. */
  | { readonly kind: 'any' }
  /** An inverted control: nothing may move. */
  | { readonly kind: 'none' };

export interface ControlSpec {
  /** null: the mutation's own lane. */
  readonly lane: string | null;
  readonly tests: string;
  readonly where: Where;
}

export interface Probe {
  /** Root-relative place in which the file stands during every step. */
  readonly path: string;
  readonly content: Buffer;
  readonly where: Where;
}

export interface Acceptance {
  readonly verdict: string;
  readonly because: string;
  /** ISO date after which the acceptance no longer holds; null: for good. */
  readonly until: string | null;
}

export interface MutationSpec {
  readonly id: string;
  /** Root-relative path of the spec file; null: ad hoc, from the command line. */
  readonly spec: string | null;
  readonly why: string | null;
  readonly role: 'mutation' | 'liveness';
  readonly lane: string;
  readonly edits: readonly EditSpec[];
  readonly flips: Flips;
  readonly controls: readonly ControlSpec[];
  readonly exact: boolean;
  readonly probes: readonly Probe[];
  readonly accept: Acceptance | null;
  readonly tags: readonly string[];
  readonly refs: readonly string[];
  readonly owner: string | null;
  readonly where: Where;
}

/** A fault in something a person wrote, with the place and the way out. */
export interface Diagnostic {
  readonly where: Where;
  /** Length of the caret's underline in characters, at least 1. */
  readonly length: number;
  readonly message: string;
  /** `did you mean …?` or what to write instead. */
  readonly hint: string | null;
  /** The offending line's text, without its line break; null where the file has none. */
  readonly sourceLine: string | null;
}
