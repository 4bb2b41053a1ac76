/**
 * The vocabulary of evidence: facts that a lane run left behind, before any verdict.
 * Everything here is plain data, crosses the process boundary and goes into the record.
 */
import type { NotApplied } from '../mutation/edit.js';
import type { MutationSpec } from '../spec/model.js';
import type { Counts, TestResult } from './outcome.js';

/** A file or module that could not be compiled, imported or collected. */
export interface Breakage {
  readonly stage: 'compile' | 'import' | 'collect' | 'build' | 'configure';
  /** Root-relative path of the file at fault, where known. */
  readonly file: string | null;
  /** The test file that could not be collected for it, where that is another one. */
  readonly collecting?: string;
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
   * `unwatched`: this runner never shows what it loads.
   */
  readonly proof: 'compiled' | 'rebuilt' | 'cached' | 'none' | 'unwatched';
  /** SHA-256 of the bytes that were compiled, whatever they were. */
  readonly sha256: string | null;
  /** Absolute path of a file from which a module of the same dotted name came instead. */
  readonly elsewhere: string | null;
  /** `test process`, `child process`, `xdist worker`, `jail (lib)`, …; null without proof. */
  readonly by: string | null;
  /** In a phrase, why there is no proof; absent: there is one, or nobody can tell. */
  readonly why?: string;
  /** Tests that may notice an edit of this file, and that the lane does not run; absent: none is known. */
  readonly unrun?: readonly Unrun[];
}

export interface Unrun {
  /** `doctests of jail`, `tests of decoder, tool`. */
  readonly tests: string;
  /** In a phrase: why not, and what runs them. */
  readonly why: string;
}

/**
 * The test executables that a lane has built, by the sums of their bytes: all of them in the
 * baseline, in later steps those that are not what they were in it.
 */
export interface Executables {
  readonly built: number;
  readonly sums: readonly Executable[];
}

export interface Executable {
  readonly id: string;
  readonly sha256: string;
  /** Tree-relative path of its root source file; null: it lies outside of the tree. */
  readonly source: string | null;
}

export type StepName = 'baseline' | 'mutated' | 'restored' | 'reach' | 'closing';

/**
 * One lane run in one tree state. `results` holds every test for the baseline and only the
 * tests that differ from the baseline for every other step: a 2,000-test lane's full map
 * costs 4 ms each way over IPC and would be 2.8 GB at 10,000 mutations. `stepEvidence` makes it.
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
  /**
   * Tests of the scope that have no outcome in this step, although nothing shows that they are
   * gone: left out on purpose, after the one that ended the run, in a file that was not collected.
   */
  readonly notRun: readonly string[];
  /** Files that could not be collected; the run went on without them. */
  readonly collectionErrors: readonly Breakage[];
  readonly loads: readonly LoadEvidence[];
  /** Absent: the lane builds none, or did not get that far. */
  readonly executables?: Executables;
  /**
   * One sum over what all programs of the build load of their files, told of a `reach` step:
   * equal, and no test can tell the builds apart. null: nobody can read it here.
   */
  readonly image?: string | null;
  /** Why a test that passed the raise need not be in `reached`; absent: each is. */
  readonly unseen?: string;
  /** Ids of tests that passed the raise at the head of the edited function, even where it was swallowed. */
  readonly reached: readonly string[];
  /** Remarks that are no verdict: a leaked process, an exit code that disagrees with the reports. */
  readonly notes: readonly string[];
  /** Path of the log, relative to the record; null: none is kept. */
  readonly log: string | null;
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
  /** `path`: ids are `FILE::CLASS::TEST[PARAMETERS]`. `binary`: they are `EXECUTABLE TEST::PATH`. */
  readonly idForm: 'path' | 'binary';
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

/**
 * Through whom a move may have come about that is not the mutation's own. `beside-others`: other
 * slots ran tests at the same time, so what a verdict rests on is measured again alone.
 * `after-others`: other mutations ran since the whole lane was last green, and may have left
 * state outside the tree.
 */
export type Company = 'beside-others' | 'after-others';

/** The steps of one lane under one mutation. A step that has not been run (yet) is null. */
export interface LaneSteps {
  readonly lane: { readonly name: string; readonly select: string | null };
  /** The lane's own run of the untouched tree, shared by all its mutations. */
  readonly baseline: StepEvidence | null;
  /** From the same run; null exactly where `baseline` is. */
  readonly selection: Selection | null;
  /** Further runs of the untouched tree (`--baseline-runs`, other slots): what differs is flaky. */
  readonly otherBaselines: readonly StepEvidence[];
  /** The lane's `quarantine` as written: ids or groups that can neither prove nor refute. */
  readonly quarantined: readonly { readonly test: string; readonly because: string }[];
  /** null: the mutation did not get that far. */
  readonly mutated: StepEvidence | null;
  /** Under which the mutated lane was run; null: nobody but a test itself can have moved it. */
  readonly company: Company | null;
  /** Run where `needsSecondMutatedRuns` asks for it, with the tests that it names; otherwise null. */
  readonly mutatedAgain: StepEvidence | null;
  /**
   * With all tests of the first one, run where `needsMutatedOnceMore` asks for it: the second one
   * was narrow and differed; otherwise null.
   */
  readonly mutatedOnceMore: StepEvidence | null;
  /**
   * The same again, where that one told what the first did: a test that fails in every second
   * run, whatever the tree, does so too. Otherwise null.
   */
  readonly mutatedLast: StepEvidence | null;
  /** Of the ids of `restoredScope`, or the whole lane; may be shared with other mutations. */
  readonly restored: StepEvidence | null;
  /** The whole lane, run where `needsRestoredAgain` asks for it; otherwise null. */
  readonly restoredAgain: StepEvidence | null;
}

/** How the tree came back, as the workspace saw it. */
export type RestoreFacts =
  | { readonly kind: 'restored' }
  /** Somebody wrote into a mutated file: their bytes are kept, the original is back. */
  | {
      readonly kind: 'kept';
      readonly kept: readonly { readonly path: string; readonly keptAs: string }[];
    }
  /**
   * Nothing of ours was in the user's files: an overlay lay over them. Somebody wrote into them
   * meanwhile.
   */
  | { readonly kind: 'changed'; readonly changed: readonly string[] }
  /** `original`: absolute path of the copy that still holds the file as it was. */
  | {
      readonly kind: 'failed';
      readonly path: string;
      readonly why: string;
      readonly original: string;
    };

/** Whether a lane has shown in this run that it can fail. `laneLiveness` derives it from all its proofs. */
export type Liveness =
  /** `by`: what showed it; `flipped`: the test that did. */
  | { readonly kind: 'alive'; readonly by: string; readonly flipped: string }
  /** `by`: the declared liveness mutation that flipped nothing. */
  | { readonly kind: 'dead'; readonly by: string }
  | { readonly kind: 'not-shown' };

/** What the lane's last run of the whole lane found, for the proofs since the last green one. */
export interface ClosingFacts {
  readonly first: StepEvidence;
  /** The repeat of one that was not as the baseline; null: not repeated. */
  readonly again: StepEvidence | null;
}

/** A file that changed while it was measured. In place the tree does not show through whom. */
export interface Touched {
  readonly path: string;
  readonly by: 'lane' | 'somebody' | 'either';
}

/** All that one mutation left behind: the only input of the judgement. */
export interface ProofEvidence extends LaneSteps {
  readonly mutation: MutationSpec;
  /** A liveness mutation that the selection did not name: counts in no total. */
  readonly pulledIn: boolean;
  /**
   * From locating the edits or from `apply`; null: they landed, or it was not tried. A file that
   * is no longer what was located belongs into `touched`.
   */
  readonly notApplied: NotApplied | null;
  /** From locating; empty where it failed. */
  readonly edits: readonly {
    readonly path: string;
    readonly line: number;
    readonly scope: string | null;
  }[];
  /** Unified diff of all edits, as applied; null: nothing was located. */
  readonly patch: string | null;
  /** Probe files that stood in the tree in every step. */
  readonly probes: readonly { readonly path: string; readonly sha256: string }[];
  /** One for each edited file, sums read from disk; empty: nothing was written. */
  readonly files: readonly FileSums[];
  /** From `compile` of the lane's runner, before anything was written; empty: the mutant compiles. */
  readonly compile: readonly Breakage[];
  /** From `written` of the lane's runner: what its build reported, by the step it was to serve. */
  readonly build: readonly {
    readonly step: 'baseline' | 'mutated' | 'restored';
    readonly causes: readonly Breakage[];
  }[];
  /** The mutated lane without the test of `needsRunWithout`; otherwise null. */
  readonly withoutEnder: StepEvidence | null;
  /** The lanes that controls name beside the mutation's own; empty: none. */
  readonly outsideControls: readonly LaneSteps[];
  /** From the coordinator, once the lane ended; null: no closing run, or a proof before the last green one. */
  readonly closing: ClosingFacts | null;
  /** From the workspace, after the mutated steps; null: nothing was written. */
  readonly restore: RestoreFacts | null;
  /** Files that changed while they were measured. */
  readonly touched: readonly Touched[];
  /** From the run that raises at the head of the edited function, where `needsReach` asks for it. */
  readonly reach: Reach | null;
  /** That run itself, for the record. */
  readonly reachStep: StepEvidence | null;
  /** From `laneLiveness`, once every proof of the lane was judged; until then `not-shown`. */
  readonly liveness: Liveness;
  /** A signal or `--fail-fast` ended the run while this proof was under way. */
  readonly interrupted: boolean;
  /** The run ended before more tests were asked, without which these say nothing of the edit. */
  readonly cutShort: boolean;
  /** The slot's process died under this proof, and again when it was tried once more. */
  readonly slotDied: boolean;
  readonly durationMs: number;
}
