import { describe, expect, it } from 'vitest';
import {
  SELECTION,
  A,
  B,
  C,
  D,
  E,
  baselineOf,
  before,
  control,
  crash,
  expectFlip,
  flips,
  hang,
  judgeTable,
  judged,
  laneSteps,
  oom,
  step,
  syntax,
  uncollected,
  uncollectedFor,
} from '../build.js';

describe('the baseline', () => {
  judgeTable([
    [
      'a lane that selects nothing',
      'not-selected',
      {
        ...before,
        baseline: step(
          'baseline',
          {},
          { ending: { kind: 'empty', deselected: 8, why: 'no tests' } },
        ),
      },
    ],
    [
      'an expected test that is unknown',
      'not-selected',
      {},
      flips('tests/test_routes.py::test_pasue'),
    ],
    [
      'an expected test outside the selection',
      'not-selected',
      {
        selection: { ...SELECTION, deselected: ['tests/test_slow.py::test_x'] },
      },
      flips('tests/test_slow.py'),
    ],
    [
      'a control that is unknown',
      'not-selected',
      {},
      { controls: [control('tests/test_gone.py')] },
    ],
    ['a control of expected tests alone', 'not-selected', {}, { controls: [control(A)] }],
    [
      'an unknown control of another lane',
      'not-selected',
      {
        outsideControls: [laneSteps('slow')],
      },
      { controls: [control('tests/nowhere.py', 'slow')] },
    ],
    [
      'an expected test in a file that the baseline cannot collect',
      'broken',
      {
        ...before,
        baseline: step('baseline', {}, { collectionErrors: [uncollected('tests/test_bad.py')] }),
      },
      flips('tests/test_bad.py::test_x'),
    ],
    [
      'an expected test in a file that imports one which cannot be imported',
      'broken',
      {
        ...before,
        baseline: step('baseline', {}, { collectionErrors: [uncollectedFor('tests/test_bad.py')] }),
      },
      flips('tests/test_bad.py::test_x'),
    ],
    [
      'an unknown test beside another file that cannot be collected',
      'not-selected',
      {
        ...before,
        baseline: step('baseline', {}, { collectionErrors: [uncollected('tests/test_bad.py')] }),
      },
      flips('tests/nowhere.py'),
    ],
    ['an expected test that is red', 'baseline-red', baselineOf({ [A]: 'failed' })],
    ['an expected test that is skipped', 'baseline-red', baselineOf({ [A]: 'skipped' })],
    [
      'a red member of an expected group',
      'baseline-red',
      baselineOf({ [B]: 'failed' }),
      flips('tests/test_routes.py::TestPause'),
    ],
    ['a control in which nothing passes', 'baseline-red', {}, { controls: [control(E)] }],
    [
      'a control with one passing test',
      'pinned',
      {},
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a red control of another lane',
      'baseline-red',
      {
        outsideControls: [laneSteps('slow')],
      },
      { controls: [control(E, 'slow')] },
    ],
    [
      'an expected test with the outcome that `from` names',
      'pinned',
      baselineOf({ [A]: 'xfailed' }),
      flips(expectFlip(A, { from: 'xfailed' })),
    ],
    [
      'a baseline that is broken',
      'broken',
      {
        ...before,
        baseline: step(
          'baseline',
          {},
          { ending: { kind: 'broken', causes: [uncollected('conftest.py')] } },
        ),
      },
    ],
    [
      'a build that fails before any mutation',
      'broken',
      {
        ...before,
        build: [{ step: 'baseline', causes: [syntax] }],
      },
    ],
    [
      'a baseline that hangs',
      'timeout',
      { ...before, baseline: step('baseline', {}, { ending: hang(B) }) },
    ],
    [
      'a baseline that eats memory',
      'out-of-memory',
      { ...before, baseline: step('baseline', {}, { ending: oom }) },
    ],
    [
      'a baseline that crashes',
      'incomplete',
      { ...before, baseline: step('baseline', {}, { ending: crash(B) }) },
    ],
    [
      'a baseline without the plugin',
      'incomplete',
      {
        ...before,
        baseline: step(
          'baseline',
          {},
          { ending: { kind: 'no-channel', why: '-I', hint: 'drop -I' } },
        ),
      },
    ],
    ['a baseline that was never run', 'incomplete', { ...before, baseline: null, selection: null }],
    [
      'another lane whose baseline hangs',
      'timeout',
      {
        outsideControls: [
          laneSteps('slow', { baseline: step('baseline', {}, { ending: hang(D) }) }),
        ],
      },
      { controls: [control(D, 'slow')] },
    ],
  ]);

  it('says which lane takes an expected test out, and by which filter', () => {
    const { verdict } = judged(
      { selection: { ...SELECTION, deselected: ['tests/test_slow.py::test_x'] } },
      flips('tests/test_slow.py'),
    );
    expect(verdict).toEqual({
      code: 'not-selected',
      lane: 'unit',
      problems: [
        {
          kind: 'deselected',
          role: 'expected',
          selector: 'tests/test_slow.py',
          tests: ['tests/test_slow.py::test_x'],
          select: 'pre_merge',
        },
      ],
    });
  });

  it('offers the nearest ids of one that is misspelt', () => {
    const { verdict } = judged({}, flips('tests/test_routes.py::TestPause::test_natvie'));
    expect(verdict).toMatchObject({ problems: [{ kind: 'unknown', nearest: [A, B, C] }] });
  });

  it('names the step of a baseline that hangs', () => {
    const { verdict } = judged({ ...before, baseline: step('baseline', {}, { ending: hang(B) }) });
    expect(verdict).toMatchObject({ run: { lane: 'unit', step: 'baseline' }, test: B });
  });
});
