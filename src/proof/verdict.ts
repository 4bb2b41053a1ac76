import type { ChangingId } from './changing-ids.js';
import type { NotApplied } from '../mutation/edit.js';
import type { Breakage, Ending, Liveness, Reach, StepName, Touched, Unrun } from './evidence.js';
import type { UnseenFile } from './loading.js';
import type { Move } from './moves.js';
import type { Counts, Outcome } from './outcome.js';
import type { Unsettled } from './restoring.js';
import type { Disagreement } from './stability.js';

/** The verdicts, in the order in which they are derived: the first whose condition holds stands. */
export const VERDICTS = [
  'not-restored',
  'not-applied',
  'not-selected',
  'baseline-red',
  'broken',
  'timeout',
  'out-of-memory',
  'tree-touched',
  'incomplete',
  'not-loaded',
  'flaky',
  'unsettled',
  'dead-lane',
  'survived',
  'partial',
  'moved-otherwise',
  'caught-elsewhere',
  'control-moved',
  'stale-acceptance',
  'pinned',
] as const;

export type VerdictCode = (typeof VERDICTS)[number];

export type VerdictGroup = 'critical' | 'no-evidence' | 'refuted' | 'proven';

/** The group decides the exit code; see `exit-code.ts`. */
export const GROUP_OF: { readonly [V in VerdictCode]: VerdictGroup } = {
  'not-restored': 'critical',
  'not-applied': 'no-evidence',
  'not-selected': 'no-evidence',
  'baseline-red': 'no-evidence',
  broken: 'no-evidence',
  timeout: 'no-evidence',
  'out-of-memory': 'no-evidence',
  'tree-touched': 'no-evidence',
  incomplete: 'no-evidence',
  'not-loaded': 'no-evidence',
  flaky: 'no-evidence',
  unsettled: 'no-evidence',
  'dead-lane': 'no-evidence',
  survived: 'refuted',
  partial: 'refuted',
  'moved-otherwise': 'refuted',
  'caught-elsewhere': 'refuted',
  'control-moved': 'refuted',
  'stale-acceptance': 'refuted',
  pinned: 'proven',
};

/** Which run a fact comes from. */
export interface RunName {
  readonly lane: string;
  readonly step: StepName;
}

/** Why an id that a person wrote stands for no test that could be judged. */
export type SelectionProblem =
  | { readonly kind: 'lane-empty'; readonly deselected: number; readonly why: string }
  /** The lane knows these tests, but its own filter takes them out. */
  | {
      readonly kind: 'deselected';
      readonly role: 'expected' | 'control';
      readonly selector: string;
      readonly tests: readonly string[];
      readonly select: string | null;
    }
  | {
      readonly kind: 'unknown';
      readonly role: 'expected' | 'control';
      readonly selector: string;
      readonly nearest: readonly string[];
    }
  /** It leaves open which of several executables is meant; what they could be, written out. */
  | {
      readonly kind: 'ambiguous';
      readonly role: 'expected' | 'control';
      readonly selector: string;
      readonly between: readonly string[];
    }
  /** Every test of the control is expected to flip, so none is left that could hold. */
  | { readonly kind: 'nothing-left'; readonly selector: string };

export type RedBaseline =
  | {
      readonly kind: 'expected';
      readonly selector: string;
      readonly from: Outcome;
      readonly tests: readonly {
        readonly test: string;
        readonly outcome: Outcome;
        readonly message: string | null;
      }[];
    }
  | { readonly kind: 'control'; readonly selector: string; readonly counts: Counts };

/** What a step did not tell. */
export type Gap =
  /** The run did not end as one that can be judged. */
  | { readonly kind: 'ending'; readonly ending: Ending }
  /** A run that the verdict needs is not there. */
  | { readonly kind: 'not-run'; readonly why: string }
  /** The run was complete, but has no outcome for these tests. */
  | { readonly kind: 'no-outcome'; readonly tests: readonly string[] };

export type NotLoaded =
  | { readonly kind: 'elsewhere'; readonly path: string; readonly elsewhere: string }
  | {
      readonly kind: 'other-bytes';
      readonly path: string;
      readonly expected: string | null;
      readonly found: string | null;
    }
  /** Nothing shows that the bytes ran. `flipped`: the tests that flipped, but were not seen to repeat. */
  | {
      readonly kind: 'unseen';
      readonly files: readonly UnseenFile[];
      readonly flipped: readonly string[];
      /** Tests that moved from red to passed: something of it is used. */
      readonly turned: readonly string[];
      /** Whether the lane's runner could have shown it: a command that writes a report cannot. */
      readonly watched: boolean;
    };

/** What was found of one mutation, with the facts that it rests on. */
export type Verdict =
  | {
      readonly code: 'not-restored';
      readonly files: readonly { readonly path: string; readonly why: string }[];
      /** Absolute path of the copy that holds the original; null: nothing is known of one. */
      readonly original: string | null;
    }
  | { readonly code: 'not-applied'; readonly problem: NotApplied }
  | {
      readonly code: 'not-selected';
      readonly lane: string;
      readonly problems: readonly SelectionProblem[];
    }
  | {
      readonly code: 'baseline-red';
      readonly lane: string;
      readonly problems: readonly RedBaseline[];
    }
  | {
      readonly code: 'broken';
      readonly run: RunName;
      readonly causes: readonly Breakage[];
      /** Tests that reported it, where they could still be run. */
      readonly tests: readonly { readonly test: string; readonly why: string }[];
    }
  | {
      readonly code: 'timeout';
      readonly run: RunName;
      readonly limit: 'step' | 'test';
      readonly limitMs: number;
      readonly test: string | null;
    }
  | {
      readonly code: 'out-of-memory';
      readonly run: RunName;
      readonly limitBytes: number;
      readonly test: string | null;
    }
  | {
      readonly code: 'tree-touched';
      readonly touched: readonly Touched[];
      readonly kept: readonly { readonly path: string; readonly keptAs: string }[];
    }
  | { readonly code: 'incomplete'; readonly run: RunName; readonly gap: Gap }
  | { readonly code: 'not-loaded'; readonly step: StepName; readonly problem: NotLoaded }
  | {
      readonly code: 'flaky';
      readonly disagreements: readonly Disagreement[];
      /** Expected tests or controls that the lane's configuration sets aside. */
      readonly quarantined: readonly { readonly test: string; readonly because: string }[];
      /** Tests that bear another id in each run. */
      readonly changing: readonly ChangingId[];
    }
  | {
      readonly code: 'unsettled';
      readonly step: 'restored' | 'closing';
      readonly tests: readonly Unsettled[];
      /** Tests that bear another id in each run. */
      readonly changing: readonly ChangingId[];
    }
  | {
      readonly code: 'dead-lane';
      /** The liveness mutation that flipped nothing. */
      readonly by: string;
      /** It is this very proof. */
      readonly own: boolean;
      readonly ran: number;
      readonly reach: Reach | null;
    }
  | {
      readonly code: 'survived';
      /** Tests that were run. */
      readonly ran: number;
      readonly reach: Reach | null;
      readonly liveness: Liveness;
      readonly unrun: readonly Unrun[];
    }
  | {
      readonly code: 'partial';
      readonly flipped: readonly Move[];
      readonly missing: readonly string[];
      readonly otherwise: readonly Move[];
      readonly required: number;
    }
  | {
      readonly code: 'moved-otherwise';
      readonly moves: readonly Move[];
      /** Entries of `flips` of which more tests flipped than their `count` allows. */
      readonly over: readonly {
        readonly selector: string;
        readonly count: number;
        readonly flipped: number;
      }[];
      /** Entries whose `message` did not match, by test. */
      readonly message: readonly { readonly test: string; readonly pattern: string }[];
    }
  | {
      readonly code: 'caught-elsewhere';
      readonly expected: readonly string[];
      readonly moves: readonly Move[];
    }
  | {
      readonly code: 'control-moved';
      readonly why: 'declared' | 'exact' | 'none';
      readonly controls: readonly {
        readonly selector: string;
        readonly lane: string;
        readonly total: number;
        readonly moved: readonly Move[];
      }[];
      /** Tests of no declared control that may not move either. */
      readonly others: readonly Move[];
    }
  | {
      readonly code: 'stale-acceptance';
      readonly accepted: string;
      readonly because: string;
      /** The verdict that was found instead. */
      readonly found: Verdict;
    }
  | {
      readonly code: 'pinned';
      readonly flipped: number;
      readonly held: number;
      readonly total: number;
      readonly controls: number;
      /** The test, where it was one alone. */
      readonly only: string | null;
      /** `none`: nothing moved, as declared. */
      readonly flips: 'tests' | 'any' | 'none';
    };
