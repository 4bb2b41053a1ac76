/** What the live display knows, folded from events. Pure: the clock is the caller's. */
import type { RunEvent } from '../../record/events.js';
import type { ProofRecord } from '../../record/schema.js';
import { unreachable } from '../../result.js';
import { type Face, faceOf } from '../face.js';

/** A lane run that is going on in one slot. */
export interface RunningStep {
  readonly lane: string;
  readonly id: string | null;
  readonly step: string;
  readonly done: number;
  readonly total: number | null;
  /** The test that is running; null: none, or not known. */
  readonly running: string | null;
}

export interface ProgressState {
  readonly startedAt: number;
  readonly declared: number;
  /** More may follow than is declared. */
  readonly mayGrow: boolean;
  /** Mutations that have their verdict, with the latest: some are measured anew. */
  readonly verdicts: Map<string, Face>;
  /** Ids of those that a slot is done with, or that have their verdict. */
  readonly measured: Set<string>;
  readonly faces: Readonly<Record<Face, number>>;
  /** By slot, the latest last. */
  readonly steps: ReadonlyMap<number, RunningStep>;
  /** When the first proof began: before it, the baseline says nothing about the pace of proofs. */
  readonly proofsSince: number | null;
  readonly interrupted: boolean;
}

export function initialState(now: number): ProgressState {
  return {
    startedAt: now,
    declared: 0,
    mayGrow: false,
    verdicts: new Map(),
    measured: new Set(),
    faces: { critical: 0, refuted: 0, 'no-evidence': 0, accepted: 0, pinned: 0 },
    steps: new Map(),
    proofsSince: null,
    interrupted: false,
  };
}

function withStep(state: ProgressState, slot: number, step: RunningStep | null): ProgressState {
  const steps = new Map(state.steps);
  steps.delete(slot);
  if (step !== null) steps.set(slot, step);
  return { ...state, steps };
}

/** In place: of 10,000 mutations each would copy those before it. */
function withMeasured(state: ProgressState, id: string): ProgressState {
  state.measured.add(id);
  return state;
}

function withProof(state: ProgressState, proof: ProofRecord): ProgressState {
  // A liveness mutation that a selection pulled in is no part of n/N.
  if (proof.pulledIn) return state;
  const face = faceOf(proof);
  const before = state.verdicts.get(proof.id);
  const faces = { ...state.faces };
  if (before !== undefined) faces[before] -= 1;
  faces[face] += 1;
  state.verdicts.set(proof.id, face);
  return { ...withMeasured(state, proof.id), faces };
}

/** The state after an event; `now` in milliseconds, from the same clock as the first one. */
export function advance(state: ProgressState, event: RunEvent, now: number): ProgressState {
  switch (event.type) {
    case 'run-started':
      return { ...state, declared: event.declared.length, mayGrow: event.mayGrow };
    case 'mutation-started':
      return state.proofsSince === null ? { ...state, proofsSince: now } : state;
    case 'step-started':
      return withStep(state, event.slot, {
        lane: event.lane,
        id: event.id,
        step: event.step,
        done: 0,
        total: event.tests,
        running: null,
      });
    case 'step-progress':
      return withStep(state, event.slot, {
        lane: event.lane,
        id: event.id,
        step: event.step,
        done: event.done,
        total: event.total,
        running: event.running,
      });
    case 'step-finished':
      return withStep(state, event.slot, null);
    case 'mutation-measured':
      return event.pulledIn ? state : withMeasured(state, event.id);
    case 'proof-finished':
      return withProof(state, event.proof);
    case 'interrupted':
      return { ...state, interrupted: true };
    case 'lane-started':
    case 'lane-described':
    case 'test-moved':
    case 'notice':
    case 'run-finished':
      return state;
    default:
      return unreachable(event);
  }
}

/**
 * Milliseconds until all proofs are done, by the mean of those that are; null before two are,
 * since one says too little, when none is left, and where nobody knows how many there will be.
 */
export function remaining(state: ProgressState, now: number): number | null {
  const done = state.measured.size;
  const left = state.declared - done;
  if (state.mayGrow || state.proofsSince === null || done < 2 || left <= 0) return null;
  return ((now - state.proofsSince) / done) * left;
}
