import { describe } from 'vitest';
import {
  before,
  ANY,
  A,
  B,
  C,
  NONE,
  SOURCE,
  UNSEEN,
  flips,
  judgeTable,
  step,
  still,
} from '../build.js';

describe('liveness', () => {
  const dead = { kind: 'dead', by: 'alive' } as const;
  judgeTable([
    ['a liveness mutation that flips a test', 'pinned', {}, { role: 'liveness', ...ANY }],
    [
      'a liveness mutation that flips nothing',
      'dead-lane',
      { mutated: still },
      { role: 'liveness', ...ANY },
    ],
    [
      'a liveness mutation that skips a test',
      'dead-lane',
      { mutated: step('mutated', { [A]: 'skipped' }) },
      { role: 'liveness', ...ANY },
    ],
    [
      'a liveness mutation whose named test does not flip, while another does',
      'caught-elsewhere',
      { mutated: step('mutated', { [C]: 'failed' }) },
      { role: 'liveness' },
    ],
    [
      'a liveness mutation that did not apply',
      'not-applied',
      { ...before, notApplied: { kind: 'no-file', path: SOURCE } },
      { role: 'liveness', ...ANY },
    ],
    [
      'a liveness mutation that was not loaded',
      'not-loaded',
      { mutated: step('mutated', {}, { loads: UNSEEN }) },
      { role: 'liveness', ...ANY },
    ],
    ['a survivor of a dead lane', 'dead-lane', { mutated: still, liveness: dead }],
    [
      'a lane that did not move, as declared, but is dead',
      'dead-lane',
      { mutated: still, liveness: dead },
      NONE,
    ],
    ['a flip in a lane that was called dead', 'pinned', { liveness: dead }],
    ['a partial one in a lane that was called dead', 'partial', { liveness: dead }, flips(A, B)],
  ]);
});
