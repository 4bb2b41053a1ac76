import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../src/proof/evidence.js';
import {
  uncollected,
  UNSEEN,
  before,
  A,
  B,
  C,
  D,
  E,
  control,
  crash,
  expectFlip,
  flips,
  flipsA,
  hang,
  judgeTable,
  judged,
  laneSteps,
  oom,
  step,
  still,
} from '../build.js';

const flipsAlone = step('mutated', { [A]: 'failed' }, { scope: [A] });
const staysAlone = step('mutated', {}, { scope: [A] });

const ended = (ending: Ending, lacks: readonly string[]) => ({
  mutated: step('mutated', {}, { ending, lacks }),
});

describe('a run that did not end', () => {
  const rest = {
    withoutEnder: step('mutated', {}, { without: [A] }),
    restored: step('restored', {}, { scope: [A] }),
  };
  judgeTable([
    ['a hang', 'timeout', ended(hang(A), [A, B, C])],
    ['a lack of memory', 'out-of-memory', ended(oom, [A, B, C])],
    ['a crash', 'incomplete', ended(crash(A), [A, B, C])],
    ['a run that was cancelled', 'incomplete', ended({ kind: 'cancelled' }, [A])],
    [
      'tests without an outcome',
      'incomplete',
      ended({ kind: 'incomplete', why: 'exit', without: [C] }, [C]),
    ],
    [
      'a mutant that takes every test out of the selection',
      'incomplete',
      ended({ kind: 'empty', deselected: 5, why: 'all' }, []),
    ],
    ['a mutated lane that was never run', 'incomplete', { ...before }],
    [
      'a crash that `to` names',
      'pinned',
      { ...ended(crash(A), [A, B]), ...rest },
      flips(expectFlip(A, { to: ['crashed'] })),
    ],
    [
      'a hang that `to` names',
      'pinned',
      { ...ended(hang(A), [A, B]), ...rest },
      flips(expectFlip(A, { to: ['timeout'] })),
    ],
    [
      'a crash that `to` names, without the run without it',
      'incomplete',
      ended(crash(A), [A, B]),
      flips(expectFlip(A, { to: ['crashed'] })),
    ],
    [
      'a hang that `to` names, without the run without it',
      'timeout',
      ended(hang(A), [A, B]),
      flips(expectFlip(A, { to: ['timeout'] })),
    ],
    [
      'a crash that `to` names, and a second run that hangs in it',
      'timeout',
      {
        ...ended(crash(A), [A, B]),
        ...rest,
        mutatedAgain: step('mutated', {}, { ending: hang(A), lacks: [A, B] }),
      },
      flips(expectFlip(A, { to: ['crashed'] })),
    ],
    [
      'a crash that `to` names, unseen, and again in the second run',
      'control-moved',
      {
        mutated: step('mutated', {}, { ending: crash(A), lacks: [A, B], loads: UNSEEN }),
        mutatedAgain: step('mutated', {}, { ending: crash(A), lacks: [A, B, C], loads: UNSEEN }),
        withoutEnder: step('mutated', { [C]: 'failed' }, { without: [A], loads: UNSEEN }),
        restored: step('restored'),
      },
      { ...flips(expectFlip(A, { to: ['crashed'] })), controls: [control(C)] },
    ],
    [
      'a test without an outcome, though the run was complete',
      'incomplete',
      {
        baseline: step('baseline', {}, { collectionErrors: [{ ...uncollected('x'), file: null }] }),
        mutated: step(
          'mutated',
          { [A]: 'failed' },
          { collectionErrors: [{ ...uncollected('x'), file: null }], lacks: [B] },
        ),
      },
    ],
    [
      'a crash of another test than the named one',
      'incomplete',
      { ...ended(crash(B), [A, B]), ...rest },
      flips(expectFlip(A, { to: ['crashed'] })),
    ],
    [
      'a hang where `to` names a crash',
      'timeout',
      { ...ended(hang(A), [A, B]), ...rest },
      flips(expectFlip(A, { to: ['crashed'] })),
    ],
    [
      'a second crash, in the run without the first',
      'incomplete',
      {
        ...ended(crash(A), [A, B]),
        ...rest,
        withoutEnder: step('mutated', {}, { without: [A], ending: crash(B), lacks: [B] }),
      },
      flips(expectFlip(A, { to: ['crashed'] })),
    ],
    [
      'a control that moves in the run without the crash',
      'control-moved',
      {
        ...ended(crash(A), [A, B]),
        withoutEnder: step('mutated', { [D]: 'failed' }, { without: [A] }),
        restored: step('restored'),
      },
      { ...flips(expectFlip(A, { to: ['crashed'] })), controls: [control(D)] },
    ],
    [
      'a restored lane that hangs, twice',
      'timeout',
      {
        restored: step('restored', {}, { scope: [A], ending: hang(A), lacks: [A] }),
        restoredAgain: step('restored', {}, { ending: hang(A), lacks: [A] }),
      },
    ],
    ['a restored lane that was not run, though a test moved', 'incomplete', { restored: null }],
    [
      'a restored lane that does not cover a control',
      'incomplete',
      {
        restored: step('restored', {}, { scope: [A] }),
      },
      { controls: [control(D)] },
    ],
    ['a control in a lane that was not run', 'incomplete', {}, { controls: [control(D, 'slow')] }],
    [
      'a control in a lane whose mutated run is missing',
      'incomplete',
      {
        outsideControls: [laneSteps('slow', { mutated: null })],
      },
      { controls: [control(D, 'slow')] },
    ],
    [
      'a control in a lane whose restored run is missing',
      'incomplete',
      {
        outsideControls: [laneSteps('slow', { restored: null })],
      },
      { controls: [control(D, 'slow')] },
    ],
    ['a flip of the first mutation, measured once', 'incomplete', { mutatedAgain: null }],
    [
      'a flip of the first mutation that does not repeat',
      'incomplete',
      { mutatedAgain: staysAlone },
    ],
    [
      'a flip of the first mutation that neither a narrow nor a whole run repeats',
      'flaky',
      { mutatedAgain: staysAlone, mutatedOnceMore: still },
    ],
    ['a flip beside other slots, measured once', 'incomplete', { company: 'beside-others' }],
    ['a flip after other mutations, measured once', 'incomplete', { company: 'after-others' }],
    [
      'a flip after other mutations, measured twice',
      'pinned',
      { company: 'after-others', mutatedAgain: flipsAlone },
    ],
    [
      'a flip that a narrow run does not repeat, and no other was run',
      'incomplete',
      { company: 'after-others', mutatedAgain: staysAlone },
    ],
    [
      'a flip that a narrow run does not repeat, but a whole one does, run once',
      'incomplete',
      { company: 'after-others', mutatedAgain: staysAlone, mutatedOnceMore: flipsA },
    ],
    [
      'a flip that a narrow run does not repeat, but two whole ones do',
      'pinned',
      {
        company: 'after-others',
        mutatedAgain: staysAlone,
        mutatedOnceMore: flipsA,
        mutatedLast: flipsA,
      },
    ],
    [
      'a flip in every second run, however many tests are in it',
      'flaky',
      {
        company: 'after-others',
        mutatedAgain: staysAlone,
        mutatedOnceMore: flipsA,
        mutatedLast: still,
      },
    ],
    [
      'a narrow run that hangs, and a whole one that repeats the flip',
      'pinned',
      {
        company: 'after-others',
        mutatedAgain: step('mutated', {}, { scope: [A], ending: hang(A), lacks: [A] }),
        mutatedOnceMore: flipsA,
        mutatedLast: flipsA,
      },
    ],
    [
      'a moved control of another lane, measured once',
      'incomplete',
      {
        outsideControls: [
          laneSteps('slow', {
            company: 'after-others',
            mutated: step('mutated', { [D]: 'failed' }, { scope: [D] }),
          }),
        ],
      },
      { controls: [control(D, 'slow')] },
    ],
    [
      'a moved control of another lane, measured twice',
      'control-moved',
      {
        outsideControls: [
          laneSteps('slow', {
            company: 'after-others',
            mutated: step('mutated', { [D]: 'failed' }, { scope: [D] }),
            mutatedAgain: step('mutated', { [D]: 'failed' }, { scope: [D] }),
          }),
        ],
      },
      { controls: [control(D, 'slow')] },
    ],
  ]);

  it('names the test that crashed', () => {
    const { verdict } = judged(ended(crash(B), [B, C]));
    expect(verdict).toMatchObject({ gap: { ending: { test: B } }, run: { step: 'mutated' } });
  });

  it('keeps the outcomes known so far', () => {
    const { also, flipped } = judged({
      mutated: step(
        'mutated',
        { [A]: 'failed', [B]: 'error' },
        { ending: hang(C), lacks: [C, D, E] },
      ),
    });
    expect([...flipped, ...also].map(({ test }) => test)).toEqual([A, B]);
  });
});
