import { describe, expect, test } from 'vitest';
import { A, B } from '../proof/build.js';
import { benchOf, type Found } from './slot-run-bench.js';

const runsOf = (asked: readonly string[]): readonly string[] =>
  asked.filter((each) => !each.startsWith('logs'));

/** Each mutated lane is run twice: whole, and once more what flipped. */
const twice = (id: string): readonly string[] => [`mutated ${id}`, `mutated ${id}`];

describe('what waits for its restored run', () => {
  test('shares one in an overlay, the whole lane, which also closes it', async () => {
    const bench = benchOf(() => null);
    await bench.prove('a', 'b');
    expect(bench.told).toEqual([]);
    await bench.run.finish();
    expect(runsOf(bench.asked)).toEqual([...twice('a'), ...twice('b'), 'restored lane']);
    expect(bench.told).toEqual(['a pinned', 'b pinned']);
    expect(bench.run.closing()).toEqual([bench.draft('a').restored]);
  });

  test('does not share it in place with what moves the same test', async () => {
    const bench = benchOf(() => null, { isolation: 'in-place' });
    await bench.prove('a', 'b');
    expect(runsOf(bench.asked)).toEqual([...twice('a'), 'restored a', ...twice('b')]);
    expect(bench.told).toEqual(['a pinned']);
  });

  test('has it at once with --fail-fast, and whole with --verify full', async () => {
    const fast = benchOf(() => null, { settings: { failFast: true } });
    await fast.prove('a');
    expect(fast.told).toEqual(['a pinned']);
    const full = benchOf(() => null, { settings: { verify: 'full' } });
    await full.prove('a');
    await full.run.finish();
    // Nothing was measured since the lane was green.
    expect(runsOf(full.asked)).toEqual([...twice('a'), 'restored a']);
  });

  test('has no evidence where the run stops before it', async () => {
    const bench = benchOf(() => null);
    await bench.prove('a');
    bench.stop.set('enough');
    await bench.run.finish();
    expect(bench.told).toEqual(['a incomplete']);
    expect(bench.draft('a').interrupted).toBe(true);
  });
});

describe('a slot that dies', () => {
  test('of a mutation costs one try, and the second one counts', async () => {
    let deaths = 1;
    const bench = benchOf((step) => (step === 'mutated' && deaths-- > 0 ? { dies: true } : null));
    await bench.prove('a');
    await bench.run.finish();
    expect(runsOf(bench.asked)).toEqual(['mutated a', 'revive', ...twice('a'), 'restored a']);
    expect(bench.told).toEqual(['a pinned']);
  });

  test('of it twice is no evidence', async () => {
    const bench = benchOf((step) => (step === 'mutated' ? { dies: true } : null));
    await bench.prove('a');
    await bench.run.finish();
    expect(runsOf(bench.asked)).toEqual(['mutated a', 'revive', 'mutated a', 'revive']);
    expect(bench.draft('a')).toMatchObject({ slotDied: true, mutated: null });
  });
});

/** Settles each by itself, so that what closes the lane is a run of its own. */
const ALONE = { settings: { failFast: true } } as const;
const RED: Found = { outcomes: { [B]: 'failed' } };

describe('the closing run', () => {
  const closings = (...found: readonly (Found | null)[]) => {
    let next = 0;
    return benchOf((step) => (step === 'closing' ? (found[next++] ?? null) : null), ALONE);
  };

  test.each([
    ['as the baseline', [null], 1, 'pinned', 0],
    ['once otherwise, in a test of nobody', [RED, null], 2, 'pinned', 0],
    ['twice otherwise', [RED, RED], 2, 'unsettled', 1],
    ['otherwise, and never whole again', [RED, { dies: true }, { dies: true }], 1, 'incomplete', 1],
  ] as const)('%s', async (_how, found, runs, verdict, notices) => {
    const bench = closings(...found);
    await bench.prove('a');
    await bench.run.finish();
    expect(bench.run.closing()).toHaveLength(runs);
    expect(bench.verdict('a')).toBe(verdict);
    expect(bench.notices().filter((text) => text.includes('closing'))).toHaveLength(notices);
  });

  test('is repeated for nobody: what it voided stays void, and that is said once', async () => {
    const bench = closings(RED, RED, RED, RED);
    await bench.prove('a');
    await bench.run.finish();
    await bench.run.finish();
    expect(bench.run.closing()).toHaveLength(2);
    expect(bench.verdict('a')).toBe('unsettled');
    expect(bench.notices().filter((text) => text.includes('closing'))).toHaveLength(1);
  });

  test('takes the place of the one before', async () => {
    const bench = closings(RED, null, null);
    await bench.prove('a');
    await bench.run.finish();
    expect(bench.run.closing()).toHaveLength(2);
    await bench.run.finish();
    expect(bench.run.closing()).toHaveLength(1);
    expect(bench.verdict('a')).toBe('pinned');
  });

  test('voids what was measured so far also where its repeat fails by a bug of ours', async () => {
    let times = 0;
    const bench = benchOf((step) => {
      if (step !== 'closing') return null;
      times += 1;
      if (times > 1) throw new Error('bug');
      return RED;
    }, ALONE);
    await bench.prove('a');
    await expect(bench.run.finish()).rejects.toThrow('bug');
    expect(bench.verdict('a')).toBe('incomplete');
  });
});

describe('a warm interpreter in doubt', () => {
  test('has what waits and what rests on the test measured anew, judged and told again', async () => {
    let isMutantSeen = true;
    const bench = benchOf(
      (step) => (step === 'mutated' && !isMutantSeen ? { outcomes: {} } : null),
      ALONE,
    );
    await bench.prove('a');
    expect(bench.told).toEqual(['a pinned']);
    isMutantSeen = false;
    bench.doubt.raise([A]);
    expect(bench.run.isInDoubt()).toBe(true);
    await bench.run.finish();
    expect(bench.run.isInDoubt()).toBe(false);
    expect(bench.told).toEqual(['a pinned', 'a survived']);
    expect(bench.asked.filter((each) => each.startsWith('logs'))).toEqual([
      'logs a stands',
      'logs a falls',
    ]);
  });

  test('leaves alone what rests on other tests', async () => {
    const bench = benchOf(() => null, ALONE);
    await bench.prove('a');
    bench.doubt.raise([B]);
    await bench.run.finish();
    expect(bench.told).toEqual(['a pinned']);
  });

  test('has no lane closed again that was green, and in which nothing rests on the test', async () => {
    const bench = benchOf(() => null, ALONE);
    await bench.prove('a');
    await bench.run.finish();
    bench.doubt.raise([B]);
    await bench.run.finish();
    expect(bench.asked.filter((each) => each.startsWith('closing'))).toHaveLength(1);
  });

  test('raised after the end has the lane closed once more, in place of the time before', async () => {
    let closed = 0;
    const bench = benchOf((step, _id, asked) => {
      if (step === 'closing') closed += 1;
      // The second closing is the restored run of what is measured anew, and its repeat.
      const isLate = step === 'restored' && asked.filter((each) => each === 'mutated a').length > 2;
      return isLate ? RED : null;
    }, ALONE);
    await bench.prove('a', 'b');
    await bench.run.finish();
    expect([closed, bench.run.closing().length]).toEqual([1, 1]);
    bench.doubt.raise([A]);
    await bench.run.finish();
    expect(closed).toBe(1);
    expect(bench.run.closing()).toHaveLength(2);
    // Both were put back: both are void, and it is said once, of both.
    expect(bench.notices().filter((text) => text.includes('closing'))).toEqual([
      'the closing run differs from the baseline; it voids 2 of 2 verdicts',
    ]);
    expect(['a', 'b'].map(bench.verdict)).toEqual(['unsettled', 'unsettled']);
  });

  test('measures anew also what a closing run had voided', async () => {
    let isRed = true;
    const bench = benchOf((step) => (step === 'closing' && isRed ? RED : null), ALONE);
    await bench.prove('a');
    await bench.run.finish();
    expect(bench.verdict('a')).toBe('unsettled');
    isRed = false;
    bench.doubt.raise([B]);
    await bench.run.finish();
    expect(bench.told).toEqual(['a pinned', 'a pinned']);
    expect(bench.verdict('a')).toBe('pinned');
  });
});
