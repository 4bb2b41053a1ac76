import { expect, it } from 'vitest';
import { createBudget } from '../../src/engine/budget.js';

it('is spent when what is needed would end after it, and stays so', () => {
  let now = 1000;
  const budget = createBudget({ text: '30s', ms: 30_000 }, () => now);
  now += 20_000;
  expect(budget.spentMs()).toBe(20_000);
  expect(budget.isSpent(10_000)).toBe(false);
  expect(budget.reason()).toBeNull();
  expect(budget.isSpent(10_001)).toBe(true);
  expect(budget.isSpent(0)).toBe(true);
  expect(budget.reason()).toBe('the budget of 30s is used up');
});

it('is never spent where there is none', () => {
  const budget = createBudget(null, () => 0);
  expect(budget.isSpent(Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(budget.reason()).toBeNull();
});
