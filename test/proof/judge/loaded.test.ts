import { describe, expect, it } from 'vitest';
import {
  ANY,
  C,
  A,
  MUTANT,
  NONE,
  ORIGINAL,
  OWN_SUM,
  SOURCE,
  UNSEEN,
  before,
  flipsA,
  judgeTable,
  judged,
  load,
  step,
  still,
  type Outcomes,
} from '../build.js';
import type { StepName } from '../../../src/proof/evidence.js';
import { explain } from '../../../src/proof/verdict-text.js';

describe('what ran', () => {
  const unseen = { mutated: step('mutated', { [A]: 'failed' }, { loads: UNSEEN }) };
  const stillUnseen = { mutated: step('mutated', {}, { loads: UNSEEN }) };
  const there = [load(ORIGINAL, { elsewhere: '/usr/lib/routes.py' })];
  judgeTable([
    ['nothing seen, nothing moved', 'not-loaded', stillUnseen],
    [
      'executed from a cache, nothing moved',
      'not-loaded',
      {
        mutated: step('mutated', {}, { loads: [load(null, { proof: 'cached' })] }),
      },
    ],
    [
      'nothing seen, only a skip',
      'not-loaded',
      { mutated: step('mutated', { [A]: 'skipped' }, { loads: UNSEEN }) },
    ],
    ['nothing seen, a flip that was not repeated', 'not-loaded', unseen],
    ['nothing seen, a flip that repeats', 'pinned', { ...unseen, mutatedAgain: flipsA }],
    [
      'nothing seen, a flip that repeats but stays',
      'unsettled',
      {
        ...unseen,
        mutatedAgain: flipsA,
        restored: step('restored', { [A]: 'failed' }, { scope: [A] }),
        restoredAgain: step('restored', { [A]: 'failed' }),
      },
    ],
    [
      'nothing seen, a flip that does not repeat beside a skip that does',
      'flaky',
      {
        mutated: step('mutated', { [A]: 'failed', [C]: 'skipped' }, { loads: UNSEEN }),
        mutatedAgain: step('mutated', { [C]: 'skipped' }, { loads: UNSEEN }),
      },
      ANY,
    ],
    ['nothing seen, a flip that does not repeat', 'flaky', { ...unseen, mutatedAgain: still }],
    [
      'the original’s bytes ran instead of the mutant’s',
      'not-loaded',
      {
        mutated: step('mutated', {}, { loads: [load(ORIGINAL)] }),
      },
    ],
    [
      'other bytes, though a test flipped twice',
      'not-loaded',
      {
        mutated: step('mutated', { [A]: 'failed' }, { loads: [load('c'.repeat(64))] }),
        mutatedAgain: flipsA,
      },
    ],
    [
      'the mutant’s bytes still run on the restored tree',
      'not-loaded',
      {
        restored: step('restored', {}, { loads: [load(MUTANT)] }),
      },
    ],
    [
      'a cache on the restored tree',
      'not-loaded',
      {
        restored: step('restored', {}, { loads: [load(null, { proof: 'cached' })] }),
      },
    ],
    [
      'a narrow restored run that never imports the file',
      'pinned',
      {
        restored: step('restored', {}, { scope: [A], loads: UNSEEN }),
      },
    ],
    [
      'a baseline that gives no proof of its own bytes',
      'not-loaded',
      {
        baseline: step('baseline', {}, { loads: UNSEEN }),
        mutated: still,
      },
    ],
    [
      'a module from elsewhere, found before anything is written',
      'not-loaded',
      {
        ...before,
        baseline: step('baseline', {}, { loads: there }),
      },
    ],
    [
      'a module from elsewhere under the mutant',
      'not-loaded',
      {
        mutated: step(
          'mutated',
          {},
          { loads: [load(MUTANT, { elsewhere: '/usr/lib/routes.py' })] },
        ),
      },
    ],
    [
      'another mutation’s module from elsewhere',
      'pinned',
      {
        baseline: step(
          'baseline',
          {},
          {
            loads: [load(ORIGINAL), load(null, { path: 'src/x.py', elsewhere: '/usr/lib/x.py' })],
          },
        ),
      },
    ],
    [
      'one of two edited files not seen, nothing moved',
      'not-loaded',
      {
        mutated: still,
        files: [SOURCE, 'src/b.json'].map((path) => ({
          path,
          baseline: ORIGINAL,
          mutated: MUTANT,
          restored: ORIGINAL,
        })),
      },
    ],
    [
      'a created file that was compiled',
      'pinned',
      {
        baseline: step('baseline', {}, { loads: [] }),
        files: [{ path: SOURCE, baseline: null, mutated: MUTANT, restored: null }],
        restored: step('restored', {}, { loads: [] }),
      },
    ],
    [
      'a deleted file and a test that flips twice',
      'pinned',
      {
        mutated: step('mutated', { [A]: 'failed' }, { loads: [] }),
        mutatedAgain: step('mutated', { [A]: 'failed' }, { loads: [] }),
        files: [{ path: SOURCE, baseline: ORIGINAL, mutated: null, restored: ORIGINAL }],
      },
    ],
    ['nothing seen under `none`, nothing moved', 'not-loaded', stillUnseen, NONE],
  ]);

  it('says what proves that the mutant ran', () => {
    expect(judged().loaded).toEqual({ proof: 'compiled', from: 'test process' });
    expect(judged({ ...unseen, mutatedAgain: flipsA }).loaded).toEqual({
      proof: 'by-effect',
      from: A,
    });
    expect(judged(stillUnseen).loaded).toEqual({ proof: 'none', from: null });
    const stays = {
      ...unseen,
      mutatedAgain: flipsA,
      restored: step('restored', { [A]: 'failed' }),
    };
    expect(judged(stays).loaded).toEqual({ proof: 'none', from: null });
  });

  it('says why nothing was seen, where the lane knows', () => {
    const why = '`mod routes;` is left out';
    const loads = [load(null, { why })];
    const { verdict } = judged({ mutated: step('mutated', {}, { loads }) });
    expect(explain(verdict).facts).toEqual([`not seen to be loaded: ${SOURCE}: ${why}`]);
  });
});

describe('the sums of test executables', () => {
  const own = (name: StepName, moves: Outcomes, sums: readonly string[] | null) => ({
    ...step(name, moves, { loads: [load(OWN_SUM[name], { proof: 'rebuilt' })] }),
    ...(sums === null
      ? {}
      : {
          executables: { built: 2, sums: sums.map((id) => ({ id, sha256: MUTANT, source: null })) },
        }),
  });
  const survivor = 'No test executable changed: nothing that is linked into one uses these bytes.';
  const flip = 'No test executable changed: the tests meet these bytes only when they run.';
  const again =
    "Built again from the restored files, jail, jail::it differed byte for byte from the baseline's: the build is not reproducible.";

  it.each([
    ['explain a survivor', {}, [], [], [survivor]],
    ['show that a flip came by another way', { [A]: 'failed' }, [], [], [flip]],
    ['say nothing where one changed', {}, ['jail'], [], []],
    [
      'tell of a build that is not reproducible',
      { [A]: 'failed' },
      ['jail'],
      ['jail', 'jail::it'],
      [again],
    ],
    ['say nothing where a lane builds none', {}, null, null, []],
  ] as const)('%s', (_, moves, mutated, restored, expected) => {
    const { notes } = judged({
      baseline: own('baseline', {}, null),
      mutated: own('mutated', moves, mutated),
      restored: own('restored', {}, restored),
    });
    expect(notes).toEqual(expected);
  });

  it('leave a rebuilt survivor a survivor', () => {
    const { verdict, loaded } = judged({
      baseline: own('baseline', {}, ['jail']),
      mutated: own('mutated', {}, []),
      restored: own('restored', {}, []),
    });
    expect(verdict.code).toBe('survived');
    expect(loaded.proof).toBe('rebuilt');
  });
});
