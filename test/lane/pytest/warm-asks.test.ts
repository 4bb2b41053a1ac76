import { expect, it } from 'vitest';
import type { Asked } from '../../../src/lane/lane.js';
import { leavesOutImports, neededImports } from '../../../src/lane/pytest/warm/asks.js';

/** `a: x y` is a test that asks for two modules, `: x` the collection. */
function run(...parts: readonly string[]) {
  const asked = parts.map((part): Asked => {
    const [test = '', names = ''] = part.split(':');
    return { test: test === '' ? null : test, names: names.trim().split(' ').filter(Boolean) };
  });
  const results = asked.flatMap(({ test }) =>
    test === null
      ? []
      : [
          {
            id: test,
            outcome: 'passed' as const,
            phase: null,
            at: null,
            message: null,
            durationMs: 0,
            broken: null,
          },
        ],
  );
  return { results, asked: asked.filter(({ names }) => names.length > 0) };
}

const UNTOUCHED = run(': x', 'a:', 'b: y', 'c: z');
const NEEDED = neededImports(UNTOUCHED, [
  ['b', ['y']],
  ['c', ['z']],
]);

it.each([
  ['what the untouched tree asks for', [': x', 'a:', 'b: y', 'c: z'], false],
  ['more', [': x v', 'a: w', 'b: y', 'c: z'], false],
  ['it sooner', [': x y', 'a: z', 'b:', 'c:'], false],
  ['nothing', [':', 'a:', 'b:', 'c:'], true],
  ['it in a later test', [': x', 'a:', 'b:', 'c: y z'], true],
  ['it in its first test, not in the collection', [':', 'a: x', 'b: y', 'c: z'], true],
  ['all but the last', [': x', 'a:', 'b: y', 'c:'], true],
  ['it in tests in another order', [': x', 'c: z', 'b: y', 'a:'], true],
  ['it in another order, and all ahead', [': x y z', 'c:', 'b:', 'a:'], false],
  ['all, without a test that asks for nothing', [': x', 'b: y', 'c: z'], false],
  ['all but what a test asks for that is left out', [': x', 'a:', 'c: z'], true],
  ['that too, by the next test', [': x', 'a:', 'c: y z'], false],
  ['all, with tests that are new', [': x', 'n:', 'a:', 'm: y', 'b:', 'c: z'], false],
])('a step that asks for %s: %s', (_, parts, expected) => {
  expect(leavesOutImports(run(...parts), NEEDED)).toBe(expected);
});

it('a module that had come with another one need not be asked for', () => {
  const late = (test: string) => [[test, ['z']] as const];
  const step = run(': x', 'a:', 'b: y', 'c:');
  for (const [test, expected] of [
    ['b', false],
    ['c', true],
    // After all tests, or in one that is there no more.
    ['', true],
    ['other', true],
  ] as const)
    expect(leavesOutImports(step, neededImports(UNTOUCHED, late(test)))).toBe(expected);
  expect(leavesOutImports(step, neededImports(UNTOUCHED, []))).toBe(false);
});

it('a test that is run again asks in all of its runs', () => {
  const twice = { ...UNTOUCHED, asked: [...UNTOUCHED.asked, { test: 'c', names: ['v'] }] };
  const needed = neededImports(twice, [['c', ['v', 'z']]]);
  expect(leavesOutImports(UNTOUCHED, needed)).toBe(true);
  expect(leavesOutImports(twice, needed)).toBe(false);
});
