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

export function baselineLimits(limits: Limits): StepLimits {
  return resolve(limits, BASELINE_STEP_MS, BASELINE_TEST_MS);
}

/** Limits of every later step: multiples of what the baseline took, with a floor for small lanes. */
export function limitsAfter(limits: Limits, baseline: StepEvidence): StepLimits {
  const slowest = baseline.results.reduce((most, { durationMs }) => Math.max(most, durationMs), 0);
  return resolve(
    limits,
    Math.max(LEAST_STEP_MS, STEP_FACTOR * baseline.durationMs),
    Math.max(LEAST_TEST_MS, TEST_FACTOR * slowest),
  );
}

const auto = <T>(value: T | 'auto', otherwise: T): T => (value === 'auto' ? otherwise : value);

function resolve(limits: Limits, stepMs: number, testMs: number): StepLimits {
  return {
    stepMs: Math.round(auto(limits.stepMs, stepMs)),
    testMs: Math.round(auto(limits.testMs, testMs)),
    memoryBytes: auto(limits.memoryBytes, Math.floor(totalmem() * MEMORY_SHARE)),
    outputBytes: limits.outputBytes,
  };
}
