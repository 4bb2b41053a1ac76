import { expect, test } from 'vitest';
import { createStopFlag, type SlotContext } from '../../src/engine/context.js';
import { createLasting } from '../../src/engine/lasting.js';
import { SlotDied } from '../../src/engine/slot-keeper.js';
import type { RecoverOutcome } from '../../src/workspace/recover.js';

const NOTHING: RecoverOutcome = { kind: 'nothing', notes: [] };

function bench(outcome: RecoverOutcome = NOTHING, problem: string | null = null) {
  const said: string[] = [];
  const stop = createStopFlag();
  let revived = 0;
  const slot = {
    isolation: 'overlay',
    revive() {
      revived += 1;
      return Promise.resolve({ outcome, problem });
    },
  };
  const emit = ({ text }: { readonly text: string }) => said.push(text);
  const context = { emit, guard: { inPlace: () => undefined }, slot, stop };
  const { lasting } = createLasting(context as unknown as SlotContext, 'unit');
  return { lasting, said, stop, revived: () => revived };
}

/** Fails so often, and says which attempt it was that did not. */
const dies =
  (times: number, error: Error = new SlotDied('killed')) =>
  (attempt: number): Promise<number> =>
    attempt > times ? Promise.resolve(attempt) : Promise.reject(error);

test.each([
  [0, 1, 0],
  [1, 2, 1],
  [2, null, 2],
])('a slot that dies of it %i times: %s', async (times, answer, revived) => {
  const one = bench();
  expect(await one.lasting(dies(times))).toBe(answer);
  expect(one.revived()).toBe(revived);
  expect(one.said).toEqual(Array(revived).fill('killed; a new slot takes over'));
  expect(one.stop.reason()).toBeNull();
});

test('it is not tried once more where no slot can be opened, or the tree did not come back', async () => {
  const closed = bench(NOTHING, 'no room');
  expect(await closed.lasting(dies(1))).toBeNull();
  expect(closed.stop.reason()).toBe('no slot could be opened again: no room');
  const failed = bench({
    kind: 'failed',
    path: 'a',
    why: 'full',
    original: '/o',
    files: [],
    kept: [],
    undone: [],
    notes: [],
  });
  expect(await failed.lasting(dies(1))).toBeNull();
  expect(failed.stop.reason()).toBe('a could not be restored: full');
});

test('what is no death is not tried again', async () => {
  const one = bench();
  await expect(one.lasting(dies(1, new Error('bug')))).rejects.toThrow('bug');
  expect(one.revived()).toBe(0);
});
