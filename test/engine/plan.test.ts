import { describe, expect, it } from 'vitest';
import { planSessions, type PlannedMutation } from '../../src/engine/plan.js';
import type { MutationSpec } from '../../src/spec/model.js';
import { laneNamed, mutation, probe } from './builders.js';

const planned = (spec: MutationSpec): PlannedMutation => ({
  spec,
  pulledIn: false,
  notApplied: null,
});

const sessions = (...specs: readonly MutationSpec[]): readonly (readonly string[])[] =>
  planSessions(specs.map(planned), [laneNamed('unit'), laneNamed('web')]).map(
    ({ lane, mutations }) => [lane.name, ...mutations.map(({ spec }) => spec.id)],
  );

describe('sessions', () => {
  it('follow the order of the lanes, whatever the order of the mutations', () => {
    expect(
      sessions(mutation('c', { lane: 'web' }), mutation('a'), mutation('d', { lane: 'web' })),
    ).toEqual([
      ['unit', 'a'],
      ['web', 'c', 'd'],
    ]);
  });

  it('prove liveness first, and keep the order of all others', () => {
    expect(sessions(mutation('b'), mutation('a'), mutation('z', { role: 'liveness' }))).toEqual([
      ['unit', 'z', 'b', 'a'],
    ]);
  });

  it('do not share a baseline where other probe files stand in the tree', () => {
    const one = [probe('tests/p.py', 'x'), probe('tests/q.py', 'y')];
    expect(
      sessions(
        mutation('a', { probes: one }),
        mutation('b'),
        mutation('c', { probes: one.toReversed() }),
        mutation('d', { probes: [probe('tests/p.py', 'other')] }),
      ),
    ).toEqual([
      ['unit', 'a', 'c'],
      ['unit', 'b'],
      ['unit', 'd'],
    ]);
  });
});
