import { expect, test } from 'vitest';
import type { FirstSlot } from '../../src/engine/isolation.js';
import type { ClosedSlot, SlotKeeper } from '../../src/engine/slot-keeper.js';
import { createSlotPool } from '../../src/engine/slot-pool.js';
import { err, ok, type Result } from '../../src/result.js';

const RESTORED: ClosedSlot = {
  outcome: { kind: 'restored', files: [] },
  notes: ['a note'],
  fault: null,
};

function slot(number: number, close: () => Promise<ClosedSlot> = () => Promise.resolve(RESTORED)) {
  const asked: string[] = [];
  const keeper = {
    number,
    interrupt: (urgency: string) => asked.push(urgency),
    close() {
      asked.push('close');
      return close();
    },
  } as unknown as SlotKeeper;
  return { keeper, asked };
}

const first = (keeper: SlotKeeper): FirstSlot => ({
  slot: keeper,
  order: {
    tree: '/tree',
    root: '/tree',
    runId: 'r',
    logs: '/logs',
    python: null,
    placement: { kind: 'in-place' },
  },
  isolation: 'in place',
  because: null,
});

/** A pool whose further slots come out as they are told to, by number. */
function poolOf(
  zero: SlotKeeper,
  others: Readonly<Record<number, () => Promise<Result<SlotKeeper, string>>>>,
) {
  const refused: string[] = [];
  const opened: number[] = [];
  const pool = createSlotPool(first(zero), {
    onRefused: (why) => refused.push(why),
    open({ number }) {
      opened.push(number);
      return others[number]?.() ?? Promise.reject(new Error('not told'));
    },
  });
  return { pool, refused, opened };
}

test('a fault in one slot is told when all have been closed', async () => {
  const bug = new Error('bug');
  let end: (closed: ClosedSlot) => void = () => undefined;
  const last = new Promise<ClosedSlot>((resolve) => {
    end = resolve;
  });
  const zero = slot(0, () => Promise.resolve({ ...RESTORED, fault: bug }));
  const one = slot(1, () => Promise.reject(new Error('its end')));
  const two = slot(2, () => last);
  const { pool } = poolOf(zero.keeper, {
    1: () => Promise.resolve(ok(one.keeper)),
    2: () => Promise.resolve(ok(two.keeper)),
  });
  await pool.take(3);
  let isClosed = false;
  const closing = pool.close().then((closed) => {
    isClosed = true;
    return closed;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  end(RESTORED);
  expect(await closing).toEqual({
    outcomes: [RESTORED.outcome, RESTORED.outcome],
    notes: ['a note'],
    faults: [bug, new Error('its end')],
  });
});

test('what was opened beside a slot that throws is interrupted and closed with the others', async () => {
  const [zero, second] = [slot(0), slot(2)];
  const { pool, opened } = poolOf(zero.keeper, {
    1: () => Promise.reject(new Error('bug')),
    2: () => Promise.resolve(ok(second.keeper)),
  });
  pool.interrupt('soon');
  await expect(pool.take(3)).rejects.toThrow('bug');
  await pool.close();
  expect(second.asked).toEqual(['soon', 'close']);
  // No number is given twice.
  await pool.take(4);
  expect(opened).toEqual([1, 2]);
});

test('a slot that is refused is said, and no further one is asked for', async () => {
  const zero = slot(0);
  const { pool, refused, opened } = poolOf(zero.keeper, {
    1: () => Promise.resolve(err('no room')),
  });
  expect(await pool.take(2)).toEqual([zero.keeper]);
  expect(await pool.take(2)).toEqual([zero.keeper]);
  expect([refused, opened]).toEqual([['no room'], [1]]);
});
