/**
 * One outcome for each test of one executable, also where a test takes the process with it.
 *
 * All tests of an executable share a process, so one that aborts or exits silences the others.
 * Who it was is shown, not guessed: it was in flight when the process ended, and alone it ends
 * the process in the same way. The others are judged by one more run of everything without it,
 * in which they have the company that they had in the baseline: a test that passes only after
 * another one has run cannot come out as failed for having been run by itself.
 */
import type { ProcessEnd } from '../process.js';
import { testArguments } from './arguments.js';
import { attempt, type Attempt, type Processes } from './attempt.js';
import { summaryOf } from './counts.js';
import { explain } from './explain.js';
import { crossChecked, goOn, limitOf, silent, unnamed } from './grade-ending.js';
import { DONE, idOf, type State, type GradeEnd } from './grade-state.js';
import type { Graded, GradeRequest } from './graded.js';
import { announcesTests, sectionsOf } from './printed.js';
import { ignoredWords } from './test-options.js';
import { howEnded, stderrOf, stdoutOf } from '../words.js';

/** Each round runs everything that is left; a mutant that makes more tests abort is `crashed`. */
const MOST_ROUNDS = 30;

export async function gradeBinary(request: GradeRequest, processes: Processes): Promise<Graded> {
  const state: State = {
    request,
    processes,
    results: new Map(),
    culprits: new Set(),
    reached: new Set(),
    notes: new Set(),
    end: null,
    markerOutside: false,
  };
  const verdict = await gradeAll(state);
  if (state.markerOutside && state.reached.size === 0) state.reached.add('<outside a test>');
  return {
    ...verdict,
    end: state.end,
    // More may have run than was asked for.
    results: new Map([...state.results].filter(([name]) => request.wanted.has(name))),
    reached: [...state.reached].toSorted(
      (a, b) => request.listed.indexOf(a) - request.listed.indexOf(b),
    ),
    notes: [...state.notes].map((note) => `${request.binary}: ${note}`),
  };
}

async function gradeAll(state: State): Promise<GradeEnd> {
  const { listed, wanted, forbidden } = state.request;
  for (let round = 1; ; round += 1) {
    const out = new Set([...forbidden, ...state.culprits]);
    const left = new Set([...wanted].filter((name) => !out.has(name)));
    if (left.size === 0) return DONE;
    const { words, runs } = testArguments(listed, left, out);
    const all = await start(state, runs, words);
    absorb(state, all);
    const limited = limitOf(state, all);
    if (limited !== null) return limited;
    const missing = runs.filter((name) => !all.verdicts.has(name));
    if (missing.length === 0) return crossChecked(state, all);
    if (all.verdicts.size === 0 && !announcesTests(stdoutOf(all.end))) return silent(state, all);
    // Nobody died: what has no verdict was not run, or has two.
    if (all.inFlight.length === 0 || summaryOf(all) === 'agrees') {
      const why = `${state.request.binary} ended (${howEnded(all.end)}) without one verdict for every test`;
      const without = missing.map((name) => idOf(state, name));
      return goOn({ kind: 'incomplete', why, without });
    }
    if (round === MOST_ROUNDS) {
      return unnamed(
        all,
        `, in ${String(MOST_ROUNDS)} runs, each without the tests that ended the ones before`,
      );
    }
    const found = await findCulprits(state, all, runs);
    if (found !== null) return found;
  }
}

/** null: at least one test ends the process alone as it ended in the company of all. */
async function findCulprits(
  state: State,
  all: Attempt,
  runs: readonly string[],
): Promise<GradeEnd | null> {
  const guilty = new Map<string, ProcessEnd>();
  for (const name of all.inFlight) {
    const alone = runs.length === 1 ? all : await start(state, [name], ['--exact', name]);
    const limited = limitOf(state, alone);
    if (limited !== null) return limited;
    if (alone.verdicts.has(name) || summaryOf(alone) === 'agrees') continue;
    guilty.set(name, alone.end);
  }
  if (![...guilty.values()].some((end) => sameEnd(end, all.end))) {
    return unnamed(all, '; no test that was running does so alone');
  }
  for (const [name, end] of guilty) blame(state, name, end);
  return null;
}

function blame(state: State, name: string, end: ProcessEnd): void {
  state.culprits.add(name);
  const how = end.kind === 'exited' ? `${howEnded(end)}, no result` : howEnded(end);
  state.results.set(name, {
    outcome: 'crashed',
    message: `the process ended: ${how}`,
    at: null,
    durationMs: end.kind === 'not-started' ? 0 : end.durationMs,
    broken: null,
  });
  const { marker, onProgress } = state.request;
  if (marker !== null && (stdoutOf(end) + stderrOf(end)).includes(marker)) state.reached.add(name);
  onProgress({ kind: 'finished', test: idOf(state, name), outcome: 'crashed' });
}

const sameEnd = (a: ProcessEnd, b: ProcessEnd): boolean =>
  (a.kind === 'exited' && b.kind === 'exited' && a.code === b.code) ||
  (a.kind === 'signalled' && b.kind === 'signalled' && a.signal === b.signal);

async function start(
  state: State,
  runs: readonly string[],
  words: readonly string[],
): Promise<Attempt> {
  const { request, results } = state;
  const { launch, limits, scratch, signal, marker, onProgress, options } = request;
  const tried = await attempt(
    {
      launch,
      names: new Set(request.listed),
      runs,
      // What passing tests printed as well: they may have caught the raise.
      words: [...(marker === null ? [] : ['--show-output']), ...ignoredWords(options), ...words],
      threads: options.threads,
      logfile: request.newLogfile(),
      scratch,
      limits: { ...limits, timeMs: request.remainingMs() },
      signal,
      onStarted: (name) => {
        if (!results.has(name)) onProgress({ kind: 'started', test: idOf(state, name) });
      },
      onFinished: ({ name, outcome }) => {
        if (!results.has(name)) onProgress({ kind: 'finished', test: idOf(state, name), outcome });
      },
    },
    state.processes,
  );
  request.onProcess(tried.command, tried.end);
  state.end ??= tried.end;
  if (marker !== null && stderrOf(tried.end).includes(marker)) state.markerOutside = true;
  for (const { command, pid } of tried.end.kind === 'not-started' ? [] : tried.end.leftovers) {
    state.notes.add(`a process was left over and killed: ${command} (pid ${String(pid)})`);
  }
  return tried;
}

/** The first verdict of a test counts: it was given in the fullest company. */
function absorb(state: State, { end, verdicts }: Attempt): void {
  const { marker, wanted } = state.request;
  const sections = sectionsOf(stdoutOf(end), new Set(verdicts.keys()));
  for (const [name, verdict] of verdicts) {
    const section = sections.get(name) ?? '';
    if (marker !== null && section.includes(marker)) state.reached.add(name);
    const known = state.results.get(name);
    const { outcome, durationMs } = verdict;
    if (known !== undefined && known.outcome !== outcome && wanted.has(name)) {
      state.notes.add(
        `${name} was ${known.outcome}, and ${outcome} in a run without the tests that ended the process`,
      );
    }
    // The sections are printed last of all: who failed before the process died has none yet.
    if (known !== undefined && (known.outcome !== outcome || known.message !== null)) continue;
    const said = explain(name, verdict, section);
    state.results.set(name, {
      outcome,
      durationMs: known?.durationMs ?? durationMs,
      ...said,
      broken: null,
    });
  }
}
