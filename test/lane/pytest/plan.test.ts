import { expect, it } from 'vitest';
import { tracebacksOf } from '../../../src/lane/pytest/plan.js';

it.each([
  ['baseline', 'lane', 10],
  ['mutated', 'lane', 10],
  // The second run, of what moved in the first.
  ['mutated', ['test_a.py::test_a'], 0],
  ['reach', 'lane', 0],
  ['restored', ['test_a.py::test_a'], 10],
  ['closing', 'lane', 10],
] as const)('%s of %s shows %d failing tests with a traceback', (step, scope, shown) => {
  expect(tracebacksOf({ step, scope })).toBe(shown);
});
