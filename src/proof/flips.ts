/** What the mutation expects of named tests, and what became of each of them. */
import type { FlipExpectation } from '../spec/model.js';
import type { Move, StepView } from './moves.js';
import { toMove } from './moves.js';
import type { TestResult } from './outcome.js';
import { matchIds } from './select.js';
import type { IdRules } from './select.js';

/** The tests that one entry of `flips` stands for, and what the baseline says of them. */
export interface Expectation {
  readonly spec: FlipExpectation;
  /** Tests that count; empty: the entry matches nothing, or nothing that is not quarantined. */
  readonly members: readonly string[];
  /** Matched, but unable to prove or refute. */
  readonly quarantined: readonly string[];
  /** Members whose baseline outcome is not `from`. */
  readonly elsewise: readonly { readonly test: string; readonly result: TestResult | null }[];
  /** How many must flip. */
  readonly required: number;
}

/** An expectation after the mutated run. */
export interface ExpectationFinding {
  readonly expectation: Expectation;
  /** Moved as declared. */
  readonly flipped: readonly Move[];
  /** Moved, but not as declared. */
  readonly otherwise: readonly Move[];
  /** Not moved, or not run. */
  readonly still: readonly string[];
  /** Fewer flipped than required. */
  readonly short: boolean;
}

export interface ExpectInput {
  readonly spec: FlipExpectation;
  /** Ids of the baseline. */
  readonly ids: readonly string[];
  /** Ids that only the mutated run knows: what `from: missing` expects to appear. */
  readonly appeared: readonly string[];
  readonly options: IdRules;
  readonly quarantined: ReadonlySet<string>;
  readonly before: (id: string) => TestResult | null;
}

/** Finds the members of one entry of `flips`. A test expected to appear counts by its own name until it does. */
export function expectTests(input: ExpectInput): Expectation {
  const { spec, ids, appeared, options, quarantined, before } = input;
  const known = matchIds(spec.test, ids, options);
  const fresh = spec.from === 'missing' ? matchIds(spec.test, appeared, options) : [];
  const named = spec.from === 'missing' && known.length + fresh.length === 0 ? [spec.test] : [];
  const matched = [...known, ...fresh, ...named];
  const members = matched.filter((id) => !quarantined.has(id));
  const elsewise = members
    .map((test) => ({ test, result: before(test) }))
    .filter(({ result }) => (result?.outcome ?? 'missing') !== spec.from);
  return {
    spec,
    members,
    quarantined: matched.filter((id) => quarantined.has(id)),
    elsewise,
    required: spec.count ?? spec.min ?? members.length,
  };
}

/**
 * Whether the baseline allows the expectation to be met at all: every member has the outcome
 * `from`, or as many as `count` or `min` ask for.
 */
export function isReady({ spec, members, elsewise, required }: Expectation): boolean {
  const group = spec.count !== null || spec.min !== null;
  return group ? members.length - elsewise.length >= required : elsewise.length === 0;
}

/** Grades one expectation by the mutated step. */
export function gradeExpectation(
  expectation: Expectation,
  view: {
    readonly before: (id: string) => TestResult | null;
    readonly mutated: StepView;
  },
): ExpectationFinding {
  const flipped: Move[] = [];
  const otherwise: Move[] = [];
  const still: string[] = [];
  for (const test of expectation.members) {
    const before = view.before(test);
    const now = view.mutated.resultOf(test);
    if (now === null) still.push(test);
    else if (flips(expectation.spec, before, now)) flipped.push(toMove(before ?? undefined, now));
    else if ((before?.outcome ?? 'missing') === now.outcome) still.push(test);
    else otherwise.push(toMove(before ?? undefined, now));
  }
  const short = flipped.length < expectation.required;
  return { expectation, flipped, otherwise, still, short };
}

/** An equal outcome flips only by its message, and only where that message is new. */
function flips(spec: FlipExpectation, before: TestResult | null, now: TestResult): boolean {
  if ((before?.outcome ?? 'missing') !== spec.from || !spec.to.includes(now.outcome)) return false;
  const isNew = spec.from !== now.outcome;
  if (spec.message === null) return isNew;
  const pattern = compiled(spec.message);
  if (pattern === null || now.message === null || !pattern.test(now.message)) return false;
  return isNew || before?.message === null || !pattern.test(before?.message ?? '');
}

/** null: no regular expression; the spec's own check reports that, here it matches nothing. */
function compiled(source: string): RegExp | null {
  try {
    return new RegExp(source, 'u');
  } catch {
    return null;
  }
}
