import { expect, test } from 'vitest';
import { createDoubted, createWarmDoubt, restsOn } from '../../src/engine/warm-doubt.js';

test('a doubt that one slot raises is heard in all, and makes all of them cold', () => {
  const doubt = createWarmDoubt();
  const slots = [createDoubted(doubt), createDoubted(doubt)];
  expect(doubt.isCold()).toBe(false);
  expect(slots.map((slot) => slot.isAny())).toEqual([false, false]);
  doubt.raise(['a']);
  expect(doubt.isCold()).toBe(true);
  expect(slots.map((slot) => slot.take())).toEqual([['a'], ['a']]);
});

test.each([
  ['each test once', [['a'], ['b', 'a']], ['a', 'b']],
  ['all, once something else than a test was told otherwise', [['a'], []], []],
  ['all, whatever is heard after that', [[], ['a']], []],
])('what is in doubt is %s', (_what, heard, expected) => {
  const doubt = createWarmDoubt();
  const doubted = createDoubted(doubt);
  for (const tests of heard) doubt.raise(tests);
  expect(doubted.isAny()).toBe(true);
  expect(doubted.take()).toEqual(expected);
  expect(doubted.isAny()).toBe(false);
});

test('no test in particular is in doubt: everything rests on it', () => {
  expect(restsOn([], [])).toBe(true);
  expect(restsOn(['a'], [])).toBe(false);
  expect(restsOn(['a', 'b'], ['c', 'b'])).toBe(true);
});
