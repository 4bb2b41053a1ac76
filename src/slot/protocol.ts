/**
 * What the coordinator may ask of a slot, and what comes back. Everything is plain data or
 * `Buffer` (structured clone, `serialization: 'advanced'`).
 */
import type { Edit } from '../mutation/edit.js';
import type {
  Collection,
  LaneDescription,
  LaneProblem,
  LaneProgress,
  LoadTarget,
} from '../lane/lane.js';
import type { Breakage, Selection, StepEvidence, StepName } from '../proof/evidence.js';
import type { TestResult } from '../proof/outcome.js';
import type { Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import type { AppliedFile, ApplyProblem, RestoreOutcome } from '../workspace/workspace.js';

export interface SlotSetup {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  /** Absolute, inside the tree. */
  readonly root: string;
  /** Identifies the run in journal, lock and the environment of everything it starts. */
  readonly runId: string;
  /** Absolute folder for step logs; exists. */
  readonly logs: string;
  /** Tree-relative files that a dead predecessor wrote: bytecode and builds of them are stale. */
  readonly stale?: readonly string[];
  /** From 0; the environment of all that the slot starts has it as `COUNTERPROOF_SLOT`. */
  readonly slot: number;
  /** How many processes this slot had before; its logs have other names than theirs. */
  readonly generation: number;
  readonly place: SlotPlace;
}

/** Where the edits of a slot land. */
export type SlotPlace =
  | { readonly kind: 'in-place' }
  | {
      readonly kind: 'overlay';
      /** Absolute; the slot's first process has mounted `u0` of it over the tree. */
      readonly layers: string;
    };

export interface LaneSetup {
  readonly lane: LaneConfig;
  /** Interpreter named on the command line; null: the lane's own choice or detection. */
  readonly python: string | null;
}

export interface StepRequest {
  readonly lane: string;
  readonly step: StepName;
  /** Mutation id for logs; null for baseline and closing runs. */
  readonly label: string | null;
  readonly scope: 'lane' | readonly string[];
  readonly without: readonly string[];
  readonly targets: readonly LoadTarget[];
  readonly probes: readonly string[];
  /** As `RunRequest` has it. */
  readonly patch?: string;
  /** As `RunRequest` has it. */
  readonly isCold?: boolean;
  /** No other slot runs anything meanwhile; a lane with a build is built anew for it. */
  readonly isAlone?: boolean;
  /** Mutations that are to be measured in the lane; absent: it is not known. */
  readonly ahead?: number;
  readonly limits: {
    readonly stepMs: number;
    readonly testMs: number;
    readonly memoryBytes: number;
    readonly outputBytes: number;
  };
}

export interface StepAnswer {
  readonly evidence: StepEvidence;
  readonly selection: Selection;
  /** Breakages of the lane's build command, which ran before the step. */
  readonly build: readonly Breakage[];
  /** As `LaneRun` has it. */
  readonly differsWarm?: readonly string[];
}

/** What a lane selects, and how it is run. */
export interface LaneSelection {
  readonly description: LaneDescription;
  readonly collection: Collection;
}

/** Every call of the protocol: its parameters and its answer. */
export interface SlotCalls {
  /** Opens the workspace; once, first. */
  open: { params: SlotSetup; answer: Result<null, string> };
  /**
   * What a lane selects in the tree as it lies: runs no test body, and needs no `open`. Here,
   * because a slot ends what it started when its coordinator is killed.
   */
  collect: {
    params: LaneSetup & Pick<SlotSetup, 'tree' | 'root'> & Pick<StepRequest, 'limits'>;
    answer: Result<LaneSelection, LaneProblem>;
  };
  /** Finds out how a lane is run, and runs its `prepare`. */
  lane: { params: LaneSetup; answer: Result<LaneDescription, LaneProblem> };
  /**
   * The baseline that differences are taken against: one that another slot measured, or null
   * before a lane's untouched tree is measured anew, with other probe files in it.
   */
  adopt: { params: { lane: string; baseline: readonly TestResult[] | null }; answer: null };
  compile: {
    params: { lane: string; sources: readonly { path: string; bytes: Buffer }[] };
    answer: readonly (Breakage | null)[];
  };
  place: {
    params: { files: readonly { path: string; content: Buffer }[] };
    answer: Result<null, ApplyProblem>;
  };
  unplace: { params: null; answer: RestoreOutcome };
  apply: {
    params: { label: string; edits: readonly Edit[] };
    answer: Result<readonly AppliedFile[], ApplyProblem>;
  };
  restore: { params: null; answer: RestoreOutcome };
  /**
   * Tree-relative files that runs wrote over the tree since the last fresh layer. In place none:
   * there the tree itself shows it.
   */
  written: { params: null; answer: readonly string[] };
  /** What is not quite as one may think of the tree, in whole sentences. */
  notes: { params: null; answer: readonly string[] };
  sums: { params: { paths: readonly string[] }; answer: ReadonlyMap<string, string | null> };
  run: { params: StepRequest; answer: StepAnswer };
  /** Restores whatever is in place, edits and probe files; the worse outcome of both. */
  takeBack: { params: null; answer: RestoreOutcome };
  /**
   * Builds anew, in place, what was built of edits that are taken back. The answer: where that
   * did not succeed. A cancel that came before does not keep it from running, one that comes
   * meanwhile and is for `now` ends it.
   */
  rebuild: { params: null; answer: readonly Unbuilt[] };
  /** Takes away what lanes keep beside the tree and ends the worker; after `takeBack`. */
  close: { params: null; answer: null };
}

/** A lane whose build may be of a mutant that is gone. */
export interface Unbuilt {
  readonly lane: string;
  readonly why: string;
}

export type CallName = keyof SlotCalls;

export interface CallMessage<C extends CallName = CallName> {
  readonly kind: 'call';
  readonly id: number;
  readonly call: C;
  readonly params: SlotCalls[C]['params'];
}

/** Ends the running step and those to come. `now`: without the grace that a first one gives. */
export interface CancelMessage {
  readonly kind: 'cancel';
  readonly urgency: 'soon' | 'now';
}

export type ToSlot = CallMessage | CancelMessage;

export type FromSlot =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  /** A bug of ours inside the slot, with its stack. */
  | { readonly kind: 'fault'; readonly id: number; readonly stack: string }
  /** What happened since the last such message: one for each would cost more than many tests do. */
  | { readonly kind: 'progress'; readonly id: number; readonly progress: readonly LaneProgress[] };
