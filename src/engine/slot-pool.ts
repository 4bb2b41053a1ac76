/** The slots of a run: the first is there from the start, others are opened when a lane wants them. */
import { asOneError } from '../slot/all-of.js';
import type { RecoverOutcome } from '../workspace/recover.js';
import { removeFolder } from '../workspace/remove-folder.js';
import type { RestoreOutcome } from '../workspace/workspace.js';
import type { FirstSlot } from './isolation.js';
import { openSlot, type SlotKeeper } from './slot-keeper.js';

export interface SlotPool {
  /** As many as can be opened, up to `count`; the first one always. */
  readonly take: (count: number) => Promise<readonly SlotKeeper[]>;
  /** Ends the running steps of all and refuses further ones. */
  readonly interrupt: (urgency: 'soon' | 'now') => void;
  /** Closes all of them; harmless when called again. */
  readonly close: () => Promise<ClosedPool>;
  /** How many were in use at the most. */
  readonly size: () => number;
}

export interface ClosedPool {
  readonly outcomes: readonly (RestoreOutcome | RecoverOutcome)[];
  readonly notes: readonly string[];
  /** Bugs of ours in slots, or in seeing to their end. All are closed as far as they can be. */
  readonly faults: readonly Error[];
}

interface PoolOptions {
  /** Called with the reason where a further slot cannot be opened. */
  readonly onRefused: (why: string) => void;
  readonly open?: typeof openSlot;
}

export function createSlotPool(
  { slot, order }: FirstSlot,
  { onRefused, open = openSlot }: PoolOptions,
): SlotPool {
  const slots = [slot];
  let refused = false;
  let interrupted: 'soon' | 'now' | null = null;
  let closing: Promise<ClosedPool> | null = null;

  const openMore = async (count: number): Promise<void> => {
    const numbers = Array.from(
      { length: count - slots.length },
      (_, index) => slots.length + index,
    );
    const opened = await Promise.allSettled(numbers.map((number) => open({ ...order, number })));
    const failures: unknown[] = [];
    for (const one of opened) {
      if (one.status === 'fulfilled' && one.value.ok) {
        // Closed with the pool, whatever became of the others.
        slots.push(one.value.value);
        continue;
      }
      refused = true;
      if (one.status === 'rejected') failures.push(one.reason);
      else if (!one.value.ok) onRefused(one.value.error);
    }
    if (interrupted !== null) for (const one of slots) one.interrupt(interrupted);
    if (failures.length > 0) throw asOneError(failures);
  };

  const closeAll = async (): Promise<ClosedPool> => {
    const settled = await Promise.allSettled(slots.map((one) => one.close()));
    if (order.placement.kind === 'overlay') await removeFolder(order.placement.folder);
    const closed = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = settled.flatMap((one) =>
      one.status === 'rejected' ? [asOneError([one.reason])] : [],
    );
    return {
      outcomes: closed.map(({ outcome }) => outcome),
      notes: [...new Set(closed.flatMap(({ notes }) => notes))],
      faults: [...closed.flatMap(({ fault }) => (fault === null ? [] : [fault])), ...failed],
    };
  };

  return {
    async take(count) {
      if (count > slots.length && !refused && closing === null) await openMore(count);
      return slots.slice(0, count);
    },
    interrupt(urgency) {
      interrupted = urgency;
      for (const one of slots) one.interrupt(urgency);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
    size: () => slots.length,
  };
}
