import { describe } from 'vitest';
import {
  A,
  B,
  C,
  D,
  SOURCE,
  UNSEEN,
  baselineOf,
  before,
  control,
  crash,
  flips,
  hang,
  judgeTable,
  laneSteps,
  oom,
  step,
  still,
  syntax,
} from '../build.js';

describe('the order', () => {
  const hanging = laneSteps('slow', { baseline: step('baseline', {}, { ending: hang(D) }) });
  const survivor = { mutated: still };
  const failed = { kind: 'failed', path: SOURCE, why: 'EIO', original: '/kept' } as const;
  const noFile = { kind: 'no-file', path: SOURCE } as const;
  const redAndUnknown = flips(A, 'tests/nowhere.py');
  judgeTable([
    ['not-restored before not-applied', 'not-restored', { restore: failed, notApplied: noFile }],
    [
      'not-restored before tree-touched',
      'not-restored',
      { restore: failed, touched: [{ path: SOURCE, by: 'lane' }] },
    ],
    [
      'not-applied before not-selected',
      'not-applied',
      { ...before, notApplied: noFile },
      flips('tests/nowhere.py'),
    ],
    [
      'not-applied before an unfinished baseline',
      'not-applied',
      { ...before, notApplied: noFile, baseline: step('baseline', {}, { ending: hang(B) }) },
    ],
    [
      'not-selected before the baseline of another lane',
      'not-selected',
      { outsideControls: [hanging] },
      { ...flips('tests/nowhere.py'), controls: [control(D, 'slow')] },
    ],
    [
      'an unfinished baseline of another lane before unknown ids in it',
      'timeout',
      { outsideControls: [hanging] },
      { controls: [control('tests/nowhere.py', 'slow')] },
    ],
    [
      'unknown ids in another lane before baseline-red',
      'not-selected',
      { ...baselineOf({ [A]: 'failed' }), outsideControls: [laneSteps('slow')] },
      { controls: [control('tests/nowhere.py', 'slow')] },
    ],
    [
      'not-selected before baseline-red',
      'not-selected',
      baselineOf({ [A]: 'failed' }),
      redAndUnknown,
    ],
    [
      'an unfinished baseline before unknown ids',
      'timeout',
      { ...before, baseline: step('baseline', {}, { ending: hang(B) }) },
      flips('tests/nowhere.py'),
    ],
    [
      'baseline-red before broken',
      'baseline-red',
      baselineOf({ [A]: 'failed' }, { compile: [syntax] }),
    ],
    [
      'broken before timeout',
      'broken',
      {
        mutated: step(
          'mutated',
          { [B]: { outcome: 'error', broken: 'x' } },
          { ending: hang(C), lacks: [C] },
        ),
      },
    ],
    [
      'timeout before tree-touched',
      'timeout',
      {
        mutated: step('mutated', {}, { ending: hang(C), lacks: [C] }),
        touched: [{ path: SOURCE, by: 'lane' }],
      },
    ],
    [
      'out-of-memory before tree-touched',
      'out-of-memory',
      {
        mutated: step('mutated', {}, { ending: oom, lacks: [C] }),
        touched: [{ path: SOURCE, by: 'lane' }],
      },
    ],
    [
      'timeout before out-of-memory',
      'timeout',
      {
        mutated: step('mutated', {}, { ending: oom, lacks: [C] }),
        restoredAgain: step('restored', {}, { ending: hang(C), lacks: [C] }),
      },
    ],
    [
      'tree-touched before incomplete',
      'tree-touched',
      {
        mutated: step('mutated', {}, { ending: crash(C), lacks: [C] }),
        touched: [{ path: SOURCE, by: 'lane' }],
      },
    ],
    [
      'incomplete before not-loaded',
      'incomplete',
      { mutated: step('mutated', {}, { ending: crash(C), lacks: [C], loads: UNSEEN }) },
    ],
    [
      'not-loaded before flaky',
      'not-loaded',
      {
        mutated: step('mutated', {}, { loads: UNSEEN }),
        otherBaselines: [step('restored', { [A]: 'failed' })],
      },
    ],
    [
      'flaky before unsettled',
      'flaky',
      {
        mutatedAgain: still,
        restored: step('restored', { [A]: 'failed' }, { scope: [A] }),
        restoredAgain: step('restored', { [A]: 'failed' }),
      },
    ],
    [
      'unsettled before dead-lane',
      'unsettled',
      {
        ...survivor,
        liveness: { kind: 'dead', by: 'alive' },
        closing: {
          first: step('closing', { [C]: 'failed' }),
          again: step('closing', { [C]: 'failed' }),
        },
      },
    ],
    [
      'survived before a control of another lane',
      'survived',
      {
        ...survivor,
        outsideControls: [laneSteps('slow', { mutated: step('mutated', { [D]: 'failed' }) })],
      },
      { controls: [control(D, 'slow')] },
    ],
    [
      'partial before control-moved',
      'partial',
      { mutated: step('mutated', { [A]: 'failed', [D]: 'failed' }) },
      { ...flips(A, B), controls: [control(D)] },
    ],
    [
      'moved-otherwise before control-moved',
      'moved-otherwise',
      { mutated: step('mutated', { [A]: 'error', [D]: 'failed' }) },
      { controls: [control(D)] },
    ],
    [
      'caught-elsewhere before control-moved',
      'caught-elsewhere',
      { mutated: step('mutated', { [D]: 'failed' }) },
      { controls: [control(D)] },
    ],
    [
      'stale-acceptance over what was found',
      'stale-acceptance',
      { mutated: step('mutated', { [A]: 'error' }) },
      { accept: { verdict: 'survived', because: 'x', until: null } },
    ],
  ]);
});
