/** How the grading of one test executable ends: by a limit, whole, or without a verdict for each test. */
import type { Ending } from '../../proof/evidence.js';
import { howEnded, lastWords, oneLine, stderrOf, stdoutOf } from '../words.js';
import type { Attempt } from './attempt.js';
import { countsOf, shownCounts, summaryOf } from './counts.js';
import { DONE, idOf, type State, type GradeEnd } from './grade-state.js';
import { summariesOf } from './printed.js';

export const goOn = (ending: Ending): GradeEnd => ({ ending, over: false });
const stopAll = (ending: Ending): GradeEnd => ({ ending, over: true });

/** What ends the whole step; null: the process ended by itself, or everything was done before. */
export function limitOf(state: State, { end, inFlight, overtime }: Attempt): GradeEnd | null {
  const { limits } = state.request;
  if (end.kind === 'cancelled') return stopAll({ kind: 'cancelled' });
  if (end.kind === 'not-started') {
    const message = `${state.request.binary} could not be started: ${end.code} ${end.message}`;
    const cause = { stage: 'configure', file: null, line: null, message } as const;
    return stopAll({ kind: 'broken', causes: [cause] });
  }
  const [longest] = inFlight;
  if (end.kind === 'out-of-memory') {
    const test = longest === undefined || inFlight.length > 1 ? null : idOf(state, longest);
    return stopAll({ kind: 'out-of-memory', limitBytes: end.limitBytes, test });
  }
  const late = overtime ?? (end.kind === 'timeout' ? longest : undefined);
  if (late === undefined) return null;
  const message = 'ran into the time limit';
  const { durationMs } = end;
  state.results.set(late, { outcome: 'timeout', message, at: null, durationMs, broken: null });
  const limit = overtime === null ? 'step' : 'test';
  const limitMs = overtime === null ? limits.stepMs : limits.testMs;
  return stopAll({ kind: 'timeout', limit, limitMs, test: idOf(state, late) });
}

/** Every test has its verdict: they must be those that libtest counts itself. */
export function crossChecked(state: State, all: Attempt): GradeEnd {
  const { end } = all;
  const counts = countsOf(all);
  const summary = summaryOf(all);
  if (summary === 'differs') {
    const last = summariesOf(stdoutOf(end)).at(-1) ?? counts;
    const why = `${state.request.binary} wrote down ${shownCounts(counts)}, but counts ${shownCounts(last)}`;
    return goOn({ kind: 'incomplete', why, without: [] });
  }
  const expected = counts.failed > 0 ? 101 : 0;
  if (summary === 'absent' || end.kind !== 'exited' || end.code !== expected) {
    state.notes.add(`every test was done, then the process ended: ${howEnded(end)}`);
  }
  return DONE;
}

/** Not one verdict, and not the line with which libtest begins. */
export function silent(state: State, { end }: Attempt): GradeEnd {
  const words = lastWords(stderrOf(end)) ?? lastWords(stdoutOf(end));
  const said = words === null ? '' : `; it said: ${words}`;
  const { binary } = state.request;
  if (!/Unrecognized option/.test(stderrOf(end))) {
    return goOn({
      kind: 'crashed',
      how: `${howEnded(end)} before any test of ${binary}${oneLine(said)}`,
      test: null,
    });
  }
  return goOn({
    kind: 'no-channel',
    why: `${binary} does not take --logfile${said}`,
    hint: 'a test executable with a harness of its own needs `harness: exit-code` in the lane',
  });
}

export const unnamed = (all: Attempt, detail: string): GradeEnd =>
  goOn({ kind: 'crashed', how: `${howEnded(all.end)}${detail}`, test: null });
