/** Everything that one run of the command left behind, folded into what a verdict may rest on. */
import type { ExitStatus, LoadEvidence, Selection, StepName } from '../../proof/evidence.js';
import { countOutcomes, isRed, type TestResult } from '../../proof/outcome.js';
import type { Collection, LaneRun, LoadTarget } from '../lane.js';
import type { ProcessEnd } from '../process.js';
import { howEnded, oneLine } from '../words.js';
import { endingOf, type ReportFacts } from './ending.js';
import { groupOf, type Gathered } from './gather.js';

export interface RunFacts {
  readonly end: ProcessEnd;
  readonly step: StepName;
  readonly reports: ReportFacts;
  readonly gathered: Gathered;
  /** Characters in the reports that XML forbids. */
  readonly oddities: number;
  readonly targets: readonly LoadTarget[];
  readonly known: readonly string[] | null;
}

export function foldRun(facts: RunFacts): LaneRun {
  const { end, gathered, targets } = facts;
  const ending = endingOf(facts);
  const failed = end.kind === 'exited' && end.code !== 0;
  const results = [...gathered.results.values()].filter(
    ({ id }) => !failed || !gathered.listed.has(id),
  );
  return {
    ending,
    exit: exitOf(end),
    durationMs: end.kind === 'not-started' ? 0 : end.durationMs,
    scope: 'lane',
    results,
    selection: selectionOf(results),
    collectionErrors: gathered.collectionErrors,
    loads: targets.map(unwatched),
    reached: [],
    notes: notesOf(facts, results),
  };
}

/** A command cannot be asked for its tests: they are those of a run. */
export function foldCollection(facts: RunFacts): Collection {
  const { ending, results, selection, collectionErrors, notes } = foldRun(facts);
  const ran = 'a junit lane cannot list its tests without running them: they were run';
  return {
    ending,
    ids: results.map(({ id }) => id),
    selection,
    collectionErrors,
    notes: [ran, ...notes],
  };
}

const unwatched = ({ path }: LoadTarget): LoadEvidence => ({
  path,
  proof: 'unwatched',
  sha256: null,
  elsewhere: null,
  by: null,
});

/** What a command leaves out it does not name, so all that it names is selected. */
function selectionOf(results: readonly TestResult[]): Selection {
  const files = new Map<string, number>();
  for (const { id } of results) files.set(groupOf(id), (files.get(groupOf(id)) ?? 0) + 1);
  return {
    collected: results.length,
    selected: results.length,
    deselected: [],
    files: [...files].map(([file, count]) => ({ file, collected: count, selected: count })),
    idPrefix: '',
    idForm: 'path',
  };
}

function notesOf(
  { end, reports, gathered, oddities }: RunFacts,
  results: readonly TestResult[],
): readonly string[] {
  if (end.kind === 'not-started') return [];
  const notes: string[] = [];
  const { repeated, flaky } = gathered;
  const [twice] = repeated;
  if (twice !== undefined) {
    const [id, times] = twice;
    notes.push(
      `${id}${andMore(repeated.size)}: ${times} test cases of one name, of which the worst counts`,
    );
  }
  if (flaky.length > 0)
    notes.push(`${flaky[0]}${andMore(flaky.length)}: passed only when it was run again`);
  if (reports.read.length > 0 && reports.stale.length > 0)
    notes.push(
      `not read, as older than this run: ${reports.stale[0]}${andMore(reports.stale.length)}`,
    );
  if (oddities > 0) notes.push('characters that XML does not allow were passed over in a report');
  const red = countOutcomes(results.map(({ outcome }) => outcome).filter(isRed));
  const isQuiet = end.kind === 'exited' && end.code === 0;
  if (isQuiet && Object.keys(red).length > 0)
    notes.push(`${howEnded(end)} does not fit the outcomes, which stand: a test failed`);
  for (const { command, pid } of end.leftovers)
    notes.push(`a process was left over and killed: ${oneLine(command)} (pid ${pid})`);
  return notes;
}

const andMore = (count: number): string => (count > 1 ? ` and ${count - 1} more` : '');

function exitOf(end: ProcessEnd): ExitStatus {
  return {
    code: end.kind === 'exited' ? end.code : null,
    signal: end.kind === 'signalled' ? end.signal : null,
  };
}
