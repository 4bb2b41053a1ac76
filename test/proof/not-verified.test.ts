import { describe, expect, it } from 'vitest';
import { judge } from '../../src/proof/judge.js';
import { notVerified } from '../../src/proof/not-verified.js';
import type { NotVerifiedInput } from '../../src/proof/not-verified.js';
import type { ProofEvidence } from '../../src/proof/evidence.js';
import { proofRecord } from '../../src/proof/record.js';
import type { LaneRecord, ProofRecord } from '../../src/record/schema.js';
import type { MutationSpec } from '../../src/spec/model.js';
import { A, D, TODAY, UNSEEN, before, control, evidence, flipsA, step, still } from './build.js';

const lane = (more: Partial<LaneRecord> = {}): LaneRecord => ({
  name: 'unit',
  runner: 'pytest',
  command: ['pytest'],
  from: 'counterproof.yaml',
  tool: 'python',
  versions: {},
  select: null,
  probes: [],
  collected: 5,
  selected: 5,
  deselected: 0,
  files: [],
  preExisting: [],
  collectionErrors: [],
  quarantined: [],
  baseline: { counts: {}, durationMs: 1, complete: true, ending: 'complete' },
  closing: { counts: {}, durationMs: 1, equal: true, ending: 'complete' },
  alive: { by: 'alive', flipped: A },
  notes: [],
  ...more,
});

const proof = (
  more: Partial<ProofEvidence> = {},
  spec: Partial<MutationSpec> = {},
): ProofRecord => {
  const each = evidence(more, spec);
  return proofRecord(each, judge(each, { today: TODAY }));
};

const narrow = step('restored', { [A]: 'passed' }, { scope: [A] });

const lines = (more: Partial<NotVerifiedInput> = {}): readonly string[] =>
  notVerified({
    lanes: [lane()],
    proofs: [proof()],
    declared: ['rename-route'],
    otherLanes: [],
    stopped: null,
    ...more,
  });

describe('not verified', () => {
  it('names once what the lane leaves out and may notice the edits', () => {
    const unrun = [{ tests: 'doctests of jail', why: 'no `doc`' }];
    const seen = step('mutated', { [A]: 'failed' });
    const leaving = proof({
      mutated: { ...seen, loads: seen.loads.map((load) => ({ ...load, unrun })) },
    });
    const named = (proofs: readonly ProofRecord[]): readonly string[] =>
      lines({ proofs }).filter((line) => line.includes('doctests'));
    expect(named([leaving, { ...leaving, id: 'another' }])).toEqual(['doctests of jail: no `doc`']);
    const path = 'src/not_edited.rs';
    const loads = seen.loads.map((load) => ({ ...load, path, unrun }));
    expect(named([proof({ mutated: { ...seen, loads } })])).toEqual([]);
    expect(named([proof()])).toEqual([]);
  });

  it('is never empty, and has one line where there is nothing more to say', () => {
    expect(lines({ proofs: [proof({ mutated: still }, { flips: { kind: 'none' } })] })).toEqual([
      'whether any test reaches the edit',
      'code that no mutation here edits',
    ]);
    expect(
      notVerified({ lanes: [], proofs: [], declared: [], otherLanes: [], stopped: null }),
    ).toHaveLength(1);
  });

  const rows: readonly (readonly [string, Partial<NotVerifiedInput>, string])[] = [
    ['a run that ended early', { stopped: 'interrupted' }, 'interrupted'],
    ['a declared mutation that was not measured', { declared: ['rename-route', 'other'] }, 'other'],
    ['a verdict without evidence', { proofs: [proof(before)] }, 'incomplete'],
    [
      'a control that was not measured',
      { proofs: [proof({}, { controls: [control(D, 'slow')] })] },
      D,
    ],
    [
      'a proof by effect',
      {
        proofs: [
          proof({
            mutated: step('mutated', { [A]: 'failed' }, { loads: UNSEEN }),
            mutatedAgain: flipsA,
          }),
        ],
      },
      'effect',
    ],
    [
      'a reach that is not known',
      { proofs: [proof({ mutated: still, reach: { state: 'unknown', why: 'module level' } })] },
      'module level',
    ],
    ['deselected tests', { lanes: [lane({ deselected: 80 })] }, '80 deselected tests'],
    [
      'uncollectable files',
      { lanes: [lane({ collectionErrors: [{ file: 'tests/bad.py', message: 'x' }] })] },
      'tests/bad.py',
    ],
    [
      'failures from before',
      { lanes: [lane({ preExisting: [{ test: D, outcome: 'failed', message: null }] })] },
      D,
    ],
    [
      'quarantined tests',
      { lanes: [lane({ quarantined: [{ test: D, because: 'port' }] })] },
      `${D} (port)`,
    ],
    ['a lane that did not show that it can fail', { lanes: [lane({ alive: null })] }, 'can fail'],
    [
      'no closing run',
      { lanes: [lane({ closing: null })], proofs: [proof({ restored: narrow })] },
      'closing run',
    ],
    [
      'a closing run that differs',
      {
        lanes: [lane({ closing: { counts: {}, durationMs: 1, equal: false, ending: 'complete' } })],
      },
      'closing run',
    ],
    [
      'a baseline that did not finish',
      {
        lanes: [
          lane({ baseline: { counts: {}, durationMs: 1, complete: false, ending: 'crashed' } }),
        ],
      },
      'crashed',
    ],
    ['other lanes', { otherLanes: ['slow', 'gpu'] }, 'slow, gpu'],
  ];
  for (const [title, more, said] of rows) {
    it(`names ${title}`, () => {
      expect(lines(more).some((line) => line.includes(said))).toBe(true);
      expect(lines().some((line) => line.includes(said))).toBe(false);
    });
  }

  it('says once how often flips were seen, and only where a verdict rests on one', () => {
    const often = 'more runs of what flipped: a test may fail by chance each time';
    expect(lines({ proofs: [proof(), proof()] })).toEqual([
      often,
      'code that no mutation here edits',
    ]);
    expect(lines({ proofs: [proof({ mutated: still })] })).not.toContain(often);
    expect(lines({ proofs: [proof({ interrupted: true, mutatedAgain: null })] })).not.toContain(
      often,
    );
  });

  it('says once of a junit lane that it shows no code, and not of each of its proofs', () => {
    const byEffect = proof({
      mutated: step('mutated', { [A]: 'failed' }, { loads: UNSEEN }),
      mutatedAgain: flipsA,
    });
    const said = lines({ lanes: [lane({ runner: 'junit' })], proofs: [byEffect, byEffect] });
    expect(said.filter((line) => line.includes('effect'))).toEqual([
      'which code its tests run (junit, load proof: none): a mutant shows by its effect alone',
    ]);
  });

  it('takes a whole restored run of the last mutation for a closing run', () => {
    const closed = { lanes: [lane({ closing: null })], proofs: [proof()] };
    expect(lines(closed).some((line) => line.includes('closing run'))).toBe(false);
  });

  it('names reach where an inverted control held', () => {
    const held = proof({ mutated: still }, { flips: { kind: 'none' } });
    expect(lines({ proofs: [held] })).toContain('whether any test reaches the edit');
    expect(lines()).not.toContain('whether any test reaches the edit');
  });

  it('names what is meant only where there are several', () => {
    const gap = lane({ deselected: 2 });
    expect(lines({ lanes: [gap] })).toContain('2 deselected tests');
    expect(lines({ lanes: [gap, lane({ name: 'slow' })] })).toContain(
      'lane unit: 2 deselected tests',
    );
  });

  it('names three of many, and counts the rest', () => {
    expect(lines({ otherLanes: ['a', 'b', 'c', 'd', 'e'] })).toContain(
      'other lanes: a, b, c and 2 more',
    );
  });
});
