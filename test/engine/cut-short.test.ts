import { expect, test } from 'vitest';
import { nearestFirst } from '../../src/adhoc/nearest-first.js';
import { noteCutShort } from '../../src/engine/cut-short.js';
import type { Draft } from '../../src/engine/draft.js';
import { exitCode } from '../../src/proof/exit-code.js';
import { judge } from '../../src/proof/judge.js';
import { proofRecord } from '../../src/proof/record.js';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import { A, evidence, mutation, step, TODAY } from '../proof/build.js';
import { laneNamed } from './builders.js';

const one = { spec: mutation({ lane: 'all' }), pulledIn: false, notApplied: null };
/** Builders measure in lane `unit`, which is the one of the nearest tests here. */
const near = { ...implicitLane(), name: 'unit' };
const { rounds } = nearestFirst(one, { lane: near, files: ['test_a.py'], of: 5 }, laneNamed('all'));

const GREEN = { mutated: step('mutated'), mutatedAgain: null, restored: null };
const FLIPPED = { mutated: step('mutated', { [A]: 'failed' }) };

/** Verdict, reason and exit code of what was measured when the run ended. */
function ended(measured: Partial<Draft>, asked: Parameters<typeof noteCutShort>[1]) {
  const draft = evidence(measured) as Draft;
  noteCutShort([draft], asked, TODAY);
  const proof = proofRecord(draft, judge(draft, { today: TODAY }));
  const code = exitCode({ proofs: [proof], declared: 1, signal: null, allow: [] });
  return [proof.verdict, code, proof.facts.join(), proof.reason];
}

test('nothing that moved in the nearest tests is no answer where the others were not asked', () => {
  const [verdict, code, ...told] = ended(GREEN, rounds);
  expect([verdict, code]).toEqual(['incomplete', 3]);
  expect(told.join()).toContain('the run ended before the others were asked');
});

test('what the nearest tests noticed stands, and so does what no other is asked for', () => {
  expect(ended(FLIPPED, rounds).slice(0, 2)).toEqual(['pinned', 0]);
  expect(ended(GREEN, undefined).slice(0, 2)).toEqual(['survived', 1]);
  expect(ended(GREEN, {}).slice(0, 2)).toEqual(['survived', 1]);
});
