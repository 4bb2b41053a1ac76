import { describe, expect, it } from 'vitest';
import { judge } from '../../src/proof/judge.js';
import { endingPhrase, proofRecord, summarise } from '../../src/proof/record.js';
import type { ProofEvidence } from '../../src/proof/evidence.js';
import type { ProofRecord } from '../../src/record/schema.js';
import { recordSchema } from '../../src/record/schema.js';
import type { MutationSpec } from '../../src/spec/model.js';
import {
  A,
  ALIVE,
  B,
  C,
  D,
  MUTANT,
  ORIGINAL,
  SOURCE,
  TODAY,
  before,
  control,
  crash,
  evidence,
  expectFlip,
  flips,
  step,
  still,
} from './build.js';

const record = (
  more: Partial<ProofEvidence> = {},
  spec: Partial<MutationSpec> = {},
): ProofRecord => {
  const proof = evidence(more, spec);
  return proofRecord(proof, judge(proof, { today: TODAY }));
};

const proofs = recordSchema.shape.proofs;

describe('a proof record', () => {
  it('holds what its readers expect', () => {
    const reach = { state: 'unknown', why: 'module level' } as const;
    const all = [
      record(),
      record({ mutated: still, reach, reachStep: step('reach') }, { controls: [control(D)] }),
      record({ ...before, baseline: null, selection: null }, { controls: [control(D, 'slow')] }),
      record({ restore: { kind: 'kept', kept: [{ path: SOURCE, keptAs: '/kept' }] } }),
    ];
    expect(proofs.parse(all)).toEqual(all);
  });

  it('is one row a step, with full sums', () => {
    const { steps, files } = record({ restored: step('restored', {}, { scope: [A] }) });
    expect(steps.map((each) => [each.step, each.scope, each.complete])).toEqual([
      ['baseline', 'lane', true],
      ['mutated', 'lane', true],
      ['mutated', 1, true],
      ['restored', 1, true],
    ]);
    expect(files).toEqual([
      { path: SOURCE, baseline: ORIGINAL, mutated: MUTANT, restored: ORIGINAL },
    ]);
  });

  it('says how much of a class and a file did not move, unasked', () => {
    expect(record({ mutated: step('mutated', { [A]: 'failed' }) }).around).toMatchObject([
      {
        group: 'tests/test_routes.py::TestPause',
        held: 1,
        moved: 1,
        counts: { mutated: { passed: 1, failed: 1 } },
      },
      { group: 'tests/test_routes.py', held: 2, moved: 1, counts: { restored: { passed: 3 } } },
    ]);
  });

  it('says nothing of a group that is one test, or new', () => {
    const mutated = step('mutated', { 'tests/new.py::test_x': 'failed' });
    expect(record({ mutated }, { flips: { kind: 'any' } }).around).toEqual([]);
  });

  it('leaves out the restored counts of a group that was not run whole', () => {
    const { around } = record({ restored: step('restored', {}, { scope: [A] }) });
    expect(around.map(({ counts }) => counts.restored)).toEqual([null, null]);
  });

  it('keeps an expected test that moved otherwise among the moves and the missing', () => {
    const { flips: found } = record(
      { mutated: step('mutated', { [A]: 'failed', [B]: 'error' }) },
      flips(A, B),
    );
    expect(found).toMatchObject({
      declared: 2,
      expected: [{ test: A }],
      missing: [B],
      also: [{ test: B }],
    });
  });

  it('declares as many flips as a group must have', () => {
    const { flips: found } = record({}, flips(expectFlip('tests/test_routes.py', { count: 1 })));
    expect(found).toMatchObject({ declared: 1, expected: [{ test: A }], missing: [] });
  });

  it('misses nothing of a group of which more flipped than its count', () => {
    const more = { mutated: step('mutated', { [A]: 'failed', [B]: 'failed' }) };
    const { flips: found } = record(more, flips(expectFlip('tests/test_routes.py', { count: 1 })));
    expect(found).toMatchObject({ declared: 1, missing: [] });
  });

  it('never gives a control that was not measured the counts of another step', () => {
    const { controls } = record({}, { controls: [control(D, 'slow')] });
    expect(controls).toEqual([
      {
        selector: D,
        lane: 'slow',
        held: null,
        total: 0,
        moved: [],
        counts: { baseline: null, mutated: null, restored: null },
      },
    ]);
  });

  it('has no patch where none was applied', () => {
    expect(record({ ...before, notApplied: { kind: 'no-file', path: SOURCE } }).patch).toBeNull();
    expect(record().patch).not.toBeNull();
  });

  it('says how a step ended', () => {
    expect(endingPhrase(crash(A))).toBe(`crashed in ${A}: SIGSEGV`);
    expect(endingPhrase({ kind: 'complete' })).toBe('complete');
  });
});

describe('the summary', () => {
  it('adds up to what was declared, and leaves pulled-in proofs out', () => {
    const accept = { accept: { verdict: 'survived', because: 'known', until: null } };
    const all = [
      record(),
      record({ mutated: still }),
      record({ mutated: still, liveness: ALIVE }, accept),
      record({ ...before }),
      record({ pulledIn: true }, { role: 'liveness', flips: { kind: 'any' } }),
      record({
        mutated: step('mutated', { [C]: 'failed' }),
        restore: { kind: 'failed', path: SOURCE, why: 'EIO', original: '/k' },
      }),
    ];
    expect(summarise(all, 6)).toEqual({
      declared: 6,
      graded: 3,
      pinned: 1,
      refuted: 1,
      noEvidence: 1,
      accepted: 1,
      notRestored: 1,
    });
  });
});
