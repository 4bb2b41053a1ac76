/** What `try` measures: one mutation, by which tests, and what the record says beside it. */
import { posix, relative, sep } from 'node:path';
import type { PlannedMutation } from '../engine/plan.js';
import type { Rounds } from '../engine/run.js';
import type { RunRecord } from '../record/schema.js';
import type { LaneConfig } from '../spec/model.js';
import { nearestFirst } from './nearest-first.js';
import { nearestLane } from './nearest-lane.js';

export interface TryOrder {
  /** Absolute. */
  readonly tree: string;
  readonly root: string;
  /** The whole lane. */
  readonly lane: LaneConfig;
  /** In the whole lane. */
  readonly planned: PlannedMutation;
  /** Files that are edited, relative to the tree. */
  readonly sources: readonly string[];
  /** Test files that are asked whatever they import, relative to the tree. */
  readonly tests: readonly string[];
  readonly extent: 'nearest first' | 'whole lane';
  /** What is to be known of the lane, and what was not verified, a phrase each. */
  readonly notes: readonly string[];
  readonly gaps: readonly string[];
}

export interface Trying {
  readonly mutations: readonly PlannedMutation[];
  /** All that may be run. */
  readonly lanes: readonly LaneConfig[];
  readonly rounds: Rounds;
}

/** Decides by which tests the mutation is measured first. */
export async function planTry(order: TryOrder): Promise<Trying> {
  const { planned, lane } = order;
  const nearest = await nearestOf(order);
  const add = (record: RunRecord): RunRecord => ({
    ...record,
    lanes: record.lanes.map((each) => ({ ...each, notes: [...order.notes, ...each.notes] })),
    notVerified: [...order.gaps, ...record.notVerified],
  });
  if (nearest === null)
    return {
      mutations: [planned],
      lanes: [lane],
      rounds: { next: () => [], isInterim: () => null, conclude: add },
    };
  const { first, rounds } = nearestFirst(planned, nearest, lane);
  return {
    mutations: [first],
    lanes: [nearest.lane, lane],
    rounds: {
      ...rounds,
      conclude: (record, measured) => add(rounds.conclude(record, measured)),
    },
  };
}

/** Tests that must notice have to be among the nearest, and `exact` is a question to all of them. */
async function nearestOf({
  planned: { spec, notApplied },
  extent,
  ...order
}: TryOrder): ReturnType<typeof nearestLane> {
  if (extent === 'whole lane' || spec.exact || notApplied !== null) return null;
  const root = relative(order.tree, order.root).replaceAll(sep, '/');
  const expected =
    spec.flips.kind === 'tests'
      ? spec.flips.tests.map(({ test }) => posix.join(root, test.split('::')[0] ?? test))
      : [];
  const nearest = await nearestLane({ ...order, named: [...order.tests, ...expected] });
  return nearest !== null && expected.every((file) => nearest.files.includes(file))
    ? nearest
    : null;
}
