import { describe, expect, test } from 'vitest';
import { askLanes, placeTests, type AskedLane } from '../../src/adhoc/changed-tests.js';
import type { Collector } from '../../src/engine/collect.js';
import { err, ok } from '../../src/result.js';
import { laneNamed } from '../engine/builders.js';

const asked = (
  name: string,
  ids: readonly string[],
  deselected: readonly string[] = [],
): AskedLane => ({ name, select: 'not slow', found: { ids, deselected }, problem: null });

const silent: AskedLane = { name: 'web', select: null, found: null, problem: 'it does not start' };
const CHANGED = { path: 'app/tests/test_a.py', name: 'TestA::test_b', kind: 'new' } as const;
const ID = 'tests/test_a.py::TestA::test_b';

describe('a new test is in', () => {
  test.each<readonly [string, readonly AskedLane[], object]>([
    [
      'each lane that selects it',
      [asked('unit', [ID]), asked('other', []), asked('all', ['x', ID])],
      { lanes: ['unit', 'all'], why: [], isOpen: false },
    ],
    [
      'a lane that selects a row of it',
      [asked('unit', [`${ID}[1]`], [`${ID}[2]`])],
      { lanes: ['unit'], why: [], isOpen: false },
    ],
    [
      'none, where one of a longer name is',
      [asked('unit', [`${ID}_more`])],
      { lanes: [], why: ['unit: does not collect it'], isOpen: false },
    ],
    [
      'none, where all deselect it',
      [asked('unit', [], [ID])],
      { lanes: [], why: ['unit: deselects it (not slow)'], isOpen: false },
    ],
    [
      'nobody knows which, where a lane could not be asked',
      [asked('unit', []), silent],
      {
        lanes: [],
        why: ['unit: does not collect it', 'web: not known, it could not be asked'],
        isOpen: true,
      },
    ],
    [
      'a lane, whatever else could not be asked',
      [silent, asked('unit', [ID])],
      { lanes: ['unit'], why: [], isOpen: false },
    ],
  ])('%s', (_, lanes, expected) => {
    expect(placeTests([CHANGED], 'app', lanes)).toEqual([{ kind: 'new', id: ID, ...expected }]);
  });
});

test.each<readonly [readonly string[], object]>([
  [
    ['jail decoder::tests::trims'],
    { id: 'jail decoder::tests::trims', lanes: ['unit'], isOpen: false },
  ],
  [['jail other::trims'], { id: 'src/decoder.rs tests::trims', lanes: [], isOpen: false }],
  // Which of the two it is, only a build tells.
  [
    ['jail tests::trims', 'cell tests::trims'],
    { id: 'src/decoder.rs tests::trims', lanes: [], isOpen: true },
  ],
])('a Rust test is known by a name that no other has: %j', (ids, expected) => {
  const rust = { path: 'src/decoder.rs', name: 'tests::trims', kind: 'new' } as const;
  expect(placeTests([rust], '.', [asked('unit', ids)])).toMatchObject([expected]);
});

test('lanes that cannot be asked, or do not finish, have a problem and no tests', async () => {
  const selection = { deselected: ['b'] };
  const collection = { ids: ['a'], selection, ending: { kind: 'complete' } };
  const answers: Readonly<Record<string, unknown>> = {
    good: ok({ collection }),
    cut: ok({ collection: { ...collection, ending: { kind: 'cancelled' } } }),
    gone: err({ message: 'no pytest here', hint: null }),
  };
  const collect = (({ name }) => Promise.resolve(answers[name])) as Collector['collect'];
  const answered = await askLanes(Object.keys(answers).map(laneNamed), { collect });
  expect(answered).toMatchObject([
    { name: 'good', found: { ids: ['a'], deselected: ['b'] }, problem: null },
    { name: 'cut', found: null, problem: expect.any(String) as string },
    { name: 'gone', found: null, problem: 'no pytest here' },
  ]);
});
