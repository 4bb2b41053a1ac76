import { describe, expect, it } from 'vitest';
import { baselinesDiffer } from '../../src/proof/stability.js';
import { A, D, E, step } from './build.js';

describe('two baselines at the same time', () => {
  it.each([
    ['are equal', {}, {}, []],
    [
      'are equal but for messages',
      { [A]: { outcome: 'failed', message: 'x' } },
      { [A]: { outcome: 'failed', message: 'y' } },
      [],
    ],
    ['differ in an outcome', {}, { [A]: 'failed' }, [[A, ['passed', 'failed']]]],
    ['differ in a skip', {}, { [E]: 'passed' }, [[E, ['skipped', 'passed']]]],
  ] as const)('%s', (_title, one, other, found) => {
    const differing = baselinesDiffer(step('baseline', one), step('baseline', other));
    expect(differing.map(({ test, outcomes }) => [test, outcomes])).toEqual(found);
  });

  it('differ in a test that only one of them knows', () => {
    const less = step('baseline', {}, { lacks: [D] });
    const outcomes = (found: ReturnType<typeof baselinesDiffer>) =>
      found.map((each) => each.outcomes);
    expect(outcomes(baselinesDiffer(step('baseline'), less))).toEqual([['passed', null]]);
    expect(outcomes(baselinesDiffer(less, step('baseline')))).toEqual([[null, 'passed']]);
  });
});
