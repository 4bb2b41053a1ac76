/** What the record tells of each lane in which something was run. */
import type { StepEvidence } from '../proof/evidence.js';
import { isRed } from '../proof/outcome.js';
import { endingPhrase } from '../proof/record.js';
import { baselineDisagreements, isAsBaseline, type MeasuredLane } from '../proof/stability.js';
import { resultsById } from '../proof/step.js';
import type { LaneRecord } from '../record/schema.js';
import type { LaneState } from './lane-state.js';
import type { SessionState } from './session.js';

/** One for each session that was opened, then one for each lane that served controls alone. */
export const laneRecords = (states: readonly SessionState[]): LaneRecord[] => [
  ...states.flatMap((state) =>
    state.opened === null ? [] : [laneRecord(ownFacts(state), state.opened.lane)],
  ),
  ...lanesOfControls(states).map((lane) => laneRecord(controlFacts(states, lane), lane)),
];

/** Lanes in which controls were run, and no mutation of their own was. */
function lanesOfControls(states: readonly SessionState[]): readonly LaneState[] {
  const own = new Set(states.map(({ session }) => session.lane.name));
  const found = new Map<string, LaneState>();
  for (const lane of states.flatMap(({ opened }) => opened?.outside ?? []))
    if (!own.has(lane.config.name) && !found.has(lane.config.name))
      found.set(lane.config.name, lane);
  return [...found.values()];
}

/** What a lane's record says beside the lane itself. */
interface LaneFacts {
  readonly probes: readonly string[];
  readonly alive: LaneRecord['alive'];
  readonly closing: StepEvidence | null;
  /** Why it ran in fewer slots than there were; null: it did not. */
  readonly fewer: string | null;
}

function ownFacts({ session, drafts, closing, opened }: SessionState): LaneFacts {
  const liveness = drafts[0]?.liveness;
  return {
    probes: session.probes.map(({ path }) => path),
    alive: liveness?.kind === 'alive' ? { by: liveness.by, flipped: liveness.flipped } : null,
    closing: opened === null ? null : lastClosing(closing, opened.lane),
    fewer: opened?.fewer ?? null,
  };
}

/** Of several slots the one whose last run is not as the baseline, where there is any. */
function lastClosing(closing: SessionState['closing'], lane: LaneState): StepEvidence | null {
  const last = closing.flatMap((runs) => runs.at(-1) ?? []);
  return last.find((run) => !isAsBaseline(measured(lane), run)) ?? last[0] ?? null;
}

const measured = (lane: LaneState): MeasuredLane => ({
  ...lane,
  quarantined: lane.config.quarantine,
});

/** A control that turned red, and green again, refutes its mutation and shows that its lane can fail. */
function controlFacts(states: readonly SessionState[], { config }: LaneState): LaneFacts {
  const nothing: LaneFacts = { probes: [], alive: null, closing: null, fewer: null };
  for (const draft of states.flatMap(({ drafts }) => drafts)) {
    const steps = draft.outsideControls.find(({ lane }) => lane.name === config.name);
    const { baseline = null, mutated = null, restored = null } = steps ?? {};
    if (baseline === null || mutated === null || restored === null) continue;
    const before = resultsById(baseline.results);
    const after = resultsById(restored.results);
    const flipped = mutated.results.find(
      ({ id, outcome }) =>
        outcome === 'failed' &&
        before.get(id)?.outcome === 'passed' &&
        !isRed(after.get(id)?.outcome ?? 'passed'),
    );
    if (flipped !== undefined)
      return { ...nothing, alive: { by: draft.mutation.id, flipped: flipped.id } };
  }
  return nothing;
}

function laneRecord(facts: LaneFacts, lane: LaneState): LaneRecord {
  const { probes, alive, closing: last, fewer } = facts;
  const { config, description, baseline, selection } = lane;
  const disagreements =
    baseline === null ? [] : [...baselineDisagreements(baseline, lane.otherBaselines).keys()];
  return {
    name: config.name,
    runner: config.runner,
    command: [...(description?.command ?? [])],
    from: description?.from ?? lane.problem?.message ?? '',
    tool: description?.tool ?? '',
    versions: { ...description?.versions },
    select: config.select,
    probes: [...probes],
    collected: selection?.collected ?? 0,
    selected: selection?.selected ?? 0,
    deselected: selection?.deselected.length ?? 0,
    files: (selection?.files ?? []).map((file) => ({ ...file })),
    preExisting: (baseline?.results ?? [])
      .filter(({ outcome }) => isRed(outcome))
      .map(({ id, outcome, message }) => ({ test: id, outcome, message })),
    collectionErrors: (baseline?.collectionErrors ?? []).map(({ file, message }) => ({
      file,
      message,
    })),
    quarantined: [
      ...config.quarantine,
      ...disagreements.map((test) => ({
        test,
        because: 'disagrees with itself between baseline runs',
      })),
    ],
    baseline:
      baseline === null
        ? null
        : {
            counts: baseline.counts,
            durationMs: baseline.durationMs,
            complete: baseline.ending.kind === 'complete',
            ending: endingPhrase(baseline.ending),
          },
    closing:
      last === null
        ? null
        : {
            counts: last.counts,
            durationMs: last.durationMs,
            equal: isAsBaseline(measured(lane), last),
            ending: endingPhrase(last.ending),
          },
    alive,
    notes: [
      ...(lane.problem === null ? [] : [lane.problem.message]),
      ...(fewer === null ? [] : [fewer]),
      ...(baseline?.notes ?? []),
    ],
  };
}
