import { describe, expect, it } from 'vitest';
import {
  GREEN,
  A,
  B,
  C,
  D,
  E,
  baselineOf,
  before,
  control,
  judgeTable,
  judged,
  step,
  syntax,
  uncollected,
  uncollectedFor,
} from '../build.js';

describe('a mutant that cannot be loaded', () => {
  judgeTable([
    ['it does not compile', 'broken', { ...before, compile: [syntax] }],
    [
      'its build fails',
      'broken',
      { mutated: null, restored: null, build: [{ step: 'mutated', causes: [syntax] }] },
    ],
    [
      'the lane cannot start on it',
      'broken',
      {
        mutated: step('mutated', {}, { ending: { kind: 'broken', causes: [syntax] } }),
      },
    ],
    [
      'a test file cannot be collected',
      'broken',
      {
        mutated: step(
          'mutated',
          { [C]: 'failed' },
          {
            collectionErrors: [uncollected('tests/test_other.py')],
            lacks: [D, E],
          },
        ),
      },
    ],
    [
      'another test file cannot be collected for a file that was at fault before',
      'broken',
      {
        baseline: step('baseline', {}, { collectionErrors: [uncollectedFor('tests/test_bad.py')] }),
        mutated: step(
          'mutated',
          { [A]: 'failed' },
          {
            collectionErrors: [
              uncollectedFor('tests/test_bad.py'),
              uncollectedFor('tests/test_other.py'),
            ],
          },
        ),
      },
    ],
    [
      'a test reports it late, beside a flip',
      'broken',
      {
        mutated: step('mutated', {
          [A]: 'failed',
          [B]: { outcome: 'failed', broken: 'ImportError: z' },
        }),
      },
    ],
    [
      'a file that could not be collected before either',
      'pinned',
      {
        baseline: step('baseline', {}, { collectionErrors: [uncollected('tests/test_bad.py')] }),
        mutated: step(
          'mutated',
          { [A]: 'failed' },
          { collectionErrors: [uncollected('tests/test_bad.py')] },
        ),
        restored: step('restored', {}, { collectionErrors: [uncollected('tests/test_bad.py')] }),
      },
    ],
    [
      'a test that was broken before',
      'pinned',
      {
        ...baselineOf({ [B]: { outcome: 'failed', broken: 'x', message: 'old' } }),
        mutated: step(
          'mutated',
          { [A]: 'failed', [B]: { outcome: 'failed', broken: 'x', message: 'new' } },
          { baseline: { ...GREEN, [B]: { outcome: 'failed', broken: 'x', message: 'old' } } },
        ),
      },
    ],
    [
      'the restored lane does not collect, twice',
      'broken',
      {
        restored: step(
          'restored',
          {},
          { scope: [A], collectionErrors: [uncollected('tests/test_routes.py')], lacks: [A] },
        ),
        restoredAgain: step(
          'restored',
          {},
          { collectionErrors: [uncollected('tests/test_routes.py')], lacks: [A] },
        ),
      },
    ],
  ]);

  it('does not call the tests of an uncollected file unmoved', () => {
    const { controls } = judged(
      {
        mutated: step(
          'mutated',
          {},
          {
            collectionErrors: [uncollected('tests/test_other.py')],
            lacks: [D, E],
          },
        ),
      },
      { controls: [control('tests/test_other.py')] },
    );
    expect(controls[0]).toMatchObject({ held: null, moved: [], counts: { mutated: null } });
  });
});
