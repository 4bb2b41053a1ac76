/** How a run of pytest ended, from its events and from how its process ended. */
import type { Breakage, Ending } from '../../proof/evidence.js';
import type { ProcessEnd } from '../process.js';
import type { StepMode } from './arguments.js';
import { howEnded, stderrOf, stdoutOf } from '../words.js';
import { breakageOf, configWarning, lastWordsOfPytest, usageMessage } from './breakage.js';
import type { Session, Sorted } from './sessions.js';

/** Why we ended the process ourselves. */
export type OwnStop =
  | { readonly kind: 'test-limit'; readonly test: string; readonly limitMs: number }
  /** Every session was over, but the process stayed. */
  | { readonly kind: 'exit-grace'; readonly graceMs: number };

export interface EndingFacts {
  readonly end: ProcessEnd;
  readonly ownStop: OwnStop | null;
  readonly sorted: Sorted;
  readonly selected: readonly string[];
  readonly deselected: number;
  readonly collectionErrors: readonly Breakage[];
  /** Selected tests that have an outcome. */
  readonly hasOutcome: (id: string) => boolean;
  /** Tests that were started and not ended, longest first. */
  readonly running: readonly string[];
  /** The lane's marker expression, to be found again in what pytest says it used. */
  readonly select: string | null;
  readonly command: readonly string[];
  /** `collect`: no outcome is asked for. */
  readonly mode: StepMode;
}

/** pytest's exit codes: https://docs.pytest.org/en/stable/reference/exit-codes.html */
const INTERRUPTED = 2;
const INTERNAL_ERROR = 3;
const USAGE_ERROR = 4;

/**
 * The first that holds. An exit code decides only between explanations, never whether the
 * outcomes are whole: `os._exit(0)` gives 0 with tests unrun, `--cov-fail-under` gives 1 with
 * all of them passed.
 */
export function endingOf(facts: EndingFacts): Ending {
  const { end, ownStop, running } = facts;
  if (end.kind === 'cancelled') return { kind: 'cancelled' };
  if (end.kind === 'not-started') {
    const message = `the lane's command could not be started: ${end.code} ${end.message}`;
    return broken({ stage: 'configure', file: null, line: null, message });
  }
  if (end.kind === 'out-of-memory') {
    return { kind: 'out-of-memory', limitBytes: end.limitBytes, test: running[0] ?? null };
  }
  if (ownStop?.kind === 'test-limit') {
    return { kind: 'timeout', limit: 'test', limitMs: ownStop.limitMs, test: ownStop.test };
  }
  if (facts.sorted.gap !== null) return incomplete(facts, facts.sorted.gap);
  const verdict = sessionsEnding(facts);
  if (end.kind === 'timeout' && verdict.kind !== 'complete' && verdict.kind !== 'empty') {
    return { kind: 'timeout', limit: 'step', limitMs: end.limitMs, test: running[0] ?? null };
  }
  return verdict;
}

function sessionsEnding(facts: EndingFacts): Ending {
  const { sorted } = facts;
  if (sorted.sessions.length === 0) return silentEnding(facts);
  for (const session of sorted.sessions) {
    const refusal = refusalOf(session, facts);
    if (refusal !== null) return broken(refusal);
    if (session.finish === null) return unfinishedEnding(session, facts);
  }
  const codes = new Set(sorted.sessions.map((session) => session.finish?.exit ?? 0));
  if (codes.has(USAGE_ERROR)) return broken(usageBreakage(facts));
  if (codes.has(INTERNAL_ERROR)) return internalEnding(facts);
  if (facts.selected.length === 0) return emptyEnding(facts);
  const whole = facts.mode === 'collect' || facts.selected.every((id) => facts.hasOutcome(id));
  if (whole) return { kind: 'complete' };
  return incomplete(facts, whyUnrun(sorted.sessions));
}

/** No session ever began. */
function silentEnding(facts: EndingFacts): Ending {
  const { sorted, end } = facts;
  if (sorted.configErrors.length > 0) {
    return { kind: 'broken', causes: sorted.configErrors.map((error) => breakageOf(error, null)) };
  }
  const output = textOf(end);
  const refused = end.kind === 'exited' && end.code === USAGE_ERROR;
  if (sorted.spoke || (refused && usageMessage(output) !== null))
    return broken(usageBreakage(facts));
  const warning = configWarning(output);
  if (warning !== null && end.kind === 'exited' && end.code !== 0)
    return broken({ stage: 'configure', file: null, line: null, message: warning });
  const words = lastWordsOfPytest(output);
  return {
    kind: 'no-channel',
    why: `the command ended (${howEnded(end)}) and pytest never loaded our plugin${words === null ? '' : `; it said: ${words}`}`,
    hint: channelHint(facts.command),
  };
}

function channelHint(command: readonly string[]): string {
  if (command.some((word) => /(^|\/)(docker|podman)(-compose)?$/.test(word))) {
    return 'a container hides our plugin: run counterproof inside it, where the lane runs';
  }
  if (command.some((word) => /^-[A-Za-z]*[IE][A-Za-z]*$/.test(word))) {
    return 'python -I and -E ignore PYTHONPATH: start the lane without them';
  }
  return 'take out `-p no:counterproof_pytest`, `python -I` or `-E`, and let PYTHONPATH, PYTEST_PLUGINS and COUNTERPROOF_* through to pytest';
}

/** A session that would run to its end, but not as a test run of this lane. */
function refusalOf(session: Session, { select, mode }: EndingFacts): Breakage | null {
  const { bodiless, markexpr, inifile } = session.configure;
  const refuse = (message: string): Breakage => ({
    stage: 'configure',
    file: inifile,
    line: null,
    message,
  });
  if (bodiless !== null && mode === 'run')
    return refuse(`${bodiless} is in force: no test body runs`);
  if (select !== null && markexpr !== select) {
    return refuse(
      `the lane selects -m ${JSON.stringify(select)}, but -m ${JSON.stringify(markexpr)} is in force: the command or \`args\` has a -m of its own`,
    );
  }
  return null;
}

function unfinishedEnding(session: Session, facts: EndingFacts): Ending {
  const { end, running } = facts;
  // A usage error in `pytest_configure` of another plugin ends pytest before the session.
  if (session.collections.size === 0 && end.kind === 'exited' && end.code === USAGE_ERROR) {
    return broken(usageBreakage(facts));
  }
  const test = running.length === 1 ? (running[0] ?? null) : null;
  // Before the collection nothing but its own words can tell what a hook of a conftest met.
  const words =
    session.collections.size === 0 && end.kind === 'exited' ? lastWordsOfPytest(textOf(end)) : null;
  const said = words === null ? '' : ` before it collected a test; it said: ${words}`;
  return { kind: 'crashed', how: `${howEnded(end)}${said}`, test };
}

function internalEnding(facts: EndingFacts): Ending {
  const errors = facts.sorted.sessions.flatMap((session) => session.internalErrors);
  const began = facts.sorted.sessions.some((session) => session.starts.length > 0);
  const causes =
    facts.collectionErrors.length > 0
      ? facts.collectionErrors
      : errors.map((error) => breakageOf(error, null));
  if (!began && causes.length > 0) return { kind: 'broken', causes };
  const [first] = errors;
  return incomplete(
    facts,
    `pytest had an internal error${first === undefined ? '' : `: ${first.message}`}`,
  );
}

function emptyEnding(facts: EndingFacts): Ending {
  if (facts.collectionErrors.length > 0) return { kind: 'broken', causes: facts.collectionErrors };
  const [interrupt] = facts.sorted.sessions.flatMap((session) => session.interrupts);
  if (interrupt !== undefined)
    return incomplete(facts, `the session was ended: ${interrupt.reason}`);
  const why =
    facts.deselected > 0
      ? `none of ${String(facts.deselected)} collected tests was selected`
      : 'no test was collected';
  return { kind: 'empty', deselected: facts.deselected, why };
}

function whyUnrun(sessions: readonly Session[]): string {
  const [interrupt] = sessions.flatMap((session) => session.interrupts);
  if (interrupt !== undefined) return `the session was ended: ${interrupt.reason}`;
  const reason = sessions
    .map((session) => session.finish?.reason ?? '')
    .find((text) => text !== '');
  if (reason !== undefined) return `the session was ended: ${reason}`;
  return sessions.some((session) => session.finish?.exit === INTERRUPTED)
    ? 'the session was interrupted'
    : 'the session finished, but not every test was run';
}

function incomplete(facts: EndingFacts, why: string): Ending {
  return { kind: 'incomplete', why, without: facts.selected.filter((id) => !facts.hasOutcome(id)) };
}

const broken = (...causes: readonly Breakage[]): Ending => ({ kind: 'broken', causes });

function usageBreakage(facts: EndingFacts): Breakage {
  const output = textOf(facts.end);
  const message =
    usageMessage(output) ?? lastWordsOfPytest(output) ?? 'pytest refused its configuration';
  return { stage: 'configure', file: null, line: null, message };
}

const textOf = (end: ProcessEnd): string => `${stdoutOf(end)}\n${stderrOf(end)}`;
