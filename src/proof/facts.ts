/** Reads one proof's evidence once: what each test did in each lane, before anything is concluded. */
import { measureControl } from './controls.js';
import type { ControlFinding } from './controls.js';
import type { Ending, LaneSteps, ProofEvidence, StepEvidence } from './evidence.js';
import { expectTests, gradeExpectation } from './flips.js';
import type { Expectation, ExpectationFinding } from './flips.js';
import { proveLoading } from './loading.js';
import type { Loading } from './loading.js';
import { viewStep } from './moves.js';
import type { Move, StepView } from './moves.js';
import { isRed } from './outcome.js';
import type { TestResult } from './outcome.js';
import { compareRestored } from './restoring.js';
import type { Restoring } from './restoring.js';
import { idRules, type IdRules } from './select.js';
import { baselineDisagreements, disagreements, quarantinedIds } from './stability.js';
import type { Disagreement } from './stability.js';
import { idsOf } from './step.js';

/** One lane under one mutation, from its baseline on. */
export interface LaneFacts {
  readonly steps: LaneSteps;
  readonly baseline: StepEvidence;
  readonly idRules: IdRules;
  readonly ids: readonly string[];
  readonly before: StepView;
  /** The mutated run that counts; without the test that ended it, where `to` names that outcome. */
  readonly mutatedStep: StepEvidence | null;
  readonly mutated: StepView | null;
  /** Repeats of the mutated run that count: with all tests of the first, where the narrow one differed. */
  readonly again: readonly StepView[];
  /** The restored run that counts: the repeat, where there is one. */
  readonly restoredStep: StepEvidence | null;
  readonly restored: StepView | null;
  readonly quarantined: ReadonlyMap<string, string>;
  readonly flakyBaseline: ReadonlyMap<string, Disagreement>;
  /** Quarantined or flaky in the baseline: can neither prove nor refute. */
  readonly ignored: ReadonlySet<string>;
  /** Moves of all other tests. */
  readonly moves: readonly Move[];
  /** Tests that the mutated runs tell differently. */
  readonly unsteady: ReadonlyMap<string, Disagreement>;
  readonly controls: readonly ControlFinding[];
  readonly restoring: Restoring;
}

export interface Facts {
  readonly evidence: ProofEvidence;
  /** null: the lane was never run. */
  readonly own: LaneFacts | null;
  readonly outside: readonly { readonly steps: LaneSteps; readonly facts: LaneFacts | null }[];
  /** The test that ended the mutated run as `to` allows, with the run without it at hand. */
  readonly ender: TestResult | null;
  readonly expectations: readonly Expectation[];
  readonly findings: readonly ExpectationFinding[];
  readonly expected: ReadonlySet<string>;
  /** Moves that both mutated runs tell, or the only one does. */
  readonly steady: readonly Move[];
  /** Moves that can show that the mutant ran: expected flips, otherwise tests that went red. */
  readonly telling: readonly Move[];
  readonly loading: Loading;
  /** Telling moves that the second mutated run repeats and that are back on the restored tree. */
  readonly effect: readonly Move[];
}

export function readFacts(evidence: ProofEvidence): Facts {
  const ender = acceptedEnder(evidence);
  const expectations = expectationsOf(evidence, ender);
  const expected = new Set(
    expectations.flatMap(({ members, quarantined }) => [...members, ...quarantined]),
  );
  const context = { evidence, expected, ender };
  const own = readLane(evidence, context);
  const outside = evidence.outsideControls.map((steps) => ({
    steps,
    facts: readLane(steps, context),
  }));
  const mutated = own?.mutated ?? null;
  const findings =
    own === null || mutated === null
      ? []
      : expectations.map((each) =>
          gradeExpectation(each, { before: own.before.resultOf, mutated }),
        );
  const steady = (own?.moves ?? []).filter(({ test }) => own?.unsteady.has(test) !== true);
  const telling = tellingMoves(findings, steady, own);
  return {
    evidence,
    own,
    outside,
    ender,
    expectations,
    findings,
    expected,
    steady,
    telling,
    loading: loadingOf(evidence, own),
    effect: telling.filter(({ test }) => own !== null && isEffect(test, own)),
  };
}

/** Where any test may notice, the tests that went red are the ones that were asked for. */
export function anyFlips({ evidence, steady }: Facts): readonly Move[] {
  return evidence.mutation.flips.kind === 'any' ? steady.filter(({ to }) => isRed(to)) : [];
}

function isEffect(test: string, lane: LaneFacts): boolean {
  const before = lane.before.resultOf(test);
  const repeated =
    lane.again.some(({ resultOf }) => resultOf(test) !== null) && !lane.unsteady.has(test);
  // A test that only the mutant has cannot be selected on the restored tree; it is back by being gone.
  if (before === null) return repeated && lane.restored !== null;
  return repeated && lane.restored?.resultOf(test)?.outcome === before.outcome;
}

interface Context {
  readonly evidence: ProofEvidence;
  readonly expected: ReadonlySet<string>;
  readonly ender: TestResult | null;
}

function readLane(steps: LaneSteps, { evidence, expected, ender }: Context): LaneFacts | null {
  const { baseline } = steps;
  if (baseline === null) return null;
  const isOwn = steps === evidence;
  const rules = idRules(steps.selection);
  const ids = idsOf(baseline);
  const before = viewStep(baseline, baseline);
  const mutatedStep = isOwn && ender !== null ? evidence.withoutEnder : steps.mutated;
  const mutated =
    mutatedStep === null ? null : viewStep(baseline, mutatedStep, isOwn ? ender : null);
  const again = countingRepeats(steps).map((step) => repeatView(baseline, step, ender));
  const restoredStep = steps.restoredAgain ?? steps.restored;
  const restored = restoredStep === null ? null : viewStep(baseline, restoredStep);
  const closing = isOwn ? [evidence.closing?.first ?? null, evidence.closing?.again ?? null] : [];
  const quarantined = quarantinedIds(steps, ids, [mutatedStep, ...laterRuns(steps), ...closing]);
  const flakyBaseline = baselineDisagreements(baseline, steps.otherBaselines);
  const ignored = new Set([...quarantined.keys(), ...flakyBaseline.keys()]);
  const moves = (mutated?.moves ?? []).filter(({ test }) => !ignored.has(test));
  const unsteady = new Map(
    again
      .flatMap((view) =>
        mutated === null ? [] : [...disagreements(mutated, view, 'mutated runs')],
      )
      .filter(([test]) => !ignored.has(test)),
  );
  const takenOut = new Set([...expected, ...quarantined.keys()]);
  const { name } = steps.lane;
  const controls = evidence.mutation.controls
    .filter(({ lane }) => (lane ?? evidence.lane.name) === name)
    .map(({ tests }) =>
      measureControl({
        selector: tests,
        lane: name,
        ids,
        options: rules,
        takenOut,
        baseline: before,
        mutated,
        restored,
      }),
    );
  const concerned = new Set(controls.flatMap(({ members }) => members));
  if (isOwn)
    for (const test of [...expected, ...moves.map((move) => move.test)]) concerned.add(test);
  const restoring = compareRestored({
    baseline,
    restored: steps.restored,
    restoredAgain: steps.restoredAgain,
    ignored,
    concerns: (test) => concerned.has(test) || (isOwn && isControlByRule(evidence)),
  });
  return {
    steps,
    baseline,
    idRules: rules,
    ids,
    before,
    mutatedStep,
    mutated,
    again,
    restoredStep,
    restored,
    quarantined,
    flakyBaseline,
    ignored,
    moves,
    unsteady,
    controls,
    restoring,
  };
}

/** Where every other test of the lane is a control, declared or not. */
export const isControlByRule = ({ mutation }: ProofEvidence): boolean =>
  mutation.exact || mutation.flips.kind === 'none';

/** The test that ended a run, where it did. */
export function endedBy(ending: Ending): { test: string; outcome: 'crashed' | 'timeout' } | null {
  if (ending.kind !== 'crashed' && ending.kind !== 'timeout') return null;
  return ending.test === null ? null : { test: ending.test, outcome: ending.kind };
}

/** The test that ended the mutated run with an outcome that its `to` names; null: none did. */
export function enderOf(evidence: ProofEvidence): TestResult | null {
  const { mutated, baseline, mutation } = evidence;
  const end = mutated === null ? null : endedBy(mutated.ending);
  if (end === null || baseline === null || mutation.flips.kind !== 'tests') return null;
  const named = expectationsOf(evidence, null).some(
    ({ members, spec }) => members.includes(end.test) && spec.to.includes(end.outcome),
  );
  if (!named) return null;
  const seen = mutated?.results.find(
    ({ id, outcome }) => id === end.test && outcome === end.outcome,
  );
  return seen ?? endResult(end);
}

function acceptedEnder(evidence: ProofEvidence): TestResult | null {
  return evidence.withoutEnder === null ? null : enderOf(evidence);
}

function endResult({
  test,
  outcome,
}: {
  test: string;
  outcome: 'crashed' | 'timeout';
}): TestResult {
  return { id: test, outcome, phase: null, at: null, message: null, durationMs: 0, broken: null };
}

const laterRuns = (steps: LaneSteps): readonly (StepEvidence | null)[] => [
  steps.mutatedAgain,
  steps.mutatedOnceMore,
  steps.mutatedLast,
  steps.restored,
  steps.restoredAgain,
];

/** A narrow second run that differed counts no more: it may lack the tests that come before. */
export function countingRepeats({
  mutatedAgain,
  mutatedOnceMore,
  mutatedLast,
}: LaneSteps): readonly StepEvidence[] {
  const whole = [mutatedOnceMore, mutatedLast].filter((step) => step !== null);
  return whole.length > 0 || mutatedAgain === null ? whole : [mutatedAgain];
}

/** A repeat that the same test ended in the same way repeats that much, and nothing else. */
function repeatView(
  baseline: StepEvidence,
  step: StepEvidence,
  ender: TestResult | null,
): StepView {
  const end = endedBy(step.ending);
  const same = end !== null && end.test === ender?.id && end.outcome === ender.outcome;
  return viewStep(baseline, step, same ? ender : null);
}

function expectationsOf(evidence: ProofEvidence, ender: TestResult | null): readonly Expectation[] {
  const { baseline, mutation } = evidence;
  if (baseline === null || mutation.flips.kind !== 'tests') return [];
  const options = idRules(evidence.selection);
  const ids = idsOf(baseline);
  const before = viewStep(baseline, baseline).resultOf;
  const mutated = ender === null ? evidence.mutated : evidence.withoutEnder;
  const quarantined = new Set(quarantinedIds(evidence, ids, [mutated]).keys());
  const appeared = (mutated === null ? [] : viewStep(baseline, mutated).moves)
    .filter(({ from }) => from === null)
    .map(({ test }) => test);
  return mutation.flips.tests.map((spec) =>
    expectTests({ spec, ids, appeared, options, quarantined, before }),
  );
}

function tellingMoves(
  findings: readonly ExpectationFinding[],
  steady: readonly Move[],
  own: LaneFacts | null,
): readonly Move[] {
  const flipped = findings
    .flatMap((finding) => finding.flipped)
    .filter(({ test }) => own?.ignored.has(test) !== true);
  return flipped.length > 0 ? flipped : (own?.moves ?? steady).filter(({ to }) => isRed(to));
}

function loadingOf(evidence: ProofEvidence, own: LaneFacts | null): Loading {
  if (own === null) return { kind: 'unseen', files: [], watched: true };
  const mutated = [evidence.mutated, evidence.withoutEnder];
  return proveLoading({
    files: evidence.files,
    paths: evidence.edits.map(({ path }) => path),
    baseline: own.baseline,
    mutated: mutated.filter((step) => step !== null),
    again: [evidence.mutatedAgain, evidence.mutatedOnceMore, evidence.mutatedLast].filter(
      (step) => step !== null,
    ),
    restored: own.restoredStep,
  });
}
