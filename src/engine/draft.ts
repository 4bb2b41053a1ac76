import type { LaneSteps, ProofEvidence } from '../proof/evidence.js';
import type { LaneState } from './lane-state.js';
import type { Opened } from './open-session.js';
import type { PlannedMutation } from './plan.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Evidence under way: filled step by step, judged when the lane has ended. */
export type Draft = Omit<Mutable<ProofEvidence>, 'outsideControls'> & {
  outsideControls: Mutable<LaneSteps>[];
};

/**
 * Everything that is known of a mutation before anything is written. Field by field: begun with a
 * spread and grown, the object took 19 KB of V8's heap, and the draft of each mutation is kept
 * until its lane has ended.
 */
export function createDraft({ spec, pulledIn }: PlannedMutation, opened: Opened): Draft {
  const { lane, outside, probes, ahead } = opened;
  const known = ahead.get(spec.id);
  const steps = laneSteps(lane);
  return {
    lane: steps.lane,
    baseline: steps.baseline,
    selection: steps.selection,
    otherBaselines: steps.otherBaselines,
    quarantined: steps.quarantined,
    mutated: null,
    company: null,
    mutatedAgain: null,
    mutatedOnceMore: null,
    mutatedLast: null,
    restored: null,
    restoredAgain: null,
    mutation: spec,
    pulledIn,
    notApplied: known?.notApplied ?? null,
    edits: known?.edits ?? [],
    patch: known?.patch ?? null,
    probes,
    files: [],
    compile: known?.compile ?? [],
    build: lane.build.length === 0 ? [] : [{ step: 'baseline', causes: lane.build }],
    withoutEnder: null,
    outsideControls: outside
      .filter(({ config }) => spec.controls.some((each) => each.lane === config.name))
      .map(laneSteps),
    closing: null,
    restore: null,
    touched: [],
    reach: null,
    reachStep: null,
    liveness: { kind: 'not-shown' },
    interrupted: false,
    cutShort: false,
    slotDied: false,
    durationMs: 0,
  };
}

/** What a lane's own runs contribute; nothing mutated yet. */
function laneSteps({ config, baseline, selection, otherBaselines }: LaneState): LaneSteps {
  return {
    lane: { name: config.name, select: config.select },
    baseline,
    selection,
    otherBaselines,
    quarantined: config.quarantine,
    mutated: null,
    company: null,
    mutatedAgain: null,
    mutatedOnceMore: null,
    mutatedLast: null,
    restored: null,
    restoredAgain: null,
  };
}
