import { describe, expect, it } from 'vitest';
import { changingIds, isChanging, pairIds, selectorFor } from '../../src/proof/changing-ids.js';
import { explain } from '../../src/proof/verdict-text.js';
import { A, C, D, GREEN, NONE, judgeTable, judged, laneSteps, quarantine, step } from './build.js';

const clock = (now: string): string => `tests/test_clock.py::test_at[${now}]`;

/** A run in which the test that the baseline calls `clock('1')` has another id. */
const run = (name: 'mutated' | 'restored' | 'closing', now: string, changes: typeof GREEN = {}) =>
  step(
    name,
    { [clock('1')]: 'missing', [clock(now)]: 'passed', ...changes },
    { baseline: { ...GREEN, [clock('1')]: 'passed' } },
  );

const baseline = step('baseline', { [clock('1')]: 'passed' });
const flipped = { [A]: 'failed' } as const;

/** A lane of which each run has another id. */
const made = {
  baseline,
  mutated: run('mutated', '2', flipped),
  mutatedAgain: step('mutated', flipped, { scope: [A] }),
  restored: run('restored', '3'),
  restoredAgain: run('restored', '4'),
};

describe('ids that are made anew at each run', () => {
  it.each([
    ['in each of two runs', [run('mutated', '2'), run('closing', '3')], [['1', '3']]],
    ['in one run only, which tells nothing', [run('mutated', '2')], []],
    [
      'as they stay from then on, which tells of state',
      [run('mutated', '2'), run('closing', '2')],
      [],
    ],
    [
      'beside a test that is gone',
      [run('mutated', '2'), run('closing', '3', { [C]: 'missing' })],
      [['1', '3']],
    ],
  ])('%s', (_title, [mutated = null, ...closing], pairs) => {
    const steps = laneSteps('unit', { baseline, mutated, restored: null });
    expect(changingIds(steps, closing)).toEqual(
      pairs.map(([was = '', now = '']) => ({ was: clock(was), now: clock(now) })),
    );
  });

  const uuid = (first: string): string => `u::of ${first}-0263-4c48-83af-58612ea6a65a, v2`;
  it.each([
    [clock('a[0]::b'), clock('c'), 'tests/test_clock.py::test_at'],
    ['web::starts at 12:03', 'web::starts at 12:04', 'web::starts at 12:*'],
    [uuid('67903807'), uuid('0bc21d4e'), 'u::of *, v2'],
    ['w::<X at 0x7f3a> in 3ms', 'w::<X at 0x7f4b> in 4ms', 'w::<X at *> in *ms'],
  ])('%s, then %s can be called %s at every run', (was, now, selector) => {
    expect(pairIds([was], [now])).toEqual([{ was, now }]);
    expect(selectorFor({ was, now })).toBe(selector);
  });

  it.each([
    ['tests/test_v2.py::TestB64::test_utf8_roundtrip', 'tests/test_v2.py::TestB64::test_utf16'],
    ['tests/test_a.py::test_a1', 'tests/test_a.py::test_a2'],
    ['tests/1.py::test_a[x]', 'tests/2.py::test_a[x]'],
    ['tests/1.py::test_a', 'tests/2.py::test_a'],
  ])('are not %s and %s, which are two tests', (was, now) => {
    expect(pairIds([was], [now])).toEqual([]);
  });

  it('are named in YAML that can be read, whatever they hold', () => {
    const changing = [{ was: 'u::says "a\\" at 1', now: 'u::says "a\\" at 2' }];
    const tests = [
      { test: 'u::says "a\\" at 1', baseline: 'passed', restored: 'missing' },
    ] as const;
    const { next } = explain({ code: 'unsettled', step: 'restored', tests, changing });
    expect(next.join()).toContain('[{ test: "u::says \\"a\\\\\\" at *", because: "…" }]');
  });

  it('are paired by their test, each once', () => {
    expect(pairIds([clock('1'), clock('2'), 'x::y'], [clock('3')])).toEqual([
      { was: clock('1'), now: clock('3') },
    ]);
    expect(isChanging(clock('7'), [{ was: clock('1'), now: clock('3') }])).toBe(true);
    expect(isChanging(D, [{ was: clock('1'), now: clock('3') }])).toBe(false);
  });

  it('are named by the verdict that they cost', () => {
    expect(judged(made).verdict).toEqual({
      code: 'unsettled',
      step: 'restored',
      tests: [{ test: clock('1'), baseline: 'passed', restored: 'missing' }],
      changing: [{ was: clock('1'), now: clock('4') }],
    });
  });

  const aside = quarantine('tests/test_clock.py::test_at');
  judgeTable([
    ['beside a flip', 'unsettled', made],
    ['beside a flip, in quarantine', 'pinned', { ...made, ...aside, restoredAgain: null }],
    [
      'alone, in quarantine',
      'survived',
      { ...made, ...aside, mutated: run('mutated', '2'), mutatedAgain: null, restoredAgain: null },
    ],
    [
      'where no test may move, in quarantine',
      'pinned',
      { ...made, ...aside, mutated: run('mutated', '2'), mutatedAgain: null, restoredAgain: null },
      NONE,
    ],
    [
      'in the closing run, in quarantine',
      'pinned',
      {
        ...made,
        ...aside,
        restoredAgain: null,
        closing: { first: run('closing', '5'), again: null },
      },
    ],
  ]);

  it('are named where the restored run is the closing one too', () => {
    const [first, again] = [run('restored', '3'), run('restored', '4')];
    const closed = { ...made, restored: first, restoredAgain: again, closing: { first, again } };
    expect(judged(closed).verdict).toMatchObject({
      changing: [{ was: clock('1'), now: clock('4') }],
    });
  });
});
