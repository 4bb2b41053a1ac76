import { totalmem } from 'node:os';
import type { StepEvidence } from '../proof/evidence.js';
import type { StepRequest } from '../slot/protocol.js';
import type { Limits } from '../spec/model.js';

type StepLimits = StepRequest['limits'];

/** Nothing is known of a lane before its baseline; an hour ends what will never end. */
const BASELINE_STEP_MS = 60 * 60_000;
const BASELINE_TEST_MS = 10 * 60_000;
const LEAST_STEP_MS = 60_000;
const LEAST_TEST_MS = 10_000;
const STEP_FACTOR = 5;
const TEST_FACTOR = 10;
/** What is left keeps the coordinator and the person's editor alive. */
const MEMORY_SHARE = 0.75;

/** @param slots that run at the same time, and share the machine's memory */
export function baselineLimits(limits: Limits, slots = 1): StepLimits {
  return resolve(limits, { stepMs: BASELINE_STEP_MS, testMs: BASELINE_TEST_MS, slots });
}

/** Limits of every later step: multiples of what the baseline took, with a floor for small lanes. */
export function limitsAfter(limits: Limits, baseline: StepEvidence, slots = 1): StepLimits {
  const slowest = baseline.results.reduce((most, { durationMs }) => Math.max(most, durationMs), 0);
  return resolve(limits, {
    stepMs: Math.max(LEAST_STEP_MS, STEP_FACTOR * baseline.durationMs),
    testMs: Math.max(LEAST_TEST_MS, TEST_FACTOR * slowest),
    slots,
  });
}

/** What a control group allows, where that is less than there is. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const auto = <T>(value: T | 'auto', otherwise: T): T => (value === 'auto' ? otherwise : value);

interface Automatic {
  readonly stepMs: number;
  readonly testMs: number;
  readonly slots: number;
}

function resolve(limits: Limits, { stepMs, testMs, slots }: Automatic): StepLimits {
  return {
    stepMs: Math.round(auto(limits.stepMs, stepMs)),
    testMs: Math.round(auto(limits.testMs, testMs)),
    memoryBytes: auto(limits.memoryBytes, Math.floor((machineMemory() * MEMORY_SHARE) / slots)),
    outputBytes: limits.outputBytes,
  };
}
