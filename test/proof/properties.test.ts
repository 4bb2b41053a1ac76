import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ending, LaneSteps, ProofEvidence, StepEvidence } from '../../src/proof/evidence.js';
import { judge, stopsAtBaseline } from '../../src/proof/judge.js';
import { OUTCOMES } from '../../src/proof/outcome.js';
import type { Outcome } from '../../src/proof/outcome.js';
import * as plan from '../../src/proof/plan.js';
import { proofRecord } from '../../src/proof/record.js';
import { recordSchema } from '../../src/record/schema.js';
import { stepEvidence } from '../../src/proof/step.js';
import { VERDICTS } from '../../src/proof/verdict.js';
import type { ControlSpec, Flips, MutationSpec } from '../../src/spec/model.js';
import {
  A,
  B,
  C,
  D,
  E,
  MUTANT,
  ORIGINAL,
  SELECTION,
  SOURCE,
  control,
  evidence,
  expectFlip,
  load,
  mutation,
  result,
  syntax,
  uncollected,
  step,
} from './build.js';

const IDS = [A, B, C, D, E] as const;
const SELECTORS = [...IDS, 'tests/test_routes.py', 'tests', 'tests/new.py::t', 'no', '*'] as const;

/** Mostly green, so that every verdict down to `pinned` is met. */
const often = <T>(usual: T, weight: number, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });

const outcome: fc.Arbitrary<Outcome> = fc.constantFrom(...OUTCOMES);
const id = fc.constantFrom(...IDS);

const ending: fc.Arbitrary<Ending> = often<Ending>(
  { kind: 'complete' },
  40,
  fc.oneof(
    fc.constant<Ending>({ kind: 'broken', causes: [] }),
    fc.record({
      kind: fc.constant('timeout' as const),
      limit: fc.constantFrom('step' as const, 'test' as const),
      limitMs: fc.constant(1000),
      test: fc.option(id),
    }),
    fc.record({
      kind: fc.constant('out-of-memory' as const),
      limitBytes: fc.constant(1),
      test: fc.option(id),
    }),
    fc.record({
      kind: fc.constant('crashed' as const),
      how: fc.constant('SIGSEGV'),
      test: fc.option(id),
    }),
    fc.constant<Ending>({ kind: 'incomplete', why: 'x', without: [] }),
    fc.constant<Ending>({ kind: 'no-channel', why: 'x', hint: 'y' }),
    fc.constant<Ending>({ kind: 'empty', deselected: 1, why: 'x' }),
    fc.constant<Ending>({ kind: 'cancelled' }),
  ),
);

const loads = (sum: string) =>
  often(
    [load(sum)],
    12,
    fc.constantFrom(
      [],
      [load(null)],
      [load(null, { proof: 'cached' })],
      [load(sum, { elsewhere: '/x' })],
      [load('c'.repeat(64))],
    ),
  );

const broken = often<string | null>(null, 60, fc.constant('ImportError'));
const changed = fc.dictionary(
  fc.constantFrom(...IDS, 'tests/new.py::t'),
  fc.record({
    outcome: fc.oneof({ weight: 3, arbitrary: fc.constant<Outcome>('failed') }, outcome),
    message: fc.option(fc.constantFrom('assert', 'other')),
    broken,
  }),
  { maxKeys: 2 },
);

const whole = often<'lane' | readonly string[]>('lane', 2, fc.subarray([...IDS]));
const errors = often<StepEvidence['collectionErrors']>(
  [],
  30,
  fc.constantFrom([uncollected('tests/test_other.py')], [{ ...syntax, file: null }]),
);

function stepOf(
  name: StepEvidence['step'],
  sum: string,
  changes: fc.Arbitrary<
    Record<string, { outcome: Outcome; message: string | null; broken: string | null }>
  >,
  base: StepEvidence | null,
): fc.Arbitrary<StepEvidence> {
  const baseline = base?.results ?? null;
  return fc
    .record({ ending, loads: loads(sum), changes, scope: whole, collectionErrors: errors })
    .map(({ changes: over, scope, ...run }) => {
      const before = baseline ?? IDS.map((each) => result(each, each === E ? 'skipped' : 'passed'));
      const all = new Map(before.map((each) => [each.id, each]));
      for (const [test, said] of Object.entries(over)) all.set(test, result(test, said));
      return stepEvidence({
        step: name,
        scope: name === 'restored' ? scope : 'lane',
        without: [],
        baseline,
        log: null,
        run: {
          ...run,
          exit: { code: 0, signal: null },
          durationMs: 1,
          results: [...all.values()].filter((each) => each.outcome !== 'missing'),
          reached: [],
          notes: [],
        },
      });
    });
}

const maybe = <T>(some: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary: some }, { weight: 1, arbitrary: fc.constant(null) });

const none = often({}, 6, changed);

const laneSteps = (name: string): fc.Arbitrary<LaneSteps> =>
  stepOf('baseline', ORIGINAL, often({}, 4, changed), null).chain((baseline) =>
    fc
      .record({
        isRepeated: often(true, 3, fc.constant(false)),
        lane: fc.constant({ name, select: null }),
        baseline: maybe(fc.constant(baseline), 60),
        selection: fc.constant(SELECTION),
        otherBaselines: often<readonly StepEvidence[]>(
          [],
          8,
          fc.array(stepOf('restored', ORIGINAL, changed, baseline), { maxLength: 2 }),
        ),
        quarantined: often<LaneSteps['quarantined']>(
          [],
          8,
          fc.constantFrom(...SELECTORS).map((test) => [{ test, because: 'x' }]),
        ),
        mutated: maybe(stepOf('mutated', MUTANT, changed, baseline), 40),
        company: often<LaneSteps['company']>(null, 12, fc.constant('after-others')),
        mutatedAgain: maybe(stepOf('mutated', MUTANT, changed, baseline), 1),
        mutatedOnceMore: often<StepEvidence | null>(
          null,
          12,
          stepOf('mutated', MUTANT, changed, baseline),
        ),
        mutatedLast: often<StepEvidence | null>(
          null,
          12,
          stepOf('mutated', MUTANT, changed, baseline),
        ),
        restored: maybe(stepOf('restored', ORIGINAL, none, baseline), 30),
        restoredAgain: maybe(stepOf('restored', ORIGINAL, none, baseline), 1),
      })
      .map(({ isRepeated, ...steps }) =>
        isRepeated ? { ...steps, mutatedAgain: steps.mutated } : steps,
      ),
  );

const flips: fc.Arbitrary<Flips> = fc.oneof(
  fc.constant<Flips>({ kind: 'any' }),
  fc.constant<Flips>({ kind: 'none' }),
  fc
    .array(
      fc.record({
        test: fc.oneof({ weight: 4, arbitrary: id }, fc.constantFrom(...SELECTORS)),
        count: often<number | null>(null, 6, fc.integer({ min: 0, max: 3 })),
        min: often<number | null>(null, 6, fc.integer({ min: 0, max: 3 })),
        from: often<Outcome>('passed', 8, outcome),
        to: often<readonly Outcome[]>(['failed'], 3, fc.array(outcome)),
        message: often<string | null>(null, 6, fc.constantFrom('assert', '(')),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((tests): Flips => ({
      kind: 'tests',
      tests: tests.map(({ test, ...more }) => expectFlip(test, more)),
    })),
);

const controls: fc.Arbitrary<readonly ControlSpec[]> = often<readonly ControlSpec[]>(
  [],
  2,
  fc.array(
    fc
      .record({
        tests: fc.constantFrom(...SELECTORS),
        lane: fc.constantFrom(null, null, 'unit', 'slow', 'nowhere'),
      })
      .map(({ tests, lane }) => control(tests, lane)),
    { maxLength: 2 },
  ),
);

const spec: fc.Arbitrary<MutationSpec> = fc
  .record({
    flips,
    controls,
    exact: often(false, 5, fc.constant(true)),
    role: often<MutationSpec['role']>('mutation', 5, fc.constant('liveness')),
    accept: often<MutationSpec['accept']>(
      null,
      6,
      fc.record({
        verdict: fc.constantFrom(...VERDICTS),
        because: fc.constant('x'),
        until: fc.constantFrom(null, '2020-01-01', '2999-01-01'),
      }),
    ),
  })
  .map(mutation);

const sums = often<ProofEvidence['files']>(
  [{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT, restored: ORIGINAL }],
  30,
  fc.constantFrom(
    [],
    [{ path: SOURCE, baseline: ORIGINAL, mutated: ORIGINAL, restored: ORIGINAL }],
    [{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT, restored: MUTANT }],
    [{ path: SOURCE, baseline: ORIGINAL, mutated: null, restored: ORIGINAL }],
  ),
);

const anyEvidence: fc.Arbitrary<ProofEvidence> = fc
  .record({
    steps: laneSteps('unit'),
    outside: often<readonly LaneSteps[]>([], 3, fc.array(laneSteps('slow'), { maxLength: 1 })),
    mutation: spec,
    files: sums,
    rare: often<Partial<ProofEvidence>>(
      {},
      5,
      fc.constantFrom<Partial<ProofEvidence>>(
        { restore: null },
        { restore: { kind: 'failed', path: SOURCE, why: 'x', original: '/o' } },
        { restore: { kind: 'kept', kept: [{ path: SOURCE, keptAs: '/k' }] } },
        { notApplied: { kind: 'no-file', path: SOURCE } },
        { compile: [syntax] },
        { build: [{ step: 'restored', causes: [syntax] }] },
        { touched: [{ path: SOURCE, by: 'somebody' }] },
        { closing: { first: step('closing', { [A]: 'failed' }), again: null } },
        { closing: { first: step('closing', { [A]: 'failed' }), again: step('closing') } },
        {
          closing: {
            first: step('closing', { [C]: 'failed' }),
            again: step('closing', { [C]: 'failed' }),
          },
        },
        { company: 'beside-others' },
        { company: 'after-others' },
        { interrupted: true },
        { liveness: { kind: 'dead', by: 'alive' } },
        { liveness: { kind: 'alive', by: 'alive', flipped: C } },
        { reach: { state: 'unreached' } },
      ),
    ),
  })
  .chain(({ steps, outside, mutation: declared, files, rare }) => {
    const without =
      steps.baseline === null
        ? fc.constant(null)
        : maybe(stepOf('mutated', MUTANT, changed, steps.baseline), 1);
    return without.map((withoutEnder) =>
      evidence({
        ...steps,
        outsideControls: outside,
        mutation: declared,
        files,
        withoutEnder,
        ...rare,
      }),
    );
  });

const options = { today: '2026-11-30' } as const;
const seed = 20_261_130;
const runs = { numRuns: 300, seed } as const;
/** One run of a property costs some 4 ms, nearly all of it making the evidence. */
const PATIENCE = 60_000;

describe('for any evidence', { timeout: PATIENCE }, () => {
  it('gives a verdict, a record that its readers accept, and a plan; it never throws', () => {
    fc.assert(
      fc.property(anyEvidence, (proof) => {
        const judgement = judge(proof, options);
        expect(VERDICTS).toContain(judgement.verdict.code);
        recordSchema.shape.proofs.parse([proofRecord(proof, judgement)]);
        stopsAtBaseline(proof);
        plan.restoredScope(proof);
        plan.needsRestoredAgain(proof);
        plan.needsSecondMutatedRuns(proof);
        plan.needsMutatedOnceMore(proof, 'unit');
        plan.needsRunWithout(proof);
        plan.needsReach(proof);
        plan.openProof(proof);
        plan.laneLiveness([{ evidence: proof, judgement }]);
      }),
      runs,
    );
  });

  /** Said again in other words than the rules', straight from the evidence. */
  it('calls pinned only what flipped, held, ran and came back over a green baseline', () => {
    let pinned = 0;
    fc.assert(
      fc.property(anyEvidence, (proof) => {
        const {
          verdict,
          expectations,
          controls: held,
          loaded,
          flipped: moves,
        } = judge(proof, options);
        if (verdict.code !== 'pinned') return;
        pinned += 1;
        const { files, restore, baseline, mutation: declared, outsideControls } = proof;
        expect(restore?.kind).toBe('restored');
        expect(files.length).toBeGreaterThan(0);
        expect(files.every((file) => file.restored === file.baseline)).toBe(true);
        expect(files.every((file) => file.mutated !== file.baseline)).toBe(true);
        expect(loaded.proof).not.toBe('none');
        expect(
          [baseline, ...outsideControls.map((lane) => lane.baseline)].every(
            (run) => run?.ending.kind === 'complete',
          ),
        ).toBe(true);
        expect(held.every((each) => each.held === true && each.passing > 0)).toBe(true);
        expect(moves.every(({ from, restored }) => from === null || from === restored)).toBe(true);
        const repeats = [proof.mutatedAgain, proof.mutatedOnceMore, proof.mutatedLast];
        for (const { test, to } of moves) {
          const told = repeats.flatMap((run) => run?.results ?? []);
          expect(told.some(({ id: again, outcome: said }) => again === test && said === to)).toBe(
            true,
          );
        }
        expect(proof.touched).toEqual([]);
        expect(proof.compile).toEqual([]);
        if (declared.flips.kind === 'tests') {
          expect(expectations.some(({ flipped }) => flipped.length > 0)).toBe(true);
          for (const { flipped, otherwise, expectation } of expectations) {
            const { count, min } = expectation.spec;
            expect(otherwise).toEqual([]);
            expect(flipped.length).toBeGreaterThanOrEqual(
              count ?? min ?? expectation.members.length,
            );
            if (count !== null) expect(flipped).toHaveLength(count);
            for (const { from, to } of flipped) {
              expect(from ?? 'missing').toBe(expectation.spec.from);
              expect(expectation.spec.to).toContain(to);
            }
          }
        }
        if (declared.flips.kind === 'none') expect(loaded.proof).toBe('compiled');
      }),
      runs,
    );
    expect(pinned).toBeGreaterThan(10);
  });

  it('calls survived only what was seen to run', () => {
    fc.assert(
      fc.property(anyEvidence, (proof) => {
        const { verdict, loaded, also, flipped } = judge(proof, options);
        if (verdict.code !== 'survived') return;
        expect(loaded.proof).toBe('compiled');
        expect([...also, ...flipped]).toEqual([]);
      }),
      runs,
    );
  });

  it('meets every verdict, so that the properties above say something', () => {
    const met = fc
      .sample(anyEvidence, { numRuns: 1000, seed })
      .map((proof) => judge(proof, options).verdict.code);
    const seen = new Set(met);
    expect(VERDICTS.filter((code) => !seen.has(code))).toEqual([]);
  });
});
