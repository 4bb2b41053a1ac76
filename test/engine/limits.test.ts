import { expect, it } from 'vitest';
import { baselineLimits, limitsAfter } from '../../src/engine/limits.js';
import type { StepEvidence } from '../../src/proof/evidence.js';
import type { Limits } from '../../src/spec/model.js';

const AUTO: Limits = { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: 1024 };

const baseline = (durationMs: number, slowestMs: number): StepEvidence => ({
  step: 'baseline',
  scope: 'lane',
  ending: { kind: 'complete' },
  exit: { code: 0, signal: null },
  durationMs,
  counts: {},
  results: [1, slowestMs, 2].map((ms, index) => ({
    id: `t${index}`,
    outcome: 'passed',
    phase: null,
    at: null,
    message: null,
    durationMs: ms,
    broken: null,
  })),
  notRun: [],
  collectionErrors: [],
  loads: [],
  reached: [],
  notes: [],
  log: null,
});

it.each<[string, Limits, StepEvidence, { stepMs: number; testMs: number }]>([
  ['a floor serves small lanes', AUTO, baseline(500, 10), { stepMs: 60_000, testMs: 10_000 }],
  [
    'a step may take five baselines',
    AUTO,
    baseline(100_000, 10),
    { stepMs: 500_000, testMs: 10_000 },
  ],
  [
    'a test may take ten times the slowest',
    AUTO,
    baseline(500, 3000),
    { stepMs: 60_000, testMs: 30_000 },
  ],
  [
    'what is written stands',
    { ...AUTO, stepMs: 7000, testMs: 2000 },
    baseline(100_000, 3000),
    { stepMs: 7000, testMs: 2000 },
  ],
])('%s', (_what, limits, measured, expected) => {
  expect(limitsAfter(limits, measured)).toMatchObject({ ...expected, outputBytes: 1024 });
});

it('several slots share the memory of the machine', () => {
  const alone = baselineLimits(AUTO).memoryBytes;
  expect(alone).toBeGreaterThan(0);
  expect(baselineLimits(AUTO, 3).memoryBytes).toBe(Math.floor(alone / 3));
  expect(limitsAfter(AUTO, baseline(500, 10), 3).memoryBytes).toBe(Math.floor(alone / 3));
  const written = { ...AUTO, memoryBytes: 5_000_000 };
  expect(baselineLimits(written, 3).memoryBytes).toBe(5_000_000);
});
