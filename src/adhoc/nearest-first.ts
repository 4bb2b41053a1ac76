/** One mutation, measured by the nearest tests first, and by the whole lane where those say nothing. */
import type { PlannedMutation } from '../engine/plan.js';
import type { Rounds } from '../engine/run.js';
import type { Verdict } from '../proof/verdict.js';
import type { RunRecord } from '../record/schema.js';
import type { LaneConfig } from '../spec/model.js';
import type { Nearest } from './nearest-lane.js';

export interface NearestFirst {
  /** The mutation, in the lane of the nearest tests. */
  readonly first: PlannedMutation;
  readonly rounds: Rounds;
}

/** @param one as it is planned in the whole lane */
export function nearestFirst(
  one: PlannedMutation,
  nearest: Nearest,
  full: LaneConfig,
): NearestFirst {
  const near = nearest.lane.name;
  return {
    first: { ...one, spec: { ...one.spec, lane: near }, reach: 'not asked' },
    rounds: {
      next(measured) {
        const last = measured.at(-1);
        const widens = last?.evidence.lane.name === near && saysNothing(last.judgement.verdict);
        return widens ? [one] : [];
      },
      isInterim: ({ evidence, judgement }) =>
        evidence.lane.name === near && saysNothing(judgement.verdict)
          ? `nothing moved in the nearest ${filesText(nearest)}; now all of lane ${full.name}`
          : null,
      conclude: (record) => concluded(record, nearest, full),
    },
  };
}

/**
 * Whether the tests that were asked have nothing to say of the edit, so that others may. What is
 * seen to be imported from elsewhere is so for all of them.
 */
function saysNothing(verdict: Verdict): boolean {
  switch (verdict.code) {
    case 'survived':
    case 'not-selected':
    case 'baseline-red':
      return true;
    case 'not-loaded':
      return verdict.problem.kind === 'unseen' && verdict.problem.flipped.length === 0;
    default:
      return false;
  }
}

const filesText = ({ files, of }: Nearest): string =>
  `${files.length} of ${of} test file${of === 1 ? '' : 's'}`;

function concluded(record: RunRecord, nearest: Nearest, full: LaneConfig): RunRecord {
  const near = nearest.lane.name;
  const isNear = record.proofs.some(({ lane }) => lane === near);
  const note = isNear
    ? `nearest tests first: ${filesText(nearest)}`
    : `the whole lane: nothing moved in the nearest ${filesText(nearest)}`;
  const lanes = record.lanes.map((lane) =>
    lane.name === (isNear ? near : full.name) ? { ...lane, notes: [note, ...lane.notes] } : lane,
  );
  if (!isNear) return { ...record, lanes };
  const rest = nearest.of - nearest.files.length;
  const why = record.proofs.some(({ group }) => group === 'proven')
    ? 'since the nearest noticed'
    : record.stopped === null
      ? 'since the nearest gave the answer'
      : 'since the run ended early';
  const gap = `${rest} of ${nearest.of} test files, ${why} (--full)`;
  return { ...record, lanes, notVerified: [gap, ...record.notVerified] };
}
