import { expect, test } from 'vitest';
import { append, largest } from '../src/lists.js';

/** More than the arguments that a call can have. */
const LONG = Array.from({ length: 300_000 }, (_, index) => index);

test('a list of any length is added to another, in its order', () => {
  const list = [-1];
  append(list, LONG);
  expect(list).toEqual([-1, ...LONG]);
});

test('the largest of numbers is found among any number of them', () => {
  expect(largest(LONG)).toBe(299_999);
  expect(largest([3, 7, 5])).toBe(7);
  expect(largest([])).toBe(0);
});
