/** One run phase: each executable in turn, then the doctests; a red one does not keep the next from running. */
import { append } from '../../lists.js';
import type { Breakage, Ending, ExitStatus } from '../../proof/evidence.js';
import type { TestResult } from '../../proof/outcome.js';
import type { LaneRun } from '../lane.js';
import type { ProcessEnd } from '../process.js';
import { selectionEnding } from './collect-step.js';
import { selectionOf, testId, type GroupSelection } from './collect.js';
import { gradeDocTests } from './doctests.js';
import { gradeBinary } from './grade.js';
import type { Graded, GradedTest } from './graded.js';
import { listBinaries, listDocs, type BinaryGroup } from './groups.js';
import { refusalOf } from './refusal.js';
import { sourcePlace } from './source-place.js';
import { commonOf, docRequest, launchOf, type Step } from './step.js';
import type { TestOptions } from './test-options.js';
import { gradeWholeTarget } from './whole-target.js';
import { oneLine } from '../words.js';

/** All but the proof of what was built, which is the build's to give. */
export type ExecutedRun = Omit<LaneRun, 'loads'>;

interface Fold {
  readonly results: TestResult[];
  readonly reached: string[];
  readonly notes: string[];
  readonly ends: ProcessEnd[];
  ending: Ending | null;
  unseen: string | undefined;
  /** Nothing more is started. */
  over: boolean;
}

export async function runStep(step: Step): Promise<ExecutedRun> {
  const { request } = step;
  const { scope, without, onProgress } = request.run;
  // True of the lane, so said once of it.
  const notes =
    request.run.step === 'baseline'
      ? step.options.dropped.map((word) => `\`${word}\` of the lane's \`args\` has no effect here`)
      : [];
  const fold: Fold = {
    results: [],
    reached: [],
    notes,
    ends: [],
    ending: null,
    unseen: undefined,
    over: false,
  };
  const finish = (groups: readonly GroupSelection[], errors: readonly Breakage[]): ExecutedRun => {
    const selection = selectionOf(groups);
    const found = selectionEnding(selection.selected, selection.deselected.length, errors);
    // A narrow run of tests that are all gone is whole.
    const own = scope === 'lane' || errors.length > 0 ? found : ({ kind: 'complete' } as const);
    return {
      ending: fold.ending ?? own,
      exit: exitOf(fold.ends),
      durationMs: step.elapsedMs(),
      results: fold.results,
      selection,
      collectionErrors: errors,
      reached: fold.reached,
      ...(fold.unseen === undefined ? {} : { unseen: fold.unseen }),
      notes: fold.notes,
    };
  };
  const stop = (ending: Ending): ExecutedRun => {
    fold.ending = ending;
    return finish([], []);
  };

  const refused = refusalOf(request);
  if (refused !== null) return stop(refused);
  const listed = await listBinaries(step);
  if (listed === 'cancelled') return stop({ kind: 'cancelled' });
  const { selected, deselected } = selectionOf(listed.binaries);
  onProgress({ kind: 'collected', selected, deselected: deselected.length });

  const asked = scope === 'lane' ? null : new Set(scope);
  const left = new Set(without);
  const isWanted = (id: string): boolean => (asked === null || asked.has(id)) && !left.has(id);
  for (const group of listed.binaries) {
    const wanted = group.selected.filter((name) => isWanted(testId(group.id, name)));
    if (fold.over || wanted.length === 0) continue;
    const graded = await grade(step, group, new Set(wanted), left);
    take(step, fold, group.id, { ...graded, results: inOrder(graded.results, wanted) });
  }

  const groups: GroupSelection[] = [...listed.binaries];
  const errors = [...listed.errors];
  // Only what a filter leaves out is unknown after a run.
  if (asked === null && isFiltered(step.options) && !fold.over) {
    const docs = await listDocs(step);
    if (docs === 'cancelled') return stop({ kind: 'cancelled' });
    append(groups, docs.groups);
    append(errors, docs.errors);
  }
  for (const doc of request.doctests) {
    const wanted = asked === null || [...asked].some((id) => id.startsWith(`${doc.id} `));
    if (fold.over || !wanted) continue;
    const skipped = [...left].find((id) => id.startsWith(`${doc.id} `));
    const skip = skipped?.slice(doc.id.length + 1) ?? null;
    const graded = await gradeDocTests(docRequest(step, doc), step.processes, skip);
    if (!groups.some(({ id }) => id === doc.id)) groups.push(groupOf(doc.id, graded));
    const results = [...graded.results].filter(([name]) => isWanted(testId(doc.id, name)));
    take(step, fold, doc.id, { ...graded, results: new Map(results) });
  }
  return finish(groups, errors);
}

function grade(
  step: Step,
  group: BinaryGroup,
  wanted: ReadonlySet<string>,
  left: ReadonlySet<string>,
): Promise<Graded> {
  const { binary, id, tests } = group;
  const common = { ...commonOf(step), launch: launchOf(step, binary) };
  if (!binary.harness) return gradeWholeTarget({ ...common, binary }, step.processes);
  const listed = tests.map(({ name }) => name);
  const forbidden = new Set(listed.filter((name) => left.has(testId(id, name))));
  const { newLogfile } = step;
  return gradeBinary(
    { ...common, binary: id, listed, wanted, forbidden, newLogfile },
    step.processes,
  );
}

function take({ request }: Step, fold: Fold, group: string, graded: Graded): void {
  for (const [name, result] of graded.results) {
    fold.results.push(toResult(testId(group, name), result, request));
  }
  append(
    fold.reached,
    graded.reached.map((name) => testId(group, name)),
  );
  append(fold.notes, graded.notes.map(oneLine));
  if (graded.end !== null) fold.ends.push(graded.end);
  // A limit outweighs what an earlier executable did: it is why the later ones did not run.
  if (graded.ending !== null && (fold.ending === null || graded.over)) fold.ending = graded.ending;
  fold.unseen ??= graded.unseen;
  fold.over ||= graded.over;
}

function toResult(
  id: string,
  { outcome, message, at, durationMs, broken }: GradedTest,
  folders: Step['request'],
): TestResult {
  return {
    id,
    outcome,
    phase: outcome === 'failed' ? 'call' : null,
    at: at === null ? null : sourcePlace(at, folders),
    message: message === null ? null : oneLine(message),
    durationMs,
    broken: broken === null ? null : oneLine(broken),
  };
}

/** A step that could not begin. */
export const nothingRun = (ending: Ending): ExecutedRun => ({
  ending,
  exit: { code: null, signal: null },
  durationMs: 0,
  results: [],
  selection: selectionOf([]),
  collectionErrors: [],
  reached: [],
  notes: [],
});

const isFiltered = ({ words, skip }: TestOptions): boolean => words.length + skip.length > 0;

/** Outcomes come as tests end; the record keeps them as they are listed. */
function inOrder(
  results: ReadonlyMap<string, GradedTest>,
  names: readonly string[],
): ReadonlyMap<string, GradedTest> {
  const ordered = new Map<string, GradedTest>();
  for (const name of names) {
    const result = results.get(name);
    if (result !== undefined) ordered.set(name, result);
  }
  return ordered;
}

/** Without a filter, all that ran is all that there is. */
function groupOf(id: string, { results }: Graded): GroupSelection {
  const names = [...results.keys()];
  return { id, tests: names.map((name) => ({ name, kind: 'test' })), selected: names };
}

/** Of the first process that did not succeed. */
function exitOf(ends: readonly ProcessEnd[]): ExitStatus {
  const bad = ends.find((end) => end.kind !== 'exited' || end.code !== 0);
  const end = bad ?? ends[0];
  return {
    code: end?.kind === 'exited' ? end.code : null,
    signal: end?.kind === 'signalled' ? end.signal : null,
  };
}
