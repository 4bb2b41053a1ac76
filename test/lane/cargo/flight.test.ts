import { describe, expect, test } from 'vitest';
import { followFlight } from '../../../src/lane/cargo/flight.js';

const names = (flight: ReturnType<typeof followFlight>): readonly string[] =>
  flight.running().map(({ name }) => name);

describe('the tests in flight', () => {
  test('as many as there are threads begin, in order', () => {
    const flight = followFlight(['a', 'b', 'c'], 2, 0);
    expect(names(flight)).toEqual(['a', 'b']);
    expect(flight.begun()).toEqual(['a', 'b']);
    expect(flight.begun()).toEqual([]);
  });

  test('the next begins when one ends, and runs since then', () => {
    const flight = followFlight(['a', 'b', 'c'], 2, 0);
    expect(flight.finish('b', 30)).toBe(30);
    expect(flight.running()).toEqual([
      { name: 'a', since: 0 },
      { name: 'c', since: 30 },
    ]);
    expect(flight.finish('c', 50)).toBe(20);
    expect(names(flight)).toEqual(['a']);
  });

  test('one thread runs one after another', () => {
    const flight = followFlight(['a', 'b'], 1, 0);
    expect(names(flight)).toEqual(['a']);
    flight.finish('a', 1);
    expect(names(flight)).toEqual(['b']);
  });

  test('more threads than tests are no harm', () => {
    expect(names(followFlight(['a'], 8, 0))).toEqual(['a']);
  });

  test('a test that ends before its turn does not begin later', () => {
    const flight = followFlight(['a', 'b', 'c'], 1, 0);
    flight.finish('b', 5);
    flight.finish('a', 6);
    expect(names(flight)).toEqual(['c']);
  });
});
