import { describe, expect, it } from 'vitest';
import {
  A,
  ANY,
  B,
  C,
  D,
  type GREEN,
  NONE,
  control,
  flips,
  hang,
  judgeTable,
  judged,
  laneSteps,
  quarantine,
  step,
  still,
  uncollected,
} from '../build.js';

const again = (changes: typeof GREEN) => ({
  otherBaselines: [step('baseline'), step('restored', changes)],
});

const shrunk = step(
  'closing',
  {},
  { lacks: [D], collectionErrors: [uncollected('tests/test_other.py')] },
);

describe('equal runs', () => {
  const shared = { restored: step('restored', { [A]: 'failed' }, { scope: [A, D] }) };
  judgeTable([
    ['an expected test that differs between baselines', 'flaky', again({ [A]: 'failed' })],
    [
      'a declared control that differs between baselines',
      'flaky',
      again({ [D]: 'failed' }),
      { controls: [control('tests/test_other.py')] },
    ],
    ['any other test that differs between baselines', 'pinned', again({ [D]: 'failed' })],
    [
      'a baseline-flaky test that alone moved',
      'survived',
      {
        ...again({ [D]: 'failed' }),
        mutated: step('mutated', { [D]: 'failed' }),
      },
    ],
    [
      'a baseline-flaky test under `exact`',
      'pinned',
      {
        ...again({ [D]: 'failed' }),
        mutated: step('mutated', { [A]: 'failed', [D]: 'failed' }),
      },
      { exact: true },
    ],
    ['an expected test in quarantine', 'flaky', quarantine(A)],
    [
      'a quarantined member of an expected group',
      'pinned',
      {
        ...quarantine(B),
      },
      flips('tests/test_routes.py::TestPause'),
    ],
    [
      'a quarantined member of an expected group that is flaky too',
      'pinned',
      { ...quarantine(B), ...again({ [B]: 'failed' }) },
      flips('tests/test_routes.py::TestPause'),
    ],
    [
      'a quarantined test that alone moved',
      'survived',
      { ...quarantine('tests/test_other.py'), mutated: step('mutated', { [D]: 'failed' }) },
    ],
    [
      'a quarantined test that alone moved, under `any`',
      'survived',
      { ...quarantine(D), mutated: step('mutated', { [D]: 'failed' }) },
      ANY,
    ],
    [
      'a quarantined test that moved, under `none`',
      'pinned',
      { ...quarantine(D), mutated: step('mutated', { [D]: 'failed' }) },
      NONE,
    ],
    [
      'a quarantined member of a control',
      'pinned',
      {
        ...quarantine(D),
        mutated: step('mutated', { [A]: 'failed', [D]: 'failed' }),
      },
      { controls: [control('tests')] },
    ],
    ['a control that quarantine leaves empty', 'flaky', quarantine(D), { controls: [control(D)] }],
    ['an expected test that flips once of two', 'flaky', { mutatedAgain: still }],
    [
      'a control that moves once of two',
      'flaky',
      { mutatedAgain: step('mutated', { [A]: 'failed', [D]: 'failed' }) },
      { controls: [control(D)] },
    ],
    ['a sole killer that kills once of two, under `any`', 'flaky', { mutatedAgain: still }, ANY],
    [
      'a flip that neither a narrow nor a whole run repeats',
      'flaky',
      {
        company: 'after-others',
        mutatedAgain: step('mutated', {}, { scope: [A] }),
        mutatedOnceMore: still,
      },
    ],
    [
      'a control of another lane that moves once of two',
      'flaky',
      {
        outsideControls: [
          laneSteps('slow', {
            company: 'after-others',
            mutated: step('mutated', { [D]: 'failed' }, { scope: [D] }),
            mutatedAgain: step('mutated', {}, { scope: [D] }),
          }),
        ],
      },
      { controls: [control(D, 'slow')] },
    ],
    [
      'another test that moves once of two',
      'pinned',
      { mutatedAgain: step('mutated', { [A]: 'failed', [D]: 'failed' }) },
    ],
    [
      'another test that moves once of two, under `exact`',
      'flaky',
      { mutatedAgain: step('mutated', { [A]: 'failed', [D]: 'failed' }) },
      { exact: true },
    ],
    ['a flip that stays after the restore, not repeated yet', 'incomplete', shared],
    [
      'a flip that stays after the restore, twice',
      'unsettled',
      { ...shared, restoredAgain: step('restored', { [A]: 'failed' }) },
    ],
    [
      'a narrow run that differs, while the whole lane is as before',
      'pinned',
      { ...shared, restoredAgain: step('restored') },
    ],
    [
      'a narrow run and a whole one that differ in two ways',
      'flaky',
      { ...shared, restoredAgain: step('restored', { [A]: 'error' }) },
    ],
    [
      'a whole lane that differs once of two',
      'flaky',
      { restored: step('restored', { [A]: 'failed' }), restoredAgain: step('restored') },
    ],
    [
      'a whole lane that differs once, in a test of no concern',
      'pinned',
      { restored: step('restored', { [D]: 'failed' }), restoredAgain: step('restored') },
    ],
    [
      'a repeat that differs in a test of no concern',
      'pinned',
      { ...shared, restoredAgain: step('restored', { [C]: 'failed' }) },
    ],
    [
      'a repeat that alone differs in an expected test',
      'flaky',
      {
        restored: step('restored', { [D]: 'failed' }, { scope: [A, D] }),
        restoredAgain: step('restored', { [A]: 'failed' }),
      },
    ],
    [
      'a quarantined test that stays moved',
      'pinned',
      { ...quarantine(D), restored: step('restored', { [D]: 'failed' }) },
    ],
    [
      'a control of another lane that stays moved',
      'unsettled',
      {
        outsideControls: [
          laneSteps('slow', {
            restored: step('restored', { [D]: 'failed' }, { scope: [D] }),
            restoredAgain: step('restored', { [D]: 'failed' }),
          }),
        ],
      },
      { controls: [control(D, 'slow')] },
    ],
    [
      'a closing run that differs, twice',
      'unsettled',
      {
        closing: {
          first: step('closing', { [C]: 'failed' }),
          again: step('closing', { [C]: 'failed' }),
        },
      },
    ],
    [
      'a closing run that differs, not repeated',
      'incomplete',
      { closing: { first: step('closing', { [C]: 'failed' }), again: null } },
    ],
    [
      'a closing run that differs once in an expected test',
      'flaky',
      { closing: { first: step('closing', { [A]: 'failed' }), again: step('closing') } },
    ],
    [
      'a closing run that differs once in another test',
      'pinned',
      { closing: { first: step('closing', { [C]: 'failed' }), again: step('closing') } },
    ],
    [
      'a closing run that does not end, twice',
      'timeout',
      {
        closing: {
          first: step('closing', {}, { ending: hang(null) }),
          again: step('closing', {}, { ending: hang(null) }),
        },
      },
    ],
    [
      'a closing run that cannot collect a file any more',
      'broken',
      { closing: { first: shrunk, again: shrunk } },
    ],
    [
      'a closing run as the baseline',
      'pinned',
      { closing: { first: step('closing'), again: null } },
    ],
  ]);

  it('notes a flip that needs other tests before it', () => {
    const { notes, flipped } = judged({
      company: 'after-others',
      mutatedAgain: step('mutated', {}, { scope: [A] }),
      mutatedOnceMore: step('mutated', { [A]: 'failed' }),
      mutatedLast: step('mutated', { [A]: 'failed' }),
    });
    expect(flipped).toMatchObject([{ test: A }]);
    expect(notes).toEqual([expect.stringContaining(`${A} did not move when run with few others`)]);
  });

  it('notes a test that depends on its order', () => {
    const { notes, flipped } = judged({ ...shared, restoredAgain: step('restored') });
    expect(flipped).toMatchObject([{ test: A, restored: 'passed' }]);
    expect(notes).toEqual([expect.stringContaining(A)]);
  });
});
