/** From all that a lane run left behind to what a step keeps: the differences from the baseline. */
import type {
  Breakage,
  Ending,
  Executables,
  ExitStatus,
  LoadEvidence,
  StepEvidence,
  StepName,
} from './evidence.js';
import { countOutcomes } from './outcome.js';
import type { TestResult } from './outcome.js';

/** A lane run with the results of every test that has one. */
export interface WholeRun {
  readonly ending: Ending;
  readonly exit: ExitStatus;
  readonly durationMs: number;
  readonly results: readonly TestResult[];
  readonly collectionErrors: readonly Breakage[];
  readonly loads: readonly LoadEvidence[];
  readonly executables?: Executables;
  readonly image?: string | null;
  readonly unseen?: string;
  readonly reached: readonly string[];
  readonly notes: readonly string[];
}

export interface StepInput {
  readonly step: StepName;
  readonly scope: StepEvidence['scope'];
  /** Ids that were left out on purpose. */
  readonly without: readonly string[];
  readonly run: WholeRun;
  /** All results of the baseline; null: this is the baseline. */
  readonly baseline: readonly TestResult[] | null;
  readonly log: string | null;
}

/**
 * A test of the scope without an outcome is `missing` where the run was complete and its file
 * was collected: then it is gone. Otherwise nothing is known of it, and it goes into `notRun`.
 */
export function stepEvidence({
  step,
  scope,
  without,
  run,
  baseline,
  log,
}: StepInput): StepEvidence {
  const kept = {
    step,
    scope,
    ending: run.ending,
    exit: run.exit,
    durationMs: run.durationMs,
    collectionErrors: run.collectionErrors,
    loads: run.loads,
    ...(run.executables === undefined ? {} : { executables: run.executables }),
    ...(run.image === undefined ? {} : { image: run.image }),
    ...(run.unseen === undefined ? {} : { unseen: run.unseen }),
    reached: run.reached,
    notes: run.notes,
    log,
  };
  if (baseline === null) {
    const counts = countOutcomes(run.results.map(({ outcome }) => outcome));
    return { ...kept, counts, results: run.results, notRun: [] };
  }
  const before = resultsById(baseline);
  const seen = new Set(run.results.map(({ id }) => id));
  const left = new Set(without);
  const absent = (scope === 'lane' ? [...before.keys()] : scope).filter((id) => !seen.has(id));
  const notRun: string[] = [];
  const missing: TestResult[] = [];
  for (const id of absent) {
    const uncollected = run.collectionErrors.some((error) => hides(error, id));
    if (run.ending.kind !== 'complete' || left.has(id) || uncollected) notRun.push(id);
    else if (before.has(id)) missing.push(missingResult(id));
  }
  const differing = run.results.filter((result) => differs(before.get(result.id), result));
  return {
    ...kept,
    counts: countOutcomes([...run.results, ...missing].map(({ outcome }) => outcome)),
    results: [...differing, ...missing],
    notRun,
  };
}

/** A step that ran no test: it says how it ended, and has no outcome of any test. */
export const emptyStep = (
  step: StepName,
  scope: StepEvidence['scope'],
  ending: Ending,
  durationMs: number,
): StepEvidence => ({
  step,
  scope,
  ending,
  exit: { code: null, signal: null },
  durationMs,
  counts: {},
  results: [],
  notRun: [],
  collectionErrors: [],
  loads: [],
  reached: [],
  notes: [],
  log: null,
});

const maps = new WeakMap<readonly TestResult[], ReadonlyMap<string, TestResult>>();

/** By id, built once for each array: a baseline is asked by every mutation of its lane. */
export function resultsById(results: readonly TestResult[]): ReadonlyMap<string, TestResult> {
  const known = maps.get(results);
  if (known !== undefined) return known;
  const map = new Map(results.map((result) => [result.id, result]));
  maps.set(results, map);
  return map;
}

const idLists = new WeakMap<StepEvidence, readonly string[]>();

/** One array for each baseline, so that it is indexed once for all mutations of the lane. */
export function idsOf(baseline: StepEvidence): readonly string[] {
  const known = idLists.get(baseline);
  if (known !== undefined) return known;
  const ids = baseline.results.map(({ id }) => id);
  idLists.set(baseline, ids);
  return ids;
}

/** Whether an uncollectable file (or a folder's conftest) can be why this test has no outcome. */
export function hides(error: Breakage, id: string): boolean {
  if (error.file === null) return true;
  if (id === error.file || id.startsWith(`${error.file}::`) || id.startsWith(`${error.file}/`)) {
    return true;
  }
  const packageFile = /^(?<folder>.*\/)?(?:conftest|__init__)\.py$/.exec(error.file);
  return packageFile !== null && id.startsWith(packageFile.groups?.['folder'] ?? '');
}

function missingResult(id: string): TestResult {
  return {
    id,
    outcome: 'missing',
    phase: null,
    at: null,
    message: null,
    durationMs: 0,
    broken: null,
  };
}

/** Messages count too: a test that was red before may be expected to fail with another one. */
function differs(before: TestResult | undefined, now: TestResult): boolean {
  return (
    before === undefined ||
    before.outcome !== now.outcome ||
    before.broken !== now.broken ||
    (now.outcome !== 'passed' && before.message !== now.message)
  );
}
