/** Everything that one run of pytest left behind, folded into what a verdict may rest on. */
import { append } from '../../lists.js';
import type { ExitStatus } from '../../proof/evidence.js';
import type { TestResult } from '../../proof/outcome.js';
import type { Collection, LaneRun, LoadTarget } from '../lane.js';
import type { ProcessEnd } from '../process.js';
import type { StepMode } from './arguments.js';
import { howEnded, oneLine } from '../words.js';
import { collectionErrorsOf } from './breakage.js';
import { endingOf, type OwnStop } from './ending.js';
import type { PytestEvent } from './events.js';
import { foldLoads } from './loads.js';
import { worse } from '../worse.js';
import { endsTest, foldOutcomes } from './outcomes.js';
import { foldSelection } from './selection.js';
import { sortEvents, type Session, type Sorted } from './sessions.js';

export interface RunFacts {
  readonly events: readonly PytestEvent[];
  readonly end: ProcessEnd;
  readonly ownStop: OwnStop | null;
  readonly targets: readonly LoadTarget[];
  readonly stale: ReadonlySet<string>;
  readonly tree: string;
  readonly select: string | null;
  readonly command: readonly string[];
  readonly mode: StepMode;
}

/** Reached before any test ran, or by nothing that could be named. */
export const AT_IMPORT = '<import>';

/** The same events, asked only for what they select. */
export function foldCollection(facts: RunFacts): Collection {
  const sorted = sortEvents(facts.events);
  const { selection, ids } = foldSelection(sorted.sessions);
  const collectionErrors = collectionErrorsOf(sorted.sessions);
  const ending = endingOf({
    ...facts,
    sorted,
    selected: ids,
    deselected: selection.deselected.length,
    collectionErrors,
    hasOutcome: () => false,
    running: [],
  });
  return { ending, ids, selection, collectionErrors, notes: foldRun(facts).notes };
}

export function foldRun(facts: RunFacts): LaneRun {
  const sorted = sortEvents(facts.events);
  const { selection, ids } = foldSelection(sorted.sessions);
  const folded = foldOutcomes(sorted.sessions);
  const results = new Map(folded.results);
  const collectionErrors = collectionErrorsOf(sorted.sessions);
  const running = runningTests(sorted.sessions);
  const ending = endingOf({
    ...facts,
    sorted,
    selected: ids,
    deselected: selection.deselected.length,
    collectionErrors,
    hasOutcome: (id) => results.has(id),
    running,
  });
  if ((ending.kind === 'crashed' || ending.kind === 'timeout') && ending.test !== null) {
    const { test, kind } = ending;
    const message =
      kind === 'crashed' ? `the process ended: ${ending.how}` : 'ran into the time limit';
    mark(results, unfinished(test, kind, message));
  }
  blameChildren(results, facts);
  return {
    ending,
    exit: exitOf(facts.end),
    durationMs: facts.end.kind === 'not-started' ? 0 : facts.end.durationMs,
    results: [...results.values()],
    selection,
    collectionErrors,
    loads: foldLoads({ ...facts, processes: sorted.processes }),
    reached: reachedBy(facts.events),
    ...alteredBy(facts.events),
    ...askedBy(facts.events),
    notes: [
      ...sessionNotes(sorted, facts),
      ...[...folded.reruns].map(
        ([id, times]) => `${id} was run again ${String(times)} times by a plugin`,
      ),
      ...endNotes(
        facts,
        [...results.values()],
        ending.kind === 'complete',
        collectionErrors.length,
      ),
    ],
  };
}

function alteredBy(events: readonly PytestEvent[]): Pick<LaneRun, 'altered'> {
  const altered = events.flatMap((each) => (each.event === 'altered' ? each.what : []));
  return altered.length === 0 ? {} : { altered };
}

function askedBy(events: readonly PytestEvent[]): Pick<LaneRun, 'asked'> {
  const asked = events.filter((each) => each.event === 'asked');
  return asked.length === 0 ? {} : { asked: asked.map(({ test, names }) => ({ test, names })) };
}

/** Started and not ended. Longest first, which is the order in which they started. */
export function runningTests(sessions: readonly Session[]): readonly string[] {
  return sessions.flatMap((session) => {
    const open = new Map<string, number>();
    for (const id of session.starts) open.set(id, (open.get(id) ?? 0) + 1);
    const close = (id: string): void => {
      open.set(id, (open.get(id) ?? 0) - 1);
    };
    for (const end of session.ends) close(end.id);
    for (const report of session.reports) {
      if (endsTest(report)) close(report.id);
    }
    return [...open].filter(([, count]) => count > 0).map(([id]) => id);
  });
}

function unfinished(id: string, outcome: 'crashed' | 'timeout', message: string): TestResult {
  return { id, outcome, phase: null, at: null, message, durationMs: 0, broken: null };
}

function mark(results: Map<string, TestResult>, result: TestResult): void {
  const known = results.get(result.id);
  results.set(result.id, known === undefined ? result : worse(known, result));
}

/** A child process that died of a file that does not compile or import: the test is no evidence. */
function blameChildren(results: Map<string, TestResult>, { events, targets }: RunFacts): void {
  for (const event of events) {
    if (event.event !== 'broken' || event.test === null) continue;
    const known = results.get(event.test);
    if (known === undefined || known.broken !== null) continue;
    if (known.outcome !== 'failed' && known.outcome !== 'error') continue;
    const file = targets[event.target]?.path ?? '?';
    const where = event.line === null ? file : `${file}:${String(event.line)}`;
    results.set(event.test, {
      ...known,
      broken: oneLine(`${where}: ${event.what} (in a child process)`),
    });
  }
}

function reachedBy(events: readonly PytestEvent[]): readonly string[] {
  const tests = events.flatMap((event) =>
    event.event === 'reached' ? [event.test ?? AT_IMPORT] : [],
  );
  return [...new Set(tests)];
}

function sessionNotes(sorted: Sorted, { select }: RunFacts): readonly string[] {
  const notes: string[] = [];
  for (const { configure } of sorted.sessions) {
    append(notes, configure.notes);
    const replaced = configure.projectMarkexpr;
    if (select !== null && replaced !== null && replaced !== select) {
      notes.push(
        `the lane's -m ${JSON.stringify(select)} takes the place of -m ${JSON.stringify(replaced)} in addopts: write \`(${replaced}) and (${select})\` for both`,
      );
    }
  }
  if (sorted.sessions.length > 1) {
    notes.push(
      `the command started ${String(sorted.sessions.length)} pytest sessions: their outcomes are taken together`,
    );
  }
  return notes;
}

function endNotes(
  { end, ownStop, events }: RunFacts,
  results: readonly TestResult[],
  complete: boolean,
  collectionErrors: number,
): readonly string[] {
  if (end.kind === 'not-started') return [];
  const notes: string[] = [];
  if (complete && ownStop?.kind === 'exit-grace') {
    notes.push(
      `the process did not end within ${String(ownStop.graceMs / 1000)} s of its last test and was killed`,
    );
  }
  if (complete && end.kind === 'timeout') {
    notes.push('every test was done, but the process did not end within the time limit');
  }
  if (complete && end.kind === 'signalled') {
    notes.push(`every test was done, then the process ended by ${end.signal}`);
  }
  const red = results.some((one) => ['failed', 'error', 'crashed'].includes(one.outcome));
  const expected = red || collectionErrors > 0 ? 1 : 0;
  if (complete && end.kind === 'exited' && end.code !== expected) {
    notes.push(
      `${howEnded(end)} does not fit the outcomes, which stand: they would give ${String(expected)}`,
    );
  }
  for (const left of end.leftovers) {
    notes.push(
      `a process was left over and killed: ${oneLine(left.command)} (pid ${String(left.pid)})`,
    );
  }
  const lost = events.find((event) => event.event === 'broken' && event.test === null);
  if (lost?.event === 'broken') notes.push(`a child process outside any test died of ${lost.what}`);
  return notes;
}

function exitOf(end: ProcessEnd): ExitStatus {
  return {
    code: end.kind === 'exited' ? end.code : null,
    signal: end.kind === 'signalled' ? end.signal : null,
  };
}
