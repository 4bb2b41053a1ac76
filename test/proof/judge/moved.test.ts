import { describe, expect, it } from 'vitest';
import {
  baselineOf,
  A,
  ANY,
  B,
  C,
  D,
  E,
  GREEN,
  NONE,
  control,
  expectFlip,
  flips,
  judgeTable,
  judged,
  laneSteps,
  step,
  still,
} from '../build.js';

const moved = (changes: typeof GREEN) => ({
  mutated: step('mutated', changes),
  restored: step('restored'),
});

describe('what moved', () => {
  const group = 'tests/test_routes.py::TestPause';
  judgeTable([
    ['the expected test fails', 'pinned', {}],
    ['nothing moves', 'survived', { mutated: still }],
    ['nothing moves, under `any`', 'survived', { mutated: still }, ANY],
    ['nothing moves, without a restored run', 'survived', { mutated: still, restored: null }],
    ['nothing moves, under `none`', 'pinned', { mutated: still }, NONE],
    ['one of two expected tests fails', 'partial', {}, flips(A, B)],
    [
      'one of two fails, the other errors',
      'partial',
      moved({ [A]: 'failed', [B]: 'error' }),
      flips(A, B),
    ],
    ['one of a group fails', 'partial', {}, flips(group)],
    ['a group fails whole', 'pinned', moved({ [A]: 'failed', [B]: 'failed' }), flips(group)],
    ['a group fails as `count` says', 'pinned', {}, flips(expectFlip(group, { count: 1 }))],
    [
      'more of a group than `count` says',
      'moved-otherwise',
      moved({ [A]: 'failed', [B]: 'failed' }),
      flips(expectFlip(group, { count: 1 })),
    ],
    ['fewer of a group than `count` says', 'partial', {}, flips(expectFlip(group, { count: 2 }))],
    [
      'more of a group than `min` says',
      'pinned',
      moved({ [A]: 'failed', [B]: 'failed' }),
      flips(expectFlip(group, { min: 1 })),
    ],
    [
      'enough of a group, and one that errors',
      'moved-otherwise',
      moved({ [A]: 'failed', [B]: 'error' }),
      flips(expectFlip(group, { min: 1 })),
    ],
    [
      'one of a group that was skipped before fails, and no other',
      'moved-otherwise',
      moved({ [E]: 'failed' }),
      flips(expectFlip('tests/test_other.py', { min: 1 })),
    ],
    ['the expected test errors', 'moved-otherwise', moved({ [A]: 'error' })],
    ['the expected test is skipped', 'moved-otherwise', moved({ [A]: 'skipped' })],
    ['the expected test vanishes', 'moved-otherwise', moved({ [A]: 'missing' })],
    [
      'the expected test errors as `to` says',
      'pinned',
      moved({ [A]: 'error' }),
      flips(expectFlip(A, { to: ['failed', 'error'] })),
    ],
    [
      'the expected test vanishes as `to` says',
      'pinned',
      moved({ [A]: 'missing' }),
      flips(expectFlip(A, { to: ['missing'] })),
    ],
    ['the message matches', 'pinned', {}, flips(expectFlip(A, { message: 'assert \\d == 2' }))],
    [
      'the message does not match',
      'moved-otherwise',
      {},
      flips(expectFlip(A, { message: 'KeyError' })),
    ],
    [
      'a message is expected, none is there',
      'moved-otherwise',
      moved({ [A]: 'failed' }),
      flips(expectFlip(A, { message: '.*' })),
    ],
    [
      'a message that is no expression',
      'moved-otherwise',
      {},
      flips(expectFlip(A, { message: '(' })),
    ],
    [
      'a red test fails with the expected message',
      'pinned',
      {
        ...baselineOf({ [A]: { outcome: 'failed', message: 'old' } }),
        mutated: step(
          'mutated',
          { [A]: { outcome: 'failed', message: 'new' } },
          { baseline: { ...GREEN, [A]: { outcome: 'failed', message: 'old' } } },
        ),
      },
      flips(expectFlip(A, { from: 'failed', message: 'new' })),
    ],
    [
      'a red test fails with the message that it had',
      'survived',
      {
        ...baselineOf({ [A]: { outcome: 'failed', message: 'new' } }),
        mutated: step(
          'mutated',
          { [A]: { outcome: 'failed', message: 'new' } },
          { baseline: { ...GREEN, [A]: { outcome: 'failed', message: 'new' } } },
        ),
      },
      flips(expectFlip(A, { from: 'failed', message: 'new' })),
    ],
    ['another test fails instead', 'caught-elsewhere', moved({ [C]: 'failed' })],
    ['another test is skipped instead', 'caught-elsewhere', moved({ [C]: 'skipped' })],
    ['another test fails too', 'pinned', moved({ [A]: 'failed', [C]: 'failed' })],
    ['only the expected test fails, under `exact`', 'pinned', {}, { exact: true }],
    [
      'another test fails too, under `exact`',
      'control-moved',
      moved({ [A]: 'failed', [C]: 'failed' }),
      { exact: true },
    ],
    [
      'a test appears, under `exact`',
      'control-moved',
      moved({ [A]: 'failed', 'tests/new.py::test': 'passed' }),
      { exact: true },
    ],
    [
      'a control fails',
      'control-moved',
      moved({ [A]: 'failed', [D]: 'failed' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a control is skipped',
      'control-moved',
      moved({ [A]: 'failed', [D]: 'skipped' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a control vanishes',
      'control-moved',
      moved({ [A]: 'failed', [D]: 'missing' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a control xpasses',
      'control-moved',
      moved({ [A]: 'failed', [D]: 'xpassed' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a skipped member of a control passes',
      'control-moved',
      moved({ [A]: 'failed', [E]: 'passed' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a test appears in a control',
      'control-moved',
      moved({ [A]: 'failed', 'tests/test_other.py::test_new': 'passed' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a pass and a skip trade places in a control',
      'control-moved',
      moved({ [A]: 'failed', [D]: 'skipped', [E]: 'passed' }),
      { controls: [control('tests/test_other.py')] },
    ],
    [
      'a control that contains the expected test',
      'pinned',
      {},
      { controls: [control('tests/test_routes.py')] },
    ],
    [
      'a control of another lane fails',
      'control-moved',
      {
        outsideControls: [laneSteps('slow', { mutated: step('mutated', { [D]: 'failed' }) })],
      },
      { controls: [control(D, 'slow')] },
    ],
    [
      'a test that no control names moves in another lane',
      'pinned',
      {
        outsideControls: [laneSteps('slow', { mutated: step('mutated', { [C]: 'failed' }) })],
      },
      { controls: [control(D, 'slow')] },
    ],
    ['a test fails, under `any`', 'pinned', {}, ANY],
    ['a test errors, under `any`', 'pinned', moved({ [A]: 'error' }), ANY],
    ['a test is only skipped, under `any`', 'moved-otherwise', moved({ [A]: 'skipped' }), ANY],
    [
      'a control fails, under `any`',
      'control-moved',
      moved({ [D]: 'failed' }),
      { ...ANY, controls: [control(D)] },
    ],
    ['a test fails, under `none`', 'control-moved', {}, NONE],
    ['a test is skipped, under `none`', 'control-moved', moved({ [A]: 'skipped' }), NONE],
    [
      'a test that is expected to appear does',
      'pinned',
      moved({ 'tests/new.py::test_x': 'failed' }),
      flips(expectFlip('tests/new.py::test_x', { from: 'missing' })),
    ],
    [
      'a test that is expected to appear does not',
      'survived',
      { mutated: still },
      flips(expectFlip('tests/new.py::test_x', { from: 'missing' })),
    ],
  ]);

  it('lists what else moved, and where everything went after the restore', () => {
    const {
      flipped,
      also,
      missing,
      still: kept,
    } = judged(
      {
        mutated: step('mutated', { [A]: 'failed', [C]: 'skipped' }),
        restored: step('restored', {}, { scope: [A, C] }),
      },
      {},
    );
    expect(flipped).toMatchObject([{ test: A, from: 'passed', to: 'failed', restored: 'passed' }]);
    expect(also).toMatchObject([{ test: C, to: 'skipped', restored: 'passed' }]);
    expect(missing).toEqual([]);
    expect(kept).toEqual({ held: 3, total: 4 });
  });

  it('counts a control at every step, and copies no count from one to the next', () => {
    const { controls } = judged(
      { mutated: still, restored: step('restored', {}, { scope: [D] }) },
      { controls: [control('tests/test_other.py')] },
    );
    expect(controls[0]).toMatchObject({
      held: true,
      counts: {
        baseline: { passed: 1, skipped: 1 },
        mutated: { passed: 1, skipped: 1 },
        restored: null,
      },
    });
  });
});
