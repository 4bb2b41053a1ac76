import type { LaneDescription, LaneProblem, LaneProgress } from '../lane/lane.js';
import type { TestResult } from '../proof/outcome.js';
import { ok, type Result } from '../result.js';
import { SlotDied, startSlot, type SlotClient } from '../slot/client.js';
import type { CallName, SlotCalls, SlotSetup } from '../slot/protocol.js';
import type { LaneConfig } from '../spec/model.js';
import { recover, type RecoverOutcome } from '../workspace/recover.js';

export { SlotDied } from '../slot/client.js';

/** A slot that is started anew, with what it knew, after its process died. */
export interface SlotKeeper {
  /** @throws SlotDied when the process ends before it answers */
  call<C extends CallName>(
    name: C,
    params: SlotCalls[C]['params'],
    onProgress?: (progress: LaneProgress) => void,
  ): Promise<SlotCalls[C]['answer']>;
  /**
   * Opens a lane for a session, or says again how it is run. The next baseline is the one that
   * differences are taken against: in the session before, other probe files stood in the tree.
   */
  openLane(lane: LaneConfig): Promise<Result<LaneDescription, LaneProblem>>;
  /** Remembers the baseline that differences are taken against, for a successor. */
  rememberBaseline(lane: string, results: readonly TestResult[]): void;
  /** Puts the tree back after a death, and opens a successor in the same state. */
  revive(): Promise<RecoverOutcome>;
  /** Ends the running step and refuses further ones. */
  interrupt(urgency: 'soon' | 'now'): void;
  /** Restores, ends the process, and kills it where it does not end by itself. */
  close(): Promise<void>;
}

/** How long a slot may take to restore and leave before it is killed. */
const CLOSE_LIMIT_MS = 30_000;

export async function openSlot(
  setup: SlotSetup,
  python: string | null,
): Promise<Result<SlotKeeper, string>> {
  const lanes = new Map<string, { lane: LaneConfig; description: LaneDescription }>();
  const baselines = new Map<string, readonly TestResult[]>();
  let probes: SlotCalls['place']['params']['files'] = [];
  let client: SlotClient = startSlot();

  const opened = await client.call('open', setup);
  if (!opened.ok) {
    client.kill();
    return opened;
  }

  const keeper: SlotKeeper = {
    async call(name, params, onProgress) {
      const answer = await client.call(name, params, onProgress);
      if (name === 'place') probes = (params as SlotCalls['place']['params']).files;
      if (name === 'unplace') probes = [];
      return answer;
    },

    async openLane(lane) {
      const known = lanes.get(lane.name);
      if (known !== undefined) {
        baselines.delete(lane.name);
        await client.call('adopt', { lane: lane.name, baseline: null });
        return ok(known.description);
      }
      const description = await client.call('lane', { lane, python });
      if (description.ok) lanes.set(lane.name, { lane, description: description.value });
      return description;
    },

    rememberBaseline(lane, results) {
      baselines.set(lane, results);
    },

    async revive() {
      await client.gone;
      const outcome = await recover(setup.tree);
      client = startSlot();
      const again = await client.call('open', setup);
      if (!again.ok) throw new Error(`The slot could not be opened again: ${again.error}`);
      for (const { lane } of lanes.values()) {
        await client.call('lane', { lane, python });
        const baseline = baselines.get(lane.name);
        if (baseline !== undefined) await client.call('adopt', { lane: lane.name, baseline });
      }
      if (probes.length > 0) await client.call('place', { files: probes });
      return outcome;
    },

    interrupt(urgency) {
      client.cancel(urgency);
    },

    async close() {
      const late = setTimeout(() => {
        client.kill();
      }, CLOSE_LIMIT_MS);
      try {
        await client.call('close', null);
      } catch (error) {
        if (!(error instanceof SlotDied)) throw error;
      }
      await client.gone;
      clearTimeout(late);
    },
  };
  return ok(keeper);
}
