/** What differs between two steps, by id. Sums are never compared: a pass and a fail may trade places. */
import type { StepEvidence } from './evidence.js';
import type { Outcome, Phase, TestResult } from './outcome.js';
import { resultsById } from './step.js';

/** A test whose outcome differs between the baseline and another step. */
export interface Move {
  readonly test: string;
  /** null: it appeared, the baseline does not know it. */
  readonly from: Outcome | null;
  readonly to: Outcome;
  readonly phase: Phase | null;
  readonly at: string | null;
  readonly message: string | null;
}

/** One step, asked by id; the differences that it holds are laid over the baseline. */
export interface StepView {
  /** null: not run in this step, so neither held nor moved. */
  readonly resultOf: (id: string) => TestResult | null;
  readonly moves: readonly Move[];
  /** The step ran the whole lane, so a test that it does not know does not exist in it. */
  readonly whole: boolean;
  /** Tests of the scope of which nothing is known. */
  readonly notRun: ReadonlySet<string>;
}

/**
 * Lays a step over its baseline. `extra` adds a result that the step itself lacks: the test
 * that ended a run, beside the run without it. A step with scope ids answers for those alone.
 */
export function viewStep(
  baseline: StepEvidence,
  step: StepEvidence,
  extra: TestResult | null = null,
): StepView {
  const before = resultsById(baseline.results);
  if (step === baseline) {
    const resultOf = (id: string): TestResult | null => before.get(id) ?? null;
    return { resultOf, moves: [], whole: true, notRun: new Set() };
  }
  const scope = step.scope === 'lane' ? null : new Set(step.scope);
  const inScope = step.results.filter(({ id }) => scope === null || scope.has(id));
  const own = new Map(inScope.map((result) => [result.id, result]));
  if (extra !== null) own.set(extra.id, extra);
  const notRun = new Set(step.notRun);
  const resultOf = (id: string): TestResult | null => {
    const result = own.get(id);
    if (result !== undefined) return result;
    if (notRun.has(id) || (scope !== null && !scope.has(id))) return null;
    return before.get(id) ?? null;
  };
  const moves = [...own.values()].flatMap((result) => moveOf(before.get(result.id), result));
  return { resultOf, moves, whole: scope === null, notRun };
}

/** Same outcome with another message is no move. */
function moveOf(before: TestResult | undefined, now: TestResult): readonly Move[] {
  if (before === undefined && now.outcome === 'missing') return [];
  if (before?.outcome === now.outcome) return [];
  return [toMove(before, now)];
}

/** Describes the way from one result to another, moved or not. */
export function toMove(before: TestResult | undefined, now: TestResult): Move {
  return {
    test: now.id,
    from: before?.outcome ?? null,
    to: now.outcome,
    phase: now.phase,
    at: now.at,
    message: now.message,
  };
}
