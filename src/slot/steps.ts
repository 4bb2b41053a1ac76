/** What a step is called, and what it is where it did not run. */
import type { StepEvidence } from '../proof/evidence.js';
import { emptyStep } from '../proof/step.js';
import type { SlotSetup, StepAnswer, StepRequest } from './protocol.js';

/** The answer for a step that the lane's build command, or an interrupt, kept from running. */
export function notRun(
  request: StepRequest,
  ending: StepEvidence['ending'],
  durationMs: number,
): Pick<StepAnswer, 'evidence' | 'selection'> {
  return {
    evidence: emptyStep(request.step, request.scope, ending, durationMs),
    selection: {
      collected: 0,
      selected: 0,
      deselected: [],
      files: [],
      idPrefix: '',
      idForm: 'path',
    },
  };
}

export function logName(
  { slot, generation }: SlotSetup,
  number: number,
  request: StepRequest,
): string {
  const of = slot === 0 && generation === 0 ? '' : `${slot}.${generation}-`;
  const label = request.label === null ? request.lane : request.label;
  const safe = label.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60);
  return `${of}${String(number).padStart(4, '0')}-${safe}-${request.step}.log`;
}
