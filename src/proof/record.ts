/** From evidence and judgement to the record, which every report reads. */
import type {
  ControlRecord,
  MoveRecord,
  ProofRecord,
  RunRecord,
  StepRecord,
} from '../record/schema.js';
import { unreachable } from '../result.js';
import type { Ending, ProofEvidence, Reach, StepEvidence } from './evidence.js';
import type { ControlResult, FinalMove, Judgement } from './judge.js';
import { explain } from './verdict-text.js';
import { unrunOf } from './unrun.js';
import { GROUP_OF } from './verdict.js';

/** Everything that is kept of one proof. Long lists are kept whole; reports cut them. */
export function proofRecord(evidence: ProofEvidence, judgement: Judgement): ProofRecord {
  const { mutation, restore, reach } = evidence;
  const { verdict } = judgement;
  const unrun = unrunOf(evidence).map((each) => ({ ...each }));
  const { reason, facts, next } = explain(verdict);
  // Only a stored mutation has a spec to write an acceptance into.
  const offered = mutation.spec === null && verdict.code === 'survived' ? next.slice(0, 1) : next;
  return {
    id: mutation.id,
    spec: mutation.spec,
    why: mutation.why,
    lane: evidence.lane.name,
    role: mutation.role,
    pulledIn: evidence.pulledIn,
    verdict: verdict.code,
    group: GROUP_OF[verdict.code],
    reason,
    facts: [...facts, ...judgement.notes],
    next: [...offered],
    accepted: judgement.accepted,
    patch: evidence.notApplied === null ? evidence.patch : null,
    edits: evidence.edits.map(({ path, line, scope }) => ({ path, line, scope })),
    files: evidence.files.map(({ path, baseline, mutated, restored }) => ({
      path,
      baseline,
      mutated,
      restored,
    })),
    probes: evidence.probes.map(({ path, sha256 }) => ({ path, sha256 })),
    steps: stepsOf(evidence).map(stepRecord),
    flips: {
      declared: judgement.declared,
      expected: judgement.flipped.map(moveRecord),
      missing: [...judgement.missing],
      also: judgement.also.map(moveRecord),
    },
    controls: judgement.controls.map(controlRecord),
    around: judgement.around.map(({ group, held, moved, counts }) => ({
      group,
      held,
      moved,
      counts: { ...counts },
    })),
    still: judgement.still,
    loaded: { ...judgement.loaded },
    reach: reach === null ? null : reachRecord(reach),
    ...(unrun.length === 0 ? {} : { unrun }),
    values: [],
    kept: restore?.kind === 'kept' ? restore.kept.map((each) => ({ ...each })) : [],
    durationMs: evidence.durationMs,
  };
}

type Summary = RunRecord['summary'];

/**
 * Totals of a run. `declared` is what the selection named; liveness mutations that it pulled in
 * count in nothing but `notRestored`, since a tree that did not come back is nobody's own.
 */
export function summarise(proofs: readonly ProofRecord[], declared: number): Summary {
  const own = proofs.filter(({ pulledIn }) => !pulledIn);
  const count = (holds: (proof: ProofRecord) => boolean): number => own.filter(holds).length;
  const accepted = count((proof) => proof.accepted !== null);
  const pinned = count(({ group }) => group === 'proven');
  const refuted = count((proof) => proof.group === 'refuted' && proof.accepted === null);
  return {
    declared,
    graded: pinned + refuted + accepted,
    pinned,
    refuted,
    noEvidence: count(({ group }) => group === 'no-evidence'),
    accepted,
    notRestored: proofs.filter(({ group }) => group === 'critical').length,
  };
}

function stepsOf(evidence: ProofEvidence): readonly StepEvidence[] {
  const { baseline, mutated, withoutEnder, mutatedAgain, mutatedOnceMore, mutatedLast } = evidence;
  const mutant = [mutated, withoutEnder, mutatedAgain, mutatedOnceMore, mutatedLast];
  const { restored, restoredAgain, reachStep } = evidence;
  return [baseline, ...mutant, restored, restoredAgain, reachStep].filter((step) => step !== null);
}

function stepRecord(step: StepEvidence): StepRecord {
  return {
    step: step.step,
    scope: step.scope === 'lane' ? 'lane' : step.scope.length,
    counts: { ...step.counts },
    exit: { ...step.exit },
    durationMs: step.durationMs,
    complete: step.ending.kind === 'complete',
    ending: endingPhrase(step.ending),
    ...(step.executables === undefined
      ? {}
      : {
          executables: {
            built: step.executables.built,
            sums: step.executables.sums.map(({ id, sha256 }) => ({ id, sha256 })),
          },
        }),
    log: step.log,
    notes: [...step.notes],
  };
}

/** How a run ended, in one phrase; `complete` where it did. */
export function endingPhrase(ending: Ending): string {
  switch (ending.kind) {
    case 'complete':
      return 'complete';
    case 'broken':
      return `broken: ${ending.causes[0]?.message ?? 'it could not be started'}`;
    case 'timeout':
      return `timeout after ${Number((ending.limitMs / 1000).toPrecision(3))} s${during(ending.test)}`;
    case 'out-of-memory':
      return `out of memory${during(ending.test)}`;
    case 'crashed':
      return `crashed${during(ending.test)}: ${ending.how}`;
    case 'incomplete':
      return `incomplete: ${ending.why}`;
    case 'no-channel':
      return `no report by test: ${ending.why}`;
    case 'empty':
      return `no test selected: ${ending.why}`;
    case 'cancelled':
      return 'interrupted';
    default:
      return unreachable(ending);
  }
}

const during = (test: string | null): string => (test === null ? '' : ` in ${test}`);

function moveRecord({ test, from, to, phase, at, message, restored }: FinalMove): MoveRecord {
  return { test, from, to, phase, at, message, restored };
}

function controlRecord(control: ControlResult): ControlRecord {
  return {
    selector: control.selector,
    lane: control.lane,
    held: control.held,
    total: control.members.length,
    moved: control.moved.map(moveRecord),
    counts: { ...control.counts },
  };
}

function reachRecord(reach: Reach): ProofRecord['reach'] {
  switch (reach.state) {
    case 'reached':
      return { state: 'reached', by: [...reach.by], noticed: [...reach.noticed], why: null };
    case 'unreached':
      return { state: 'unreached', by: [], noticed: [], why: null };
    case 'unknown':
      return { state: 'unknown', by: [], noticed: [], why: reach.why };
    default:
      return unreachable(reach);
  }
}
