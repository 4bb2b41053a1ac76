/** The exit codes of `run`, `try` and `prove`, and which of them wins when several apply. */
import { unreachable } from '../result.js';
import type { VerdictCode, VerdictGroup } from './verdict.js';

export const EXIT = {
  /** All pinned or accepted. */
  proven: 0,
  /** Something was refuted. */
  refuted: 1,
  /** A usage or spec error; nothing was run. */
  usage: 2,
  /** Nothing was refuted, but some verdict has no evidence, or less was graded than declared. */
  noEvidence: 3,
  /** A file of the user's is not what it was. */
  notRestored: 4,
  /** Nothing to prove: an empty selection or shard. */
  nothing: 5,
  /** A bug of ours, or a run of which no record could be kept. */
  internal: 70,
  interrupted: 130,
  /** Ctrl-\ at the terminal. */
  quit: 131,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const ENDINGS = ['SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** A signal by which a run is ended in good order. */
export type Ending = (typeof ENDINGS)[number];

/** A terminal that goes away (SIGHUP) ends a run as SIGTERM does. */
export const endingOf = (signal: NodeJS.Signals): Ending =>
  ENDINGS.find((ending) => ending === signal) ?? 'SIGTERM';

const CODE_OF = {
  SIGINT: EXIT.interrupted,
  SIGQUIT: EXIT.quit,
  SIGTERM: EXIT.terminated,
} as const satisfies { readonly [S in Ending]: number };

/** 128 and the number of the signal. */
export const codeOfEnding = (ending: Ending): ExitCode => CODE_OF[ending];

/** The signal that an exit code tells of; null: it tells of none. */
export const endingIn = (code: number): Ending | null =>
  ENDINGS.find((ending) => CODE_OF[ending] === code) ?? null;

/** A proof as far as the exit code asks for it; a `ProofRecord` is one. */
export interface ProofOutcome {
  readonly verdict: VerdictCode;
  readonly group: VerdictGroup;
  /** null: the spec accepts nothing, or its acceptance did not take effect. */
  readonly accepted: object | null;
  /** A liveness mutation that nobody selected: it counts only where the tree did not come back. */
  readonly pulledIn: boolean;
}

export interface RunOutcome {
  readonly signal: Ending | null;
  /** How many mutations the selection named. */
  readonly declared: number;
  readonly proofs: readonly ProofOutcome[];
  /** Verdicts that `--allow` names. Never `not-restored`, and never a run in which nothing was graded. */
  readonly allow: readonly VerdictCode[];
}

/** What `prove` came to, as far as the exit code asks for it. */
export interface ProveOutcome extends Pick<RunOutcome, 'signal' | 'proofs'> {
  readonly overall: 'held' | 'partly-held' | 'unheld' | 'not-measurable' | 'nothing-to-prove';
  /** New tests that pass without the fix. */
  readonly vacuous: number;
  readonly allowUnheld: boolean;
}

/** Held, and no new test is vacuous: 0. `--allow-unheld` lets pass what was measured, never what was not. */
export function proveExitCode(outcome: ProveOutcome): ExitCode {
  const { overall, vacuous, allowUnheld } = outcome;
  const first = exitCode({ ...outcome, declared: 0, allow: [], proofs: critical(outcome.proofs) });
  if (first !== EXIT.nothing) return first;
  switch (overall) {
    case 'nothing-to-prove':
      return EXIT.nothing;
    case 'not-measurable':
      return EXIT.noEvidence;
    case 'partly-held':
    case 'unheld':
      return allowUnheld ? EXIT.proven : EXIT.refuted;
    case 'held':
      return vacuous === 0 || allowUnheld ? EXIT.proven : EXIT.refuted;
    default:
      return unreachable(overall);
  }
}

const critical = (proofs: readonly ProofOutcome[]): readonly ProofOutcome[] =>
  proofs.filter(({ group }) => group === 'critical');

/**
 * 4, 130, 131 or 143, 1, 3, 5, 0: the first that applies. A bug of ours (70) and a command line that
 * cannot be meant (2) end a command before it has anything to grade.
 */
export function exitCode(run: RunOutcome): ExitCode {
  const { proofs, declared, signal } = run;
  const own = proofs.filter(({ pulledIn }) => !pulledIn);
  const counted = own.filter(
    ({ verdict, accepted }) => accepted === null && !run.allow.includes(verdict),
  );
  if (proofs.some(({ group }) => group === 'critical')) return EXIT.notRestored;
  if (signal !== null) return codeOfEnding(signal);
  if (counted.some(({ group }) => group === 'refuted')) return EXIT.refuted;
  const graded = own.filter(({ group }) => group === 'refuted' || group === 'proven').length;
  const missing = own.length < declared || (declared > 0 && graded === 0);
  if (missing || counted.some(({ group }) => group === 'no-evidence')) return EXIT.noEvidence;
  return declared === 0 ? EXIT.nothing : EXIT.proven;
}
