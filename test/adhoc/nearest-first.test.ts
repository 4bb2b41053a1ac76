import { describe, expect, test } from 'vitest';
import { nearestFirst } from '../../src/adhoc/nearest-first.js';
import type { Measured } from '../../src/engine/run.js';
import type { Verdict } from '../../src/proof/verdict.js';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import { laneNamed, mutation } from '../engine/builders.js';
import { lane, proof, record } from '../report/records.js';

const full = laneNamed('unit');
const near = { ...implicitLane(), name: 'unit, nearest tests' };
const one = { spec: mutation('a', { lane: 'unit' }), pulledIn: false, notApplied: null };
const { first, rounds } = nearestFirst(one, { lane: near, files: ['test_a.py'], of: 5 }, full);

/** As much of a measurement as is looked at. */
const measured = (name: string, verdict: object): Measured =>
  ({
    evidence: { lane: { name } },
    judgement: { verdict: verdict as Verdict },
  }) as unknown as Measured;

const unseen = (flipped: readonly string[]): object => ({ kind: 'unseen', flipped });

describe('the whole lane is asked', () => {
  test.each<readonly [object, boolean]>([
    [{ code: 'survived' }, true],
    [{ code: 'not-selected' }, true],
    [{ code: 'baseline-red' }, true],
    [{ code: 'not-loaded', problem: unseen([]) }, true],
    // What is imported from elsewhere is so for all tests.
    [{ code: 'not-loaded', problem: { kind: 'elsewhere' } }, false],
    [{ code: 'not-loaded', problem: unseen(['test_a.py::test_x']) }, false],
    [{ code: 'pinned' }, false],
    [{ code: 'partial' }, false],
    [{ code: 'caught-elsewhere' }, false],
    [{ code: 'broken' }, false],
    [{ code: 'incomplete' }, false],
    [{ code: 'not-restored' }, false],
  ])('after %j of the nearest: %s', (verdict, widens) => {
    const found = measured(near.name, verdict);
    expect(rounds.next([found])).toEqual(widens ? [one] : []);
    expect(rounds.isInterim?.(found) ?? null).toEqual(
      widens ? 'nothing moved in the nearest 1 of 5 test files; now all of lane unit' : null,
    );
  });

  test('once, whatever it says', () => {
    const found = [
      measured(near.name, { code: 'survived' }),
      measured('unit', { code: 'survived' }),
    ];
    expect(rounds.next(found)).toEqual([]);
    expect(rounds.isInterim?.(found[1] as Measured)).toBeNull();
  });

  test('by the same mutation, of which nobody asked yet who gets to it', () => {
    expect(first).toEqual({
      ...one,
      spec: { ...one.spec, lane: near.name },
      reach: 'not asked',
    });
  });
});

describe('the record says', () => {
  const gaps = ['code that no mutation here edits'];
  const concluded = (name: string, verdict: 'pinned' | 'partial' | 'survived', more = {}) => {
    const proofs = [proof(verdict, { lane: name })];
    const run = record(proofs, { lanes: [lane({ name, notes: [] })], notVerified: gaps, ...more });
    const { lanes, notVerified } = rounds.conclude(run, []);
    return { notes: lanes[0]?.notes, notVerified };
  };

  test.each<readonly ['pinned' | 'partial' | 'survived', object, string]>([
    ['pinned', {}, 'since the nearest noticed'],
    ['partial', {}, 'since the nearest gave the answer'],
    ['survived', { stopped: 'interrupted by SIGINT' }, 'since the run ended early'],
  ])(
    'which test files were not run, and why, where the nearest made it %s',
    (verdict, more, why) => {
      expect(concluded(near.name, verdict, more)).toEqual({
        notes: ['nearest tests first: 1 of 5 test files'],
        notVerified: [`4 of 5 test files, ${why} (--full)`, ...gaps],
      });
    },
  );

  test('that the nearest came first, where the whole lane was asked', () => {
    expect(concluded('unit', 'survived')).toEqual({
      notes: ['the whole lane: nothing moved in the nearest 1 of 5 test files'],
      notVerified: gaps,
    });
  });
});
