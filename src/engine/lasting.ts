import type { RecoverOutcome } from '../workspace/recover.js';
import type { SlotContext } from './context.js';
import { noteRestore } from './applying.js';
import { SlotDied } from './slot-keeper.js';

/** A slot that dies costs one try; the work is tried once more on a fresh one. */
export const WORK_TRIES = 2;

export interface Lasting {
  /**
   * Does it once more on a fresh slot where one died of it.
   *
   * @returns null: it died again, or the run is to stop
   */
  readonly lasting: <T>(work: (attempt: number) => Promise<T>) => Promise<T | null>;
  /**
   * After a slot died: the tree is put back, and a successor takes over.
   *
   * @throws what is no death of a slot
   */
  readonly survive: (error: unknown) => Promise<RecoverOutcome>;
}

export function createLasting(
  context: Pick<SlotContext, 'emit' | 'guard' | 'slot' | 'stop'>,
  lane: string,
): Lasting {
  const survive = async (error: unknown): Promise<RecoverOutcome> => {
    if (!(error instanceof SlotDied)) throw error;
    const text =
      context.slot.isolation === 'in-place'
        ? `${error.message}; the tree is put back, a new slot takes over`
        : `${error.message}; a new slot takes over`;
    context.emit({ type: 'notice', level: 'warning', lane, id: null, text });
    const { outcome, problem } = await context.slot.revive();
    context.guard.inPlace([]);
    noteRestore(context, outcome);
    if (problem !== null) context.stop.set(`no slot could be opened again: ${problem}`);
    return outcome;
  };
  return {
    survive,
    async lasting(work) {
      for (let attempt = 1; attempt <= WORK_TRIES; attempt += 1) {
        try {
          return await work(attempt);
        } catch (error) {
          await survive(error);
          if (context.stop.reason() !== null) return null;
        }
      }
      return null;
    },
  };
}
