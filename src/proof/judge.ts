/** From evidence to a verdict: conditions in a fixed order, the first that holds stands. */
import { lookAround } from './around.js';
import type { AroundFinding } from './around.js';
import type { ControlFinding } from './controls.js';
import type { ProofEvidence } from './evidence.js';
import { readFacts } from './facts.js';
import { anyFlips, type Facts } from './facts.js';
import type { ExpectationFinding } from './flips.js';
import type { Move, StepView } from './moves.js';
import { notesOf } from './notes.js';
import type { Counts, Outcome } from './outcome.js';
import { isRed } from './outcome.js';
import { GROUP_OF } from './verdict.js';
import type { Verdict } from './verdict.js';
import {
  baselineEnding,
  baselineRed,
  notSelected,
  outsideBaselineEnding,
  outsideNotSelected,
} from './verdicts/baseline.js';
import { broken, incomplete, outOfMemory, timedOut } from './verdicts/endings.js';
import {
  caughtElsewhere,
  controlMoved,
  movedOtherwise,
  partial,
  pinned,
  survived,
} from './verdicts/moved.js';
import { notApplied, notRestored, treeTouched } from './verdicts/tree.js';
import { deadLane, flaky, notLoaded, unsettled } from './verdicts/trust.js';

/** A move, and what the test did once the bytes were back; null: it was not run then. */
export interface FinalMove extends Move {
  readonly restored: Outcome | null;
}

/** A control at the end of a proof, also one whose lane was never run. */
export interface ControlResult extends Omit<ControlFinding, 'moved' | 'counts'> {
  readonly moved: readonly FinalMove[];
  readonly counts: { readonly [S in keyof ControlFinding['counts']]: Counts | null };
}

export interface LoadedProof {
  readonly proof: 'compiled' | 'rebuilt' | 'by-effect' | 'none';
  /** What executed the bytes, or whose effect proves it. */
  readonly from: string | null;
}

/** What a proof came to. Derived from its evidence alone, so it can be derived again. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The spec's own acceptance, where it took effect. */
  readonly accepted: { readonly because: string; readonly until: string | null } | null;
  readonly expectations: readonly ExpectationFinding[];
  /** How many tests were expected to flip; a `count` or `min` asks for that many of its group. */
  readonly declared: number;
  /** Expected tests that moved as declared. */
  readonly flipped: readonly FinalMove[];
  /** Expected tests that did not. */
  readonly missing: readonly string[];
  /** All other moves; an expected test that moved otherwise is here and in `missing`. */
  readonly also: readonly FinalMove[];
  readonly controls: readonly ControlResult[];
  readonly around: readonly AroundFinding[];
  /** Of the lane's tests that nobody expected to flip; null: not measured. */
  readonly still: { readonly held: number; readonly total: number } | null;
  readonly loaded: LoadedProof;
  /** Remarks that changed no verdict, a sentence each. */
  readonly notes: readonly string[];
}

export interface JudgeOptions {
  /** ISO date by which an acceptance may have run out. */
  readonly today: string;
}

/** The order of the verdicts. Baselines come in where what they do not know would mislead the next. */
const CONDITIONS: readonly ((facts: Facts) => Verdict | null)[] = [
  notRestored,
  notApplied,
  baselineEnding,
  notSelected,
  outsideBaselineEnding,
  outsideNotSelected,
  baselineRed,
  broken,
  timedOut,
  outOfMemory,
  treeTouched,
  incomplete,
  notLoaded,
  flaky,
  unsettled,
  deadLane,
  survived,
  partial,
  movedOtherwise,
  caughtElsewhere,
  controlMoved,
];

/** Never throws, whatever the evidence: a gap in it is a verdict of its own. */
export function judge(evidence: ProofEvidence, options: JudgeOptions): Judgement {
  const facts = readFacts(evidence);
  const found = firstOf(facts);
  const { verdict, accepted, note } = withAcceptance(evidence, found, options);
  const { own, findings, expectations, expected } = facts;
  const restored = own?.restored ?? null;
  const flipped = unique([...findings.flatMap((finding) => finding.flipped), ...anyFlips(facts)]);
  const asDeclared = new Set(flipped.map(({ test }) => test));
  const also = (own?.moves ?? []).filter(({ test }) => !asDeclared.has(test));
  const notFlipped = findings.flatMap(({ still, otherwise, short }) => [
    ...otherwise.map(({ test }) => test),
    ...(short ? still : []),
  ]);
  return {
    verdict,
    accepted,
    expectations: findings,
    declared: expectations.reduce((sum, { required }) => sum + required, 0),
    flipped: flipped.map((move) => finished(move, restored)),
    missing: [...new Set(notFlipped)],
    also: also.map((move) => finished(move, restored)),
    controls: controlsOf(facts),
    around: aroundOf(facts, flipped.length > 0 ? flipped : also.filter(({ to }) => isRed(to))),
    still: stillOf(facts, new Set([...expected, ...anyFlips(facts).map(({ test }) => test)])),
    loaded: loadedOf(facts),
    notes: [...notesOf(facts), ...(note === null ? [] : [note])],
  };
}

/** The verdict that stands before anything is written; null: the mutation may be applied. */
export function stopsAtBaseline(evidence: ProofEvidence): Verdict | null {
  const facts = readFacts(evidence);
  const early = [notApplied, baselineEnding, notSelected, outsideBaselineEnding];
  const late = [outsideNotSelected, baselineRed, broken, treeTouched, elsewhere, flaky];
  return [...early, ...late].map((holds) => holds(facts)).find((each) => each !== null) ?? null;
}

const elsewhere = (facts: Facts): Verdict | null =>
  facts.loading.kind === 'elsewhere' ? notLoaded(facts) : null;

function firstOf(facts: Facts): Verdict {
  for (const holds of CONDITIONS) {
    const verdict = holds(facts);
    if (verdict !== null) return verdict;
  }
  return pinned(facts);
}

interface Accepted {
  readonly verdict: Verdict;
  readonly accepted: Judgement['accepted'];
  readonly note: string | null;
}

/**
 * A known gap counts only where the gap was measured, in a lane that can fail. An acceptance
 * that has run out is as if it were not there.
 */
function withAcceptance(
  { mutation, liveness }: ProofEvidence,
  verdict: Verdict,
  { today }: JudgeOptions,
): Accepted {
  const { accept } = mutation;
  const group = GROUP_OF[verdict.code];
  if (accept === null || (group !== 'refuted' && group !== 'proven')) {
    return { verdict, accepted: null, note: null };
  }
  const { because, until } = accept;
  if (until !== null && until < today) {
    return {
      verdict,
      accepted: null,
      note: `The acceptance of ${accept.verdict} ran out on ${until}.`,
    };
  }
  if (accept.verdict !== verdict.code) {
    const stale: Verdict = {
      code: 'stale-acceptance',
      accepted: accept.verdict,
      because,
      found: verdict,
    };
    return { verdict: stale, accepted: null, note: null };
  }
  if (liveness.kind === 'alive') return { verdict, accepted: { because, until }, note: null };
  const note = 'Not accepted: nothing showed in this run that the lane can fail.';
  return { verdict, accepted: null, note };
}

function finished(move: Move, restored: StepView | null): FinalMove {
  return { ...move, restored: restored?.resultOf(move.test)?.outcome ?? null };
}

function unique(moves: readonly Move[]): readonly Move[] {
  return [...new Map(moves.map((move) => [move.test, move])).values()];
}

function controlsOf({ own, outside, evidence }: Facts): readonly ControlResult[] {
  const lanes = [own, ...outside.map(({ facts }) => facts)].filter((lane) => lane !== null);
  const measured = lanes.flatMap((lane) =>
    lane.controls.map((control) => ({
      ...control,
      moved: control.moved.map((move) => finished(move, lane.restored)),
    })),
  );
  const names = new Set(lanes.map((lane) => lane.steps.lane.name));
  const unmeasured = evidence.mutation.controls
    .map((control) => ({ selector: control.tests, lane: control.lane ?? evidence.lane.name }))
    .filter(({ lane }) => !names.has(lane))
    .map((control) => ({ ...control, ...NOT_MEASURED }));
  return [...measured, ...unmeasured];
}

const NOT_MEASURED = {
  members: [],
  matched: 0,
  passing: 0,
  moved: [],
  held: null,
  counts: { baseline: null, mutated: null, restored: null },
} as const;

function aroundOf({ own }: Facts, flipped: readonly Move[]): readonly AroundFinding[] {
  if (own === null || own.mutated === null) return [];
  const { moves, ids, before: baseline, mutated, restored } = own;
  const { idForm } = own.idRules;
  return lookAround({ flipped, moves, ids, idForm, baseline, mutated, restored });
}

function stillOf({ own }: Facts, expected: ReadonlySet<string>): Judgement['still'] {
  if (own === null || own.mutated === null) return null;
  const { mutated, ids, ignored, moves } = own;
  const others = ids.filter((id) => !expected.has(id) && !ignored.has(id));
  const moved = new Set(moves.map(({ test }) => test));
  const held = others.filter((id) => !moved.has(id) && mutated.resultOf(id) !== null).length;
  return { held, total: others.length };
}

function loadedOf({ loading, effect }: Facts): LoadedProof {
  if (loading.kind === 'proven') return { proof: loading.proof, from: loading.from };
  if (loading.kind === 'unseen' && effect.length > 0) {
    return { proof: 'by-effect', from: effect[0]?.test ?? null };
  }
  return { proof: 'none', from: loading.kind === 'elsewhere' ? loading.elsewhere : null };
}
