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

/** One phrase for each gap, the widest first; what is meant is named where there are several. */
export function notVerified(input: NotVerifiedInput): string[] {
  const { lanes, proofs, declared, otherLanes, stopped } = input;
  const measured = new Set(proofs.map(({ id }) => id));
  const unmeasured = declared.filter((id) => !measured.has(id));
  const proofName = ({ id }: ProofRecord): string => (proofs.length === 1 ? '' : `${id}: `);
  const laneName = ({ name }: LaneRecord): string => (lanes.length === 1 ? '' : `lane ${name}: `);
  return [
    ...(stopped === null ? [] : [`the run ended early: ${stopped}`]),
    ...(unmeasured.length === 0 ? [] : [`declared, but not measured: ${list(unmeasured)}`]),
    ...proofs.flatMap((proof) => ofProof(proof, lanes).map((gap) => proofName(proof) + gap)),
    ...lanes.flatMap((lane) =>
      ofLane(lane, { proofs, stopped }).map((gap) => laneName(lane) + gap),
    ),
    ...(otherLanes.length === 0 ? [] : [`other lanes: ${list(otherLanes)}`]),
    ...(proofs.some(restsOnFlips)
      ? ['more runs of what flipped: a test may fail by chance each time']
      : []),
    // True of every run, so that the section always has a line to stand on.
    'code that no mutation here edits',
  ];
}

function ofProof(proof: ProofRecord, lanes: readonly LaneRecord[]): readonly string[] {
  const { verdict, group, controls, reach, loaded, flips } = proof;
  const nothingMoved = flips.expected.length === 0 && flips.also.length === 0;
  const unmeasured = controls.filter(({ held }) => held === null).map(({ selector }) => selector);
  return [
    ...(group === 'no-evidence' || group === 'critical'
      ? [`what the tests notice (${verdict})`]
      : []),
    ...(unmeasured.length === 0 ? [] : [`controls that were not measured: ${list(unmeasured)}`]),
    // Said once of a whole lane that knows no other proof.
    ...(loaded.proof === 'by-effect' &&
    !lanes.some((lane) => lane.name === proof.lane && !shows(lane))
      ? ['that the mutated bytes ran, other than by their effect']
      : []),
    // An inverted control holds just as well where no test ever comes.
    ...(group === 'proven' && nothingMoved ? ['whether any test reaches the edit'] : []),
    ...(reach?.state === 'unknown'
      ? [`which tests reach the edit (${reach.why ?? 'not measured'})`]
      : []),
  ];
}

const restsOnFlips = ({ group, flips }: ProofRecord): boolean =>
  (group === 'proven' || group === 'refuted') && flips.expected.length > 0;

/** Whether the lane's runner can show which code ran. */
const shows = ({ runner }: LaneRecord): boolean => runner !== 'junit';

interface Surroundings {
  readonly proofs: readonly ProofRecord[];
  readonly stopped: string | null;
}

function ofLane(lane: LaneRecord, { proofs, stopped }: Surroundings): readonly string[] {
  const { name, deselected, quarantined, preExisting, collectionErrors, closing, baseline } = lane;
  // A lane that never ran has nothing to show or to close; its proofs say why.
  if (baseline === null) return [];
  const unrun = proofs
    .filter((proof) => proof.lane === name)
    .flatMap((proof) => (proof.unrun ?? []).map(({ tests, why }) => `${tests}: ${why}`));
  const uncollected = [...new Set(collectionErrors.map(({ file, message }) => file ?? message))];
  return [
    ...(shows(lane)
      ? []
      : [
          `which code its tests run (${lane.runner}, load proof: none): a mutant shows by its effect alone`,
        ]),
    ...new Set(unrun),
    ...(deselected === 0 ? [] : [things(deselected, 'deselected test')]),
    ...(uncollected.length === 0
      ? []
      : [`tests in files that cannot be collected: ${list(uncollected)}`]),
    ...(preExisting.length === 0
      ? []
      : [
          `${things(preExisting.length, 'test')} red before: ${list(preExisting.map(({ test }) => test))}`,
        ]),
    ...(quarantined.length === 0
      ? []
      : [`quarantined: ${list(quarantined.map(({ test, because }) => `${test} (${because})`))}`]),
    ...(baseline.complete ? [] : [`its baseline, which did not finish (${baseline.ending})`]),
    ...(lane.alive === null ? ['a liveness control: nothing showed that it can fail'] : []),
    ...(needsClosing(name, proofs) && closing === null
      ? [`a closing run of the lane${stopped === null ? ' (--verify full)' : ''}`]
      : []),
    ...(closing !== null && !closing.equal ? ['that its closing run is as the baseline'] : []),
  ];
}

/** A lane that was run whole after its last mutation is closed by that. */
function needsClosing(lane: string, proofs: readonly ProofRecord[]): boolean {
  const written = proofs.filter((proof) => proof.lane === lane && proof.files.length > 0);
  const last = written.at(-1)?.steps.findLast(({ step }) => step === 'restored');
  return written.length > 0 && last?.scope !== 'lane';
}

/** Names three, counts the rest. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

const things = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
