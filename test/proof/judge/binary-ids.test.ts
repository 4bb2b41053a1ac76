/** The same evidence for ids that have an executable in front. */
import { describe, expect, it } from 'vitest';
import {
  control,
  expectFlip,
  flips,
  judged,
  SELECTION,
  step,
  type Outcomes,
  type StepOptions,
} from '../build.js';

const LANE: Outcomes = {
  'jail stop::tests::delta': 'passed',
  'jail stop::tests::delta_max': 'passed',
  'jail other::delta': 'passed',
  'jail::rows delta': 'passed',
  'jail::rows row_2': 'passed',
};

const run = (name: 'mutated' | 'restored', changes: Outcomes = {}, more: StepOptions = {}) =>
  step(name, changes, { baseline: LANE, ...more });

/** The evidence of a mutation under which these tests changed. */
const proof = (changes: Outcomes, baseline: Outcomes = LANE) => ({
  baseline: step('baseline', {}, { baseline }),
  selection: { ...SELECTION, idForm: 'binary' } as const,
  mutated: run('mutated', changes),
  restored: run('restored'),
});

describe('tests of several executables', () => {
  it('are matched whole: a flip of delta_max is none of delta', () => {
    const { verdict } = judged(
      proof({ 'jail stop::tests::delta_max': 'failed' }),
      flips('jail stop::tests::delta'),
    );
    expect(verdict.code).toBe('caught-elsewhere');
  });

  it('may leave the executable out where one of them has the test', () => {
    const { verdict } = judged(proof({ 'jail::rows row_2': 'failed' }), flips('row_2'));
    expect(verdict.code).toBe('pinned');
  });

  it('are not guessed where several have it', () => {
    const { verdict } = judged(proof({ 'jail::rows delta': 'failed' }), flips('delta'));
    expect(verdict.code).toBe('pinned');
    const inner = judged(proof({}, { ...LANE, 'jail delta': 'passed' }), flips('delta'));
    expect(inner.verdict).toMatchObject({
      code: 'not-selected',
      problems: [{ kind: 'ambiguous', between: ['jail::rows delta', 'jail delta'] }],
    });
  });

  it('show how module and executable stood around a flip', () => {
    const { around } = judged(
      proof({ 'jail stop::tests::delta': 'failed' }),
      flips('stop::tests::delta'),
    );
    expect(around.map(({ group, held, moved }) => ({ group, held, moved }))).toEqual([
      { group: 'jail stop::tests', held: 1, moved: 1 },
      { group: 'jail', held: 2, moved: 1 },
    ]);
  });

  it('a test that appears in another executable is no move of a control here', () => {
    const changes: Outcomes = { 'jail::rows delta': 'failed', 'other stop::tests::late': 'passed' };
    const spec = { ...flips('jail::rows delta'), controls: [control('stop::tests')] };
    expect(judged(proof(changes), spec).verdict.code).toBe('pinned');
    const here: Outcomes = { 'jail::rows delta': 'failed', 'jail stop::tests::late': 'passed' };
    expect(judged(proof(here), spec).verdict.code).toBe('control-moved');
  });

  it('a module that must flip whole says which of it did not', () => {
    const { verdict } = judged(
      proof({ 'jail stop::tests::delta': 'failed' }),
      flips(expectFlip('jail stop::tests')),
    );
    expect(verdict.code).toBe('partial');
  });
});
