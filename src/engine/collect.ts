import type { LaneProblem } from '../lane/lane.js';
import { err, type Result } from '../result.js';
import { SlotDied, startSlot } from '../slot/client.js';
import type { LaneSelection } from '../slot/protocol.js';
import type { LaneConfig } from '../spec/model.js';
import { baselineLimits } from './limits.js';

export type { LaneSelection } from '../slot/protocol.js';

export interface CollectorOptions {
  readonly tree: string;
  readonly root: string;
  readonly python: string | null;
  /** Ends what runs. */
  readonly signal: AbortSignal;
}

export interface Collector {
  /** What a lane selects in the tree as it lies. Runs no test body, writes nothing into the tree. */
  readonly collect: (lane: LaneConfig) => Promise<Result<LaneSelection, LaneProblem>>;
  /** To be called last: nothing that was started outlives it. */
  readonly close: () => Promise<void>;
}

/** In a process of its own, which ends what it started should this one be killed. */
export function openCollector({ tree, root, python, signal }: CollectorOptions): Collector {
  const slot = startSlot({ kind: 'in-place' }, process.env);
  const cancel = (): void => {
    slot.cancel('soon');
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return {
    async collect(lane) {
      try {
        const limits = baselineLimits(lane.limits);
        return await slot.call('collect', { tree, root, lane, python, limits });
      } catch (error) {
        if (!(error instanceof SlotDied)) throw error;
        return err({ message: error.message, hint: null });
      }
    },
    async close() {
      signal.removeEventListener('abort', cancel);
      await slot.call('close', null).catch((error: unknown) => {
        if (!(error instanceof SlotDied)) throw error;
      });
      await slot.gone;
    },
  };
}
