/** What the engine must run next, decided from the evidence so far. Pure, so that each decision is a table. */
import type { ClosingFacts, Liveness, ProofEvidence, Reach, StepEvidence } from './evidence.js';
import { enderOf, readFacts } from './facts.js';
import type { Judgement } from './judge.js';
import { moved, repeatNeeded, restoredIds, secondRunsNeeded } from './needs.js';
import type { SecondRun } from './needs.js';
import { isRed } from './outcome.js';
import { viewStep } from './moves.js';
import { idsOf } from './step.js';
import { isAsBaseline, isWhole, movesFromBaseline, type MeasuredLane } from './stability.js';
import { GROUP_OF } from './verdict.js';
import { survived } from './verdicts/moved.js';

/** Ids that a narrow restored run must cover, by lane name; a lane with none needs no restored run. */
export function restoredScope(evidence: ProofEvidence): ReadonlyMap<string, readonly string[]> {
  const { own, outside } = readFacts(evidence);
  const lanes = [own, ...outside.map(({ facts }) => facts)].filter((lane) => lane !== null);
  return new Map(lanes.map((lane) => [lane.steps.lane.name, [...restoredIds(lane)]]));
}

/** Tests of the mutation's own lane that moved, or whose end ended the run. */
export function movedTests(evidence: ProofEvidence): readonly string[] {
  const { own } = readFacts(evidence);
  return own === null ? [] : moved(own);
}

/**
 * In place, mutations may share one restored run only while no test moved in more than one of
 * them: before a test may count again as a flip it has been green on the restored tree since it
 * last moved. A lock file left by one mutation would otherwise flip the next one's test.
 * In an overlay a fresh upper layer for each mutation stands in for that.
 */
export function mayShareRestored(
  pending: readonly { readonly moved: readonly string[] }[],
  next: { readonly moved: readonly string[] },
  isolation: 'in-place' | 'overlay',
): boolean {
  if (isolation === 'overlay') return true;
  const before = new Set(pending.flatMap((proof) => proof.moved));
  return !next.moved.some((test) => before.has(test));
}

/**
 * Whether the restored run must be repeated with the whole lane before anything is concluded:
 * it differs from the baseline or did not end. By lane name.
 */
export function needsRestoredAgain(evidence: ProofEvidence): readonly string[] {
  const { own, outside } = readFacts(evidence);
  return [own, ...outside.map(({ facts }) => facts)]
    .filter((lane) => lane !== null)
    .filter(({ restoring }) => restoring.kind === 'to-repeat')
    .map(({ steps }) => steps.lane.name);
}

/** The mutated lanes that must be run a second time, and were not. Asked while the mutant stands. */
export function needsSecondMutatedRuns(evidence: ProofEvidence): readonly SecondRun[] {
  const steps = [evidence, ...evidence.outsideControls];
  const again = new Set(
    steps.filter((each) => each.mutatedAgain !== null).map(({ lane }) => lane.name),
  );
  return secondRunsNeeded(readFacts(evidence)).filter(({ lane }) => !again.has(lane));
}

/**
 * Which run a mutated lane still needs whose narrow second run differs from the first: it is run
 * with all tests of the first, once or twice, before anything is concluded. null: none.
 */
export function needsMutatedOnceMore(
  evidence: ProofEvidence,
  lane: string,
): 'mutatedOnceMore' | 'mutatedLast' | null {
  const { own, outside } = readFacts(evidence);
  const found = [own, ...outside.map(({ facts }) => facts)].find(
    (each) => each?.steps.lane.name === lane,
  );
  return found == null ? null : repeatNeeded(found);
}

/** The test without which the mutated lane must be run, as `to` names what it did; null: none. */
export function needsRunWithout(evidence: ProofEvidence): string | null {
  return evidence.withoutEnder === null ? (enderOf(evidence)?.id ?? null) : null;
}

/**
 * Whether to find out which tests reach the edit: nothing moved, and nobody asked yet. Asked
 * before the restored run, so that one run can cover what both moved. A liveness mutation that moved nothing needs no second one.
 */
export function needsReach(evidence: ProofEvidence): boolean {
  if (evidence.reach !== null || evidence.mutation.role === 'liveness') return false;
  const facts = readFacts(evidence);
  if (facts.own?.mutatedStep?.ending.kind !== 'complete') return false;
  return facts.loading.kind === 'proven' && survived(facts) !== null;
}

/** Reads the run that raises at the head of the edited function. */
export function reachOf(step: StepEvidence, baseline: StepEvidence): Reach {
  const noticed = viewStep(baseline, step)
    .moves.filter(({ to }) => isRed(to))
    .map(({ test }) => test);
  const tests = new Set([...idsOf(baseline), ...step.results.map(({ id }) => id)]);
  const by = [...new Set([...step.reached, ...noticed])].filter((id) => tests.has(id));
  if (by.length > 0) return { state: 'reached', by, noticed };
  if (step.reached.length > 0)
    return { state: 'unknown', why: 'the edited function runs, but outside of any test' };
  if (step.ending.kind === 'broken') {
    const [cause] = step.ending.causes;
    const said = cause === undefined ? '' : `: ${cause.message}`;
    return { state: 'unknown', why: `with the raise in it nothing could be run${said}` };
  }
  if (step.ending.kind !== 'complete') {
    return { state: 'unknown', why: 'the run that was to show it did not finish' };
  }
  if (step.collectionErrors.length > baseline.collectionErrors.length) {
    return { state: 'unknown', why: 'the edited function runs while tests are collected' };
  }
  return step.unseen === undefined
    ? { state: 'unreached' }
    : { state: 'unknown', why: step.unseen };
}

/** One judged proof of a lane, as far as liveness asks for it. */
export interface LaneProof {
  readonly evidence: ProofEvidence;
  readonly judgement: Pick<Judgement, 'verdict' | 'flipped' | 'also'>;
}

/**
 * Whether the lane has shown in this run that it can fail. One declared liveness mutation that
 * flips nothing outweighs everything. Otherwise a liveness mutation shows it best, then any
 * flip, then an automatic raise that a test noticed. Judge the lane's proofs again with the answer.
 */
export function laneLiveness(proofs: readonly LaneProof[]): Liveness {
  const dead = proofs.find(
    ({ judgement: { verdict } }) => verdict.code === 'dead-lane' && verdict.own,
  );
  if (dead !== undefined) return { kind: 'dead', by: dead.evidence.mutation.id };
  const declared = proofs.filter(({ evidence }) => evidence.mutation.role === 'liveness');
  const others = proofs.filter(({ evidence }) => evidence.mutation.role !== 'liveness');
  for (const { evidence, judgement } of [...declared, ...others]) {
    const flipped = failureIn(judgement);
    if (flipped !== null) return { kind: 'alive', by: evidence.mutation.id, flipped };
  }
  for (const { evidence } of proofs) {
    const noticed = evidence.reach?.state === 'reached' ? evidence.reach.noticed[0] : undefined;
    if (noticed !== undefined) {
      const by = `a raise at the edit of ${evidence.mutation.id}`;
      return { kind: 'alive', by, flipped: noticed };
    }
  }
  return { kind: 'not-shown' };
}

/** A test that went red in a proof that could be judged. */
function failureIn({ verdict, flipped, also }: LaneProof['judgement']): string | null {
  const group = GROUP_OF[verdict.code];
  if (group !== 'refuted' && group !== 'proven') return null;
  return [...flipped, ...also].find(({ from, to }) => from === 'passed' && isRed(to))?.test ?? null;
}

/** A proof since the lane's last green run of the whole lane. */
export interface OpenProof {
  readonly id: string;
  /** Tests that its verdict rests on: expected, moved, and those of its controls. */
  readonly concerns: readonly string[];
}

export interface ClosingVerdict {
  /** Ids of proofs whose `closing` is to be set to these two runs, and which are to be judged again. */
  readonly voided: readonly string[];
  /** `steady`: both runs differ in the same way; `chance`: they do not agree; `none`: all is as before. */
  readonly why: 'steady' | 'chance' | 'none';
}

/**
 * What a closing run that is not as the baseline does to the proofs since the last green one.
 * A difference that repeats voids all of them: what they left behind may have made it. One that
 * does not repeat voids those that rest on that test. As long as no run of the two was whole,
 * nothing is known, and all are void.
 *
 * @param again the repeat; null: it has not been run, so everything stays void
 */
export function closingVoids(
  open: readonly OpenProof[],
  lane: MeasuredLane,
  { first, again }: ClosingFacts,
): ClosingVerdict {
  if (isAsBaseline(lane, first)) return { voided: [], why: 'none' };
  const all = open.map(({ id }) => id);
  if (again === null || !isWhole(again)) return { voided: all, why: 'chance' };
  const differs = movesFromBaseline(lane, first);
  const still = movesFromBaseline(lane, again);
  const repeated = new Map(still.map(({ test, to }) => [test, to]));
  if (differs.some(({ test, to }) => repeated.get(test) === to)) {
    return { voided: all, why: 'steady' };
  }
  const unsteady = new Set([...differs, ...still].map(({ test }) => test));
  const voided = open.filter(({ concerns }) => concerns.some((test) => unsteady.has(test)));
  return { voided: voided.map(({ id }) => id), why: 'chance' };
}

/** What `closingVoids` asks of a proof. */
export function openProof(evidence: ProofEvidence): OpenProof {
  const { own, expected } = readFacts(evidence);
  const controls = (own?.controls ?? []).flatMap(({ members }) => members);
  const all =
    evidence.mutation.exact || evidence.mutation.flips.kind === 'none' ? (own?.ids ?? []) : [];
  const concerns = new Set([...expected, ...(own === null ? [] : moved(own)), ...controls, ...all]);
  return { id: evidence.mutation.id, concerns: [...concerns] };
}
