import { describe, expect, test } from 'vitest';
import { didYouMean, editDistance, nearest } from '../../src/spec/distance.js';

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['kitten', 'sitting', 3],
    ['abc', 'xyz', 3],
  ])('%s to %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 10)).toBe(distance);
    expect(editDistance(b, a, 10)).toBe(distance);
  });

  test('stops where it is larger than what counts', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
    expect(editDistance('a', 'abcdef', 2)).toBe(3);
  });
});

test('the nearest come first, and none where nothing is near', () => {
  expect(nearest('flip', ['flips', 'file', 'xyz', 'tags'])).toEqual(['flips']);
  expect(nearest('Unit', ['unit', 'integration'])).toEqual(['unit']);
  expect(nearest('pause-route', ['rename-pause-route', 'other'])).toEqual(['rename-pause-route']);
  expect(nearest('zzz', ['flips', 'file'])).toEqual([]);
  expect(nearest('b3', ['b4', 'b1', 'b2', 'b5'])).toEqual(['b1', 'b2', 'b4']);
});

test('the question names at most three', () => {
  expect(didYouMean('flip', ['flips'])).toBe('Did you mean `flips`?');
  expect(didYouMean('b3', ['b4', 'b1', 'b2', 'b5'])).toBe('Did you mean `b1` or `b2` or `b4`?');
  expect(didYouMean('zzz', ['flips'])).toBeNull();
});
