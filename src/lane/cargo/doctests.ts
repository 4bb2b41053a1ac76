/** The doctests of one package: cargo and rustdoc build, run and judge them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Breakage, Ending } from '../../proof/evidence.js';
import { err, ok, type Result } from '../../result.js';
import type { ProcessEnd } from '../process.js';
import type { Processes } from './attempt.js';
import { cargoWords } from './cargo-words.js';
import type { GroupSelection } from './collect.js';
import { startDocTests, type DocRequest, type DocTests } from './doc-process.js';
import { docPlace, readDocOutput, stableDocNames, type DocVerdict } from './doc-output.js';
import type { Graded, GradedTest } from './graded.js';
import { findHanging, wordsWithout, type Hanging } from './hanging-doctest.js';
import { parseList } from './list.js';
import { panicOf } from './panic.js';
import { sectionsOf } from './printed.js';
import { allWords, isSelected, listWords } from './test-options.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from '../words.js';

/** Names by which the doctests of the package are known in every step. */
export async function listDocTests(
  request: DocRequest,
  processes: Processes,
): Promise<Result<GroupSelection, Breakage | 'cancelled'>> {
  const { id } = request.doc;
  const end = await startDocTests(request, processes, listWords(request.options));
  if (end.kind === 'cancelled') return err('cancelled');
  const listed = parseList(stdoutOf(end));
  if (end.kind !== 'exited' || end.code !== 0 || !listed.ok) {
    const why = listed.ok ? howEnded(end) : listed.error.why;
    const words = lastWords(stderrOf(end));
    const message = `${id} does not list its tests: ${why}${words === null ? '' : `: ${words}`}`;
    return err({ stage: 'collect', file: null, line: null, message });
  }
  const names = stableDocNames(listed.value.map(({ name }) => name));
  return ok({
    id,
    tests: [...names.values()].map((name) => ({ name, kind: 'test' })),
    // The filter is for names as rustdoc has them, with their lines.
    selected: [...names].flatMap(([raw, name]) => (isSelected(raw, request.options) ? [name] : [])),
  });
}

/**
 * All of them, whatever is wanted: rustdoc takes the spaces in a name for gaps between filters,
 * so that few can be asked for alone.
 *
 * @param skip stable name of one that must not be run again, as it hangs; null: none
 */
export async function gradeDocTests(
  request: DocRequest,
  processes: Processes,
  skip: string | null = null,
): Promise<Graded> {
  const { doc, marker } = request;
  const all = allWords(request.options);
  const without = skip === null ? [] : await wordsWithout(skip, request, processes);
  if (without === null) {
    const why = `${doc.id} cannot be run without ${skip}: nothing in its name is its own`;
    const ending = { kind: 'incomplete', why, without: [] } as const;
    return { results: new Map(), ending, over: false, end: null, reached: [], notes: [] };
  }
  const end = await startDocTests(request, processes, [...all, ...without]);
  const { verdicts, gap } = readDocOutput(stdoutOf(end));
  const names = stableDocNames(verdicts.map(({ name }) => name));
  const sections = sectionsOf(stdoutOf(end), new Set(names.keys()));
  const results = new Map<string, GradedTest>();
  const reached: string[] = [];
  const byName = new Map(verdicts.map((verdict) => [verdict.name, verdict]));
  for (const [raw, name] of names) {
    const verdict = byName.get(raw);
    if (verdict === undefined) continue;
    const section = sections.get(verdict.name) ?? '';
    results.set(name, resultOf(verdict, section));
    if (marker !== null && section.includes(marker)) reached.push(name);
    request.onProgress({ kind: 'finished', test: `${doc.id} ${name}`, outcome: verdict.outcome });
  }
  // Of a second one nobody asks: the step is no verdict.
  const hanging =
    end.kind === 'timeout' && skip === null
      ? await findHanging(request, processes, {
          stdout: stdoutOf(end),
          ended: new Set(byName.keys()),
        })
      : null;
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name);
  const unseen = marker === null ? null : await whyUnseen(passed, doc);
  const limited = limitOf(end, request, hanging);
  const ending = limited ?? (gap === null ? null : gapEnding(doc.id, end, gap));
  return {
    results,
    ending,
    over: limited !== null,
    end,
    reached,
    notes: hanging?.notes ?? [],
    ...(unseen === null ? {} : { unseen }),
  };
}

/** rustdoc shows what a doctest printed only if it failed, and these may pass with a panic in them. */
const SWALLOWS = /should_panic|catch_unwind|spawn/;

async function whyUnseen(
  passed: readonly string[],
  { id, workspace }: DocTests,
): Promise<string | null> {
  const files = new Set(passed.map((name) => docPlace(name)?.file ?? ''));
  for (const file of files) {
    const text = await readFile(path.resolve(workspace, file), 'utf8').catch(() => null);
    if (text === null || SWALLOWS.test(text))
      return `a doctest of ${id} may get there and pass, of which rustdoc shows nothing`;
  }
  return null;
}

function resultOf({ name, outcome, reason }: DocVerdict, section: string): GradedTest {
  if (outcome !== 'failed')
    return { outcome, message: reason, at: null, durationMs: 0, broken: null };
  const place = docPlace(name);
  const error = section.split('\n').find((line) => /^error(\[E\d+\])?: /.test(line));
  if (section.split('\n').includes("Couldn't compile the test.")) {
    const why = error ?? 'it does not compile';
    return { outcome, message: why, at: place, durationMs: 0, broken: why };
  }
  const panic = panicOf(section, 'main');
  // Of doctests that were built together the panic names a file that is gone.
  const at = panic.at !== null && panic.at.file === place?.file ? panic.at : place;
  const first = section.split('\n')[0] ?? '';
  return {
    outcome,
    message: panic.at === null && first !== '' ? first : panic.message,
    at,
    durationMs: 0,
    broken: null,
  };
}

function limitOf(
  end: ProcessEnd,
  { doc: { id }, limits }: DocRequest,
  hanging: Hanging | null,
): Ending | null {
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'timeout':
      return {
        kind: 'timeout',
        limit: 'step',
        limitMs: limits.stepMs,
        test: hanging?.test ?? null,
      };
    case 'out-of-memory':
      return { kind: 'out-of-memory', limitBytes: end.limitBytes, test: null };
    case 'not-started': {
      const message = `the doctests of ${id} could not be started: ${end.code} ${end.message}`;
      const cause = { stage: 'configure', file: null, line: null, message } as const;
      return { kind: 'broken', causes: [cause] };
    }
    default:
      return null;
  }
}

/** Cargo builds the library for them first, in the same command. */
function gapEnding(id: string, end: ProcessEnd, gap: string): Ending {
  const errors = stderrOf(end).split(/\r?\n/);
  const first = errors.findIndex((line) => /^error(\[E\d+\])?: /.test(line));
  if (end.kind === 'exited' && end.code !== 0 && /ran no doctests/.test(gap) && first >= 0) {
    const place = /^ *--> (?<file>.+):(?<line>\d+):\d+$/.exec(errors[first + 1] ?? '')?.groups;
    const cause = {
      stage: 'build',
      file: place?.['file'] ?? null,
      line: place === undefined ? null : Number(place['line']),
      // The compiler's error has a place of its own, cargo's has causes.
      message: place === undefined ? (cargoWords(stderrOf(end)) ?? '') : (errors[first] ?? ''),
    } as const;
    return { kind: 'broken', causes: [cause] };
  }
  if (end.kind === 'signalled') {
    return { kind: 'crashed', how: `${howEnded(end)} in the doctests of ${id}`, test: null };
  }
  return { kind: 'incomplete', why: `${id} ended (${howEnded(end)}): ${gap}`, without: [] };
}
