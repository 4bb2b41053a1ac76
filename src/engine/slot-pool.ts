/** The slots of a run: the first is there from the start, others are opened when a lane wants them. */
import type { RecoverOutcome } from '../workspace/recover.js';
import type { RestoreOutcome } from '../workspace/workspace.js';
import { openSlot, type SlotKeeper } from './slot-keeper.js';
import type { SlotOrder } from './slot-start.js';

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
  first: SlotKeeper,
  order: Omit<SlotOrder, 'number'>,
  onRefused: (why: string) => void,
): SlotPool {
  const slots = [first];
  let refused = false;
  let interrupted: 'soon' | 'now' | null = null;
  let closing: Promise<ClosedPool> | null = null;

  const openMore = async (count: number): Promise<void> => {
    const numbers = Array.from({ length: count - slots.length }, (_, index) => slots.length + index);
    const opened = await Promise.all(numbers.map((number) => openSlot({ ...order, number })));
    for (const slot of opened) {
      if (slot.ok) slots.push(slot.value);
      else {
        refused = true;
        onRefused(slot.error);
      }
    }
    if (interrupted !== null) for (const slot of slots) slot.interrupt(interrupted);
  };

  const closeAll = async (): Promise<ClosedPool> => {
    const closed = await Promise.all(slots.map((slot) => slot.close()));
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
      for (const slot of slots) slot.interrupt(urgency);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
    size: () => slots.length,
  };
}
