import { expect, test } from 'vitest';
import { gapsOf, groupAlike } from '../../src/report/alike.js';
import { acceptedProof, lane, notLoadedProof, proof, record, survivedProof } from './records.js';

const voided = (id: string, more = {}) =>
  proof('unsettled', { id, reason: 'for a cause', ...more });
const ids = (proofs: Parameters<typeof groupAlike>[0]) =>
  groupAlike(proofs).map((group) => group.map(({ id }) => id));

test('proofs without evidence for one cause stand together, where the first of them stands', () => {
  const between = { ...survivedProof, id: 'between' };
  expect(
    ids([voided('a'), between, voided('b'), voided('c'), { ...acceptedProof, id: 'd' }]),
  ).toEqual([['a', 'b', 'c'], ['between'], ['d']]);
});

test.each([
  ['another lane', { lane: 'other' }],
  ['another reason', { reason: 'for another' }],
  ['other facts', { facts: ['a fact'] }],
  ['another next step', { next: ['do'] }],
  ['work of somebody that was kept', { kept: [{ path: 'a.py', keptAs: 'b' }] }],
])('what has %s stands alone', (_, more) => {
  expect(ids([voided('a'), voided('b'), voided('c'), voided('d', more)])).toEqual([
    ['a', 'b', 'c'],
    ['d'],
  ]);
});

test('two stand each for itself, and what is refuted always does', () => {
  const refuted = ['x', 'y', 'z'].map((id) => ({ ...survivedProof, id }));
  expect(ids([voided('a'), voided('b'), ...refuted])).toEqual([['a'], ['b'], ['x'], ['y'], ['z']]);
});

test('a gap of several mutations is said once, with how many; one of the run as it is', () => {
  const proofs = ['a: b', 'a', 'c'].map((id) => ({ ...notLoadedProof, id }));
  const gaps = ['the widest gap: c', 'a: b: the same', 'a: the same', 'a: another', 'c: the same'];
  expect(gapsOf(record(proofs, { notVerified: gaps }))).toEqual([
    'the widest gap: c',
    'a: b and 2 more: the same',
    'a: another',
  ]);
});

test('a gap of a lane is none of a mutation that is called like it', () => {
  const proofs = ['lane unit', 'a', 'b'].map((id) => ({ ...notLoadedProof, id }));
  const gaps = ['lane unit: the same', 'a: the same', 'b: the same'];
  const lanes = [lane({ name: 'unit' }), lane({ name: 'other' })];
  expect(gapsOf(record(proofs, { lanes, notVerified: gaps }))).toEqual(gaps);
});
