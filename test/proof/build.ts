/** Evidence by the few words that a test is about; everything else is an ordinary, green proof. */
import { expect, it } from 'vitest';
import { judge } from '../../src/proof/judge.js';
import type { Judgement } from '../../src/proof/judge.js';
import { needsSecondMutatedRuns } from '../../src/proof/plan.js';
import { stepEvidence } from '../../src/proof/step.js';
import type {
  Breakage,
  Ending,
  LaneSteps,
  LoadEvidence,
  ProofEvidence,
  Selection,
  StepEvidence,
  StepName,
} from '../../src/proof/evidence.js';
import type { Outcome, TestResult } from '../../src/proof/outcome.js';
import type { ControlSpec, FlipExpectation, MutationSpec } from '../../src/spec/model.js';

export const TODAY = '2026-11-30';

export const ORIGINAL = 'a'.repeat(64);
export const MUTANT = 'b'.repeat(64);
export const SOURCE = 'src/routes.py';

const WHERE = { file: 'mutations/routes.yaml', line: 1, col: 1 } as const;

export const A = 'tests/test_routes.py::TestPause::test_native';
export const B = 'tests/test_routes.py::TestPause::test_mode';
export const C = 'tests/test_routes.py::test_resume';
export const D = 'tests/test_other.py::test_logprobs';
export const E = 'tests/test_other.py::test_top';

type Said = Outcome | Partial<Omit<TestResult, 'id'>>;
export type Outcomes = Readonly<Record<string, Said>>;

export const GREEN: Outcomes = {
  [A]: 'passed',
  [B]: 'passed',
  [C]: 'passed',
  [D]: 'passed',
  [E]: 'skipped',
};

export function result(id: string, said: Said): TestResult {
  const base = {
    id,
    outcome: 'passed',
    phase: null,
    at: null,
    message: null,
    durationMs: 1,
    broken: null,
  } as const;
  return typeof said === 'string' ? { ...base, outcome: said } : { ...base, ...said };
}

export const results = (outcomes: Outcomes): readonly TestResult[] =>
  Object.entries(outcomes).map(([id, said]) => result(id, said));

export interface StepOptions {
  readonly ending?: Ending;
  readonly scope?: 'lane' | readonly string[];
  readonly without?: readonly string[];
  readonly collectionErrors?: readonly Breakage[];
  readonly loads?: readonly LoadEvidence[];
  readonly reached?: readonly string[];
  /** Tests that the run lacks. */
  readonly lacks?: readonly string[];
  readonly baseline?: Outcomes;
}

export const load = (sha256: string | null, more: Partial<LoadEvidence> = {}): LoadEvidence => ({
  path: SOURCE,
  proof: sha256 === null ? 'none' : 'compiled',
  sha256,
  elsewhere: null,
  by: sha256 === null ? null : 'test process',
  ...more,
});

export const UNSEEN = [load(null)];

export const OWN_SUM: Readonly<Record<StepName, string>> = {
  baseline: ORIGINAL,
  mutated: MUTANT,
  restored: ORIGINAL,
  reach: MUTANT,
  closing: ORIGINAL,
};

const green = results(GREEN);

/** `changes` are laid over the baseline; the step keeps the differences, as in a real run. */
export function step(
  name: StepName,
  changes: Outcomes = {},
  options: StepOptions = {},
): StepEvidence {
  const { scope = 'lane', lacks = [], baseline } = options;
  const before = baseline === undefined ? green : results(baseline);
  const all: Outcomes = { ...(baseline ?? GREEN), ...changes };
  const ran = results(all).filter(
    ({ id, outcome }) =>
      !lacks.includes(id) &&
      outcome !== 'missing' &&
      !(options.without ?? []).includes(id) &&
      (scope === 'lane' || scope.includes(id)),
  );
  return stepEvidence({
    step: name,
    scope,
    without: options.without ?? [],
    baseline: name === 'baseline' ? null : before,
    log: null,
    run: {
      ending: options.ending ?? { kind: 'complete' },
      exit: { code: 0, signal: null },
      durationMs: 10,
      results: ran,
      collectionErrors: options.collectionErrors ?? [],
      loads: options.loads ?? [load(OWN_SUM[name])],
      reached: options.reached ?? [],
      notes: [],
    },
  });
}

export const SELECTION: Selection = {
  collected: 5,
  selected: 5,
  deselected: [],
  files: [],
  idPrefix: '',
  idForm: 'path',
};

export const expectFlip = (test: string, more: Partial<FlipExpectation> = {}): FlipExpectation => ({
  test,
  count: null,
  min: null,
  from: 'passed',
  to: ['failed'],
  message: null,
  where: WHERE,
  ...more,
});

export const control = (tests: string, lane: string | null = null): ControlSpec => ({
  tests,
  lane,
  where: WHERE,
});

export const mutation = (more: Partial<MutationSpec> = {}): MutationSpec => ({
  id: 'rename-route',
  spec: 'mutations/routes.yaml',
  why: null,
  role: 'mutation',
  lane: 'unit',
  edits: [
    { kind: 'replace', file: SOURCE, find: 'a', with: 'b', count: 1, within: [], where: WHERE },
  ],
  flips: { kind: 'tests', tests: [expectFlip(A)] },
  controls: [],
  exact: false,
  probes: [],
  accept: null,
  tags: [],
  refs: [],
  owner: null,
  where: WHERE,
  ...more,
});

export const flips = (...tests: readonly (string | FlipExpectation)[]): Partial<MutationSpec> => ({
  flips: {
    kind: 'tests',
    tests: tests.map((test) => (typeof test === 'string' ? expectFlip(test) : test)),
  },
});

export const ANY: Partial<MutationSpec> = { flips: { kind: 'any' } };
export const NONE: Partial<MutationSpec> = { flips: { kind: 'none' } };

export const ALIVE = { kind: 'alive', by: 'alive', flipped: C } as const;

export const laneSteps = (name: string, more: Partial<LaneSteps> = {}): LaneSteps => ({
  lane: { name, select: null },
  baseline: step('baseline', {}, { loads: [] }),
  selection: SELECTION,
  otherBaselines: [],
  quarantined: [],
  mutated: step('mutated', {}, { loads: [] }),
  company: null,
  mutatedAgain: null,
  mutatedOnceMore: null,
  mutatedLast: null,
  restored: step('restored', {}, { loads: [] }),
  restoredAgain: null,
  ...more,
});

/**
 * A proof in which A failed under the mutant, twice, and passed again; `spec` changes the
 * mutation. Second runs that are due tell what the first ones did, unless `more` has its own.
 */
export function evidence(
  more: Partial<ProofEvidence> = {},
  spec: Partial<MutationSpec> = {},
): ProofEvidence {
  const once = measuredOnce(more, spec);
  const second = new Map(
    needsSecondMutatedRuns(once)
      .filter(({ why }) => why === 'by-itself')
      .map(({ lane, scope }) => [lane, scope]),
  );
  const repeated = (steps: LaneSteps, isGiven: boolean): StepEvidence | null => {
    const scope = second.get(steps.lane.name);
    const isDue = !isGiven && scope !== undefined && steps.mutated !== null;
    return isDue ? { ...steps.mutated, scope } : steps.mutatedAgain;
  };
  return {
    ...once,
    mutatedAgain: repeated(once, 'mutatedAgain' in more),
    outsideControls: once.outsideControls.map((steps) => ({
      ...steps,
      mutatedAgain: repeated(steps, false),
    })),
  };
}

function measuredOnce(more: Partial<ProofEvidence>, spec: Partial<MutationSpec>): ProofEvidence {
  return {
    ...laneSteps('unit', { lane: { name: 'unit', select: 'pre_merge' } }),
    baseline: step('baseline'),
    mutated: step('mutated', { [A]: { outcome: 'failed', message: 'assert 1 == 2' } }),
    restored: step('restored'),
    mutation: mutation(spec),
    pulledIn: false,
    notApplied: null,
    edits: [{ path: SOURCE, line: 3, scope: 'pause' }],
    patch: '--- a\n+++ b\n',
    probes: [],
    files: [{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT, restored: ORIGINAL }],
    compile: [],
    build: [],
    withoutEnder: null,
    outsideControls: [],
    closing: null,
    restore: { kind: 'restored' },
    touched: [],
    reach: null,
    reachStep: null,
    liveness: { kind: 'not-shown' },
    interrupted: false,
    cutShort: false,
    slotDied: false,
    durationMs: 40,
    ...more,
  };
}

export const judged = (
  more: Partial<ProofEvidence> = {},
  spec: Partial<MutationSpec> = {},
): Judgement => judge(evidence(more, spec), { today: TODAY });

export const codeOf = (
  more: Partial<ProofEvidence> = {},
  spec: Partial<MutationSpec> = {},
): string => judged(more, spec).verdict.code;

/** What becomes of the fields of a proof that stopped before anything was written. */
export const before = { mutated: null, restored: null, files: [], restore: null } as const;
export const still = step('mutated');
export const flipsA = step('mutated', { [A]: 'failed' });

export const crash = (test: string | null): Ending => ({ kind: 'crashed', how: 'SIGSEGV', test });
export const hang = (test: string | null): Ending => ({
  kind: 'timeout',
  limit: 'test',
  limitMs: 10_000,
  test,
});
export const oom: Ending = { kind: 'out-of-memory', limitBytes: 1 << 30, test: A };
export const syntax = {
  stage: 'compile',
  file: SOURCE,
  line: 3,
  message: 'SyntaxError: x',
} as const;
export const uncollected = (file: string) =>
  ({ stage: 'collect', file, line: null, message: 'ImportError: y' }) as const;

/** A test file that imports one which does not import. */
export const uncollectedFor = (collecting: string) =>
  ({ ...uncollected('src/late.py'), collecting }) as const;

export const quarantine = (test: string) => ({ quarantined: [{ test, because: 'needs a port' }] });

/** Steps over another baseline than the green one. */
export const baselineOf = (outcomes: Outcomes, more: Partial<ProofEvidence> = {}) => ({
  baseline: step('baseline', outcomes),
  mutated: step('mutated', { [A]: 'failed' }, { baseline: { ...GREEN, ...outcomes } }),
  restored: step('restored', {}, { baseline: { ...GREEN, ...outcomes } }),
  ...more,
});

/** One line of a table: what is the case, and the verdict that it must give. */
export type JudgeRow = readonly [
  title: string,
  code: string,
  evidence: Partial<ProofEvidence>,
  spec?: Partial<MutationSpec>,
];

export function judgeTable(rows: readonly JudgeRow[]): void {
  for (const [title, code, more, spec] of rows) {
    it(`${title}: ${code}`, () => {
      expect(codeOf(more, spec)).toBe(code);
    });
  }
}
