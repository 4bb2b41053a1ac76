/** What one measurement says of the changes that it took back. */
import type { ProofEvidence } from '../proof/evidence.js';
import { endedBy } from '../proof/facts.js';
import type { Judgement } from '../proof/judge.js';
import { isRed, type Outcome, type TestResult } from '../proof/outcome.js';
import { viewStep } from '../proof/moves.js';
import { GROUP_OF, type Verdict } from '../proof/verdict.js';
import { explain } from '../proof/verdict-text.js';
import { readAbsence, readBuildAbsence, type Absence, type Surroundings } from './absence.js';
import type { Change } from './fix.js';

/** A test that went red, with what it said. */
export interface Failure {
  readonly test: string;
  readonly to: Outcome;
  readonly at: string | null;
  readonly message: string | null;
}

export type Finding =
  /** Tests notice, and by more than a name that is gone. */
  | {
      readonly kind: 'held';
      readonly flips: readonly Failure[];
      /** Tests that failed by a missing name alone. */
      readonly absent: readonly Failure[];
      /** What those need; null: no test failed so. */
      readonly absence: Absence | null;
    }
  /** No test went red. */
  | { readonly kind: 'unmoved'; readonly reason: string }
  /**
   * The rest of the code, or the tests, use what is gone: no evidence of what it does. A failure
   * without a test kept tests from running.
   */
  | {
      readonly kind: 'inseparable';
      readonly absence: Absence;
      readonly absent: readonly Failure[];
      readonly reason: string;
    }
  /** Nothing went red, but these tests are not there without it: what they would say is not known. */
  | { readonly kind: 'gone'; readonly tests: readonly string[] }
  /** A test hung or crashed, which ended the run. */
  | { readonly kind: 'ended'; readonly test: string; readonly how: 'crashed' | 'timeout' }
  | { readonly kind: 'no-evidence'; readonly verdict: Verdict['code']; readonly reason: string };

export interface Measurement {
  readonly evidence: ProofEvidence;
  readonly judgement: Judgement;
}

/** The names that some failures are about, and who needs them; null: no test failed so. */
export const absenceIn = (finding: Finding): Absence | null =>
  finding.kind === 'inseparable' || finding.kind === 'held' ? finding.absence : null;

/** @param taken the changes that were taken back. */
export function readFinding(
  { evidence, judgement }: Measurement,
  taken: readonly Change[],
  around: Surroundings,
): Finding {
  const { verdict } = judgement;
  const { reason } = explain(verdict);
  if (verdict.code === 'pinned') return noticed(judgement, taken, around);
  if (verdict.code === 'broken' && verdict.run.step === 'mutated') {
    const failures = brokenFailures(evidence, verdict);
    const isBuild = verdict.causes.some(({ stage }) => stage === 'build');
    const absence = (isBuild ? readBuildAbsence : readAbsence)(failures, taken, around);
    if (absence === null) return { kind: 'no-evidence', verdict: verdict.code, reason };
    const beside = besideBroken(judgement, taken, around);
    const absent = [...failures, ...beside.absent];
    return absence.with.length === 0 && beside.flips.length > 0
      ? { kind: 'held', flips: beside.flips, absent, absence }
      : { kind: 'inseparable', absence, absent, reason };
  }
  const end = evidence.mutated === null ? null : endedBy(evidence.mutated.ending);
  const isEnding =
    verdict.code === 'timeout' ||
    (verdict.code === 'incomplete' && verdict.gap.kind === 'ending') ||
    (verdict.code === 'incomplete' && verdict.gap.kind === 'no-outcome');
  if (end !== null && isEnding) {
    const repeated = endedAgain(evidence, end);
    if (repeated !== null) {
      const red = [...judgement.flipped, ...judgement.also].filter(({ to }) => isRed(to));
      const { absent } = byEvidence(red, taken, around);
      const absence = readAbsence(absent, taken, around);
      return { kind: 'held', flips: [repeated], absent, absence };
    }
    return { kind: 'ended', test: end.test, how: end.outcome };
  }
  if (GROUP_OF[verdict.code] === 'refuted') {
    // A test was named as one that ends the run, and this time it did not.
    if (evidence.mutation.flips.kind === 'tests')
      return { kind: 'no-evidence', verdict: 'flaky', reason: 'two equal runs disagree' };
    const gone = judgement.also.filter(({ to }) => to === 'missing').map(({ test }) => test);
    if (gone.length > 0) return { kind: 'gone', tests: gone };
    return { kind: 'unmoved', reason };
  }
  return { kind: 'no-evidence', verdict: verdict.code, reason };
}

function noticed(judgement: Judgement, taken: readonly Change[], around: Surroundings): Finding {
  const { flipped, also } = judgement;
  const red = [...flipped, ...also].filter(({ to }) => isRed(to));
  const { flips, absent } = byEvidence(red, taken, around);
  const absence = readAbsence(absent, taken, around);
  if (flips.length > 0) return { kind: 'held', flips, absent, absence };
  if (absence === null) return { kind: 'unmoved', reason: 'no test went red' };
  const reason = `every test that notices fails by the absence of ${absence.names.join(', ')}`;
  return { kind: 'inseparable', absence, absent, reason };
}

interface ByEvidence {
  readonly flips: readonly Failure[];
  /** By a missing name alone. */
  readonly absent: readonly Failure[];
}

function byEvidence(
  moves: readonly Failure[],
  taken: readonly Change[],
  around: Surroundings,
): ByEvidence {
  const failures = moves.map(({ test, to, at, message }): Failure => ({ test, to, at, message }));
  const absent = failures.filter((failure) => readAbsence([failure], taken, around) !== null);
  return { flips: failures.filter((failure) => !absent.includes(failure)), absent };
}

/**
 * Tests that could not run, since they use a name that is gone, take nothing from the others: what
 * those say of the bytes that ran, and take back on the restored tree, stands.
 */
function besideBroken(
  { flipped, also, loaded }: Judgement,
  taken: readonly Change[],
  around: Surroundings,
): ByEvidence {
  const red = [...flipped, ...also].filter(({ to }) => isRed(to));
  const { absent } = byEvidence(red, taken, around);
  if (loaded.proof === 'none') return { flips: [], absent };
  const back = flipped.filter(({ to, restored }) => to === 'failed' && restored === 'passed');
  return { flips: byEvidence(back, taken, around).flips, absent };
}

/**
 * The test that was named as one that ends the run has ended it a second time in the same way,
 * and passes on the restored tree. What came after it is not known, but that much is.
 */
function endedAgain(
  evidence: ProofEvidence,
  end: { readonly test: string; readonly outcome: 'crashed' | 'timeout' },
): Failure | null {
  const { mutation, restored, baseline, restoredAgain } = evidence;
  const step = restoredAgain ?? restored;
  if (mutation.flips.kind !== 'tests' || baseline === null || step === null) return null;
  if (!mutation.flips.tests.some(({ test, to }) => test === end.test && to.includes(end.outcome)))
    return null;
  if (viewStep(baseline, step).resultOf(end.test)?.outcome !== 'passed') return null;
  return { test: end.test, to: end.outcome, at: null, message: endMessage(end.outcome) };
}

export const endMessage = (how: 'crashed' | 'timeout'): string =>
  how === 'timeout' ? 'runs into the time limit' : 'ends the test process';

/** What broke, each as a failure; `test` is empty where no test could be run. */
function brokenFailures(
  { mutated }: ProofEvidence,
  verdict: Extract<Verdict, { code: 'broken' }>,
): readonly Failure[] {
  const results = new Map<string, TestResult>((mutated?.results ?? []).map((one) => [one.id, one]));
  const causes = verdict.causes.map(({ file, line, message, stage }): Failure => ({
    test: '',
    to: 'error',
    at: file === null ? null : `${file}:${line ?? 0}`,
    message: stage === 'compile' ? `SyntaxError: ${message}` : message,
  }));
  const tests = verdict.tests.map(({ test, why }): Failure => {
    const result = results.get(test);
    return {
      test,
      to: result?.outcome ?? 'error',
      at: result?.at ?? null,
      message: result?.message ?? why,
    };
  });
  return [...causes, ...tests];
}
