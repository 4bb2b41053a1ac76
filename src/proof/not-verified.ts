/** Everything that a run does not show, said aloud. The section is never empty and cannot be switched off. */
import type { LaneRecord, ProofRecord } from '../record/schema.js';

export interface NotVerifiedInput {
  readonly lanes: readonly LaneRecord[];
  readonly proofs: readonly ProofRecord[];
  /** Ids that the selection named. */
  readonly declared: readonly string[];
  /** Lanes of the configuration that no proof of this run used. */
  readonly otherLanes: readonly string[];
  /** Why the run ended early; null: it did not. */
  readonly stopped: string | null;
}

/** One line for each gap, the widest first. */
export function notVerified(input: NotVerifiedInput): string[] {
  const { lanes, proofs, declared, otherLanes, stopped } = input;
  const measured = new Set(proofs.map(({ id }) => id));
  const unmeasured = declared.filter((id) => !measured.has(id));
  return [
    ...(stopped === null ? [] : [`The run ended early: ${stopped}.`]),
    ...(unmeasured.length === 0 ? [] : [`Declared, but not measured: ${list(unmeasured)}.`]),
    ...proofs.flatMap(ofProof),
    ...lanes.flatMap((lane) => ofLane(lane, proofs)),
    ...(otherLanes.length === 0 ? [] : [`Lanes that were not run: ${list(otherLanes)}.`]),
    // True of every run, so that the section always has a line to stand on.
    `Code that no declared mutation edits: ${things(proofs.length, 'mutation')} measured, nothing is claimed beyond.`,
  ];
}

function ofProof(proof: ProofRecord): readonly string[] {
  const { id, verdict, group, controls, reach, loaded } = proof;
  const unmeasured = controls.filter(({ held }) => held === null).map(({ selector }) => selector);
  return [
    ...(group === 'no-evidence' || group === 'critical'
      ? [`${id}: no verdict about the tests (${verdict}).`]
      : []),
    ...(unmeasured.length === 0 ? [] : [`${id}: controls not measured: ${list(unmeasured)}.`]),
    ...(loaded.proof === 'by-effect'
      ? [`${id}: nothing recorded that the mutated bytes ran; that is taken from their effect.`]
      : []),
    ...(reach?.state === 'unknown'
      ? [`${id}: which tests reach the edit is not known: ${reach.why ?? 'not measured'}.`]
      : []),
  ];
}

function ofLane(lane: LaneRecord, proofs: readonly ProofRecord[]): readonly string[] {
  const { name, select, deselected, quarantined, preExisting, collectionErrors, closing } = lane;
  const restored = proofs.filter((proof) => proof.lane === name && proof.files.length > 0);
  const uncollected = collectionErrors.map(({ file, message }) => file ?? message);
  return [
    ...(deselected === 0
      ? []
      : [
          `Lane ${name}: ${things(deselected, 'test')} outside its selection${select === null ? '' : ` (${select})`}.`,
        ]),
    ...(uncollected.length === 0
      ? []
      : [`Lane ${name}: tests in files that cannot be collected: ${list(uncollected)}.`]),
    ...(preExisting.length === 0
      ? []
      : [
          `Lane ${name}: ${things(preExisting.length, 'test')} red before any mutation: ${list(preExisting.map(({ test }) => test))}.`,
        ]),
    ...(quarantined.length === 0
      ? []
      : [
          `Lane ${name}: quarantined: ${list(quarantined.map(({ test, because }) => `${test} (${because})`))}.`,
        ]),
    ...(lane.alive === null ? [`Lane ${name}: nothing showed that it can fail.`] : []),
    ...(closing === null && restored.length > 0
      ? [`Lane ${name}: no closing run of the whole lane on the restored tree.`]
      : []),
    ...(closing !== null && !closing.equal
      ? [
          closing.ending === 'complete'
            ? `Lane ${name}: its closing run was not as the baseline.`
            : `Lane ${name}: its closing run did not finish (${closing.ending}).`,
        ]
      : []),
    ...(lane.baseline !== null && !lane.baseline.complete
      ? [`Lane ${name}: its baseline did not finish (${lane.baseline.ending}).`]
      : []),
  ];
}

/** Names three, counts the rest. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

const things = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
