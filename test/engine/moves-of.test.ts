import { describe, expect, test } from 'vitest';
import type { Draft } from '../../src/engine/draft.js';
import { expectedMoves, inLane, movesOf, mutatedMoves } from '../../src/engine/moves-of.js';
import {
  A,
  ANY,
  B,
  C,
  D,
  E,
  evidence,
  flips,
  laneSteps,
  mutation,
  SELECTION,
  SOURCE,
  step,
} from '../proof/build.js';

const draft = (...all: Parameters<typeof evidence>): Draft => evidence(...all) as unknown as Draft;
const unit = (...tests: readonly string[]) => tests.map((id) => inLane('unit', id));
const OUTSIDE = {
  outsideControls: [laneSteps('smoke', { mutated: step('mutated', { [B]: 'failed' }) })],
};

test('what moved has the lane in its name, so that a test of that name in another is another', () => {
  expect(mutatedMoves(draft(OUTSIDE))).toEqual([...unit(A), inLane('smoke', B)]);
  const never = draft({ outsideControls: [laneSteps('smoke', { mutated: null })] });
  expect(mutatedMoves(never)).toEqual(unit(A));
});

test('what a raise moved has moved too, but not by the mutation', () => {
  const raised = draft({ reachStep: step('reach', { [C]: 'failed' }) });
  expect(mutatedMoves(raised)).toEqual(unit(A));
  expect(movesOf(raised).moved).toEqual(unit(A, C));
});

describe('what a mutation will probably move', () => {
  const lane = { baseline: step('baseline'), selection: SELECTION };
  const measured = [draft()];
  const at = (path: string) => [{ path }];

  test.each([
    ['the tests that it names', flips(B), SOURCE, unit(B)],
    ['each of a group', flips('tests/test_other.py'), SOURCE, unit(D, E)],
    ['nothing that the lane does not know', flips('nowhere'), SOURCE, []],
    ['what edits of the same file moved, where it names none', ANY, SOURCE, unit(A)],
    ['nothing that only edits of other files moved', ANY, 'src/other.py', []],
  ] as const)('is %s', (_what, spec, path, expected) => {
    expect(expectedMoves(mutation(spec), at(path), lane, measured)).toEqual(expected);
  });

  test('is nothing where the lane has no baseline', () => {
    expect(expectedMoves(mutation(), at(SOURCE), { ...lane, baseline: null }, measured)).toEqual(
      [],
    );
  });
});
