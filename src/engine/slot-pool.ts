/** The slots of a run: the first is there from the start, others are opened when a lane wants them. */
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
}

/** @param onRefused called with the reason where a further slot cannot be opened */
export function createSlotPool(
  { slot, order }: FirstSlot,
  { onRefused }: { readonly onRefused: (why: string) => void },
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
    const opened = await Promise.all(numbers.map((number) => openSlot({ ...order, number })));
    for (const one of opened) {
      if (one.ok) slots.push(one.value);
      else {
        refused = true;
        onRefused(one.error);
      }
    }
    if (interrupted !== null) for (const one of slots) one.interrupt(interrupted);
  };

  const closeAll = async (): Promise<ClosedPool> => {
    const closed = await Promise.all(slots.map((one) => one.close()));
    if (order.placement.kind === 'overlay') await removeFolder(order.placement.folder);
    return {
      outcomes: closed.map(({ outcome }) => outcome),
      notes: [...new Set(closed.flatMap(({ notes }) => notes))],
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
