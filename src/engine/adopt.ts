import type { SlotContext } from './context.js';
import type { LaneState } from './lane-state.js';
import { createLasting } from './lasting.js';

type Adopting = Pick<SlotContext, 'emit' | 'guard' | 'slot' | 'stop'>;

/**
 * Gives slots the baselines that differences are taken against, whichever slot they are found in.
 *
 * @param states lanes whose baselines agree in all of these slots, the session's own first
 * @returns the slots that have them; a process that dies of it is started anew
 */
export async function adoptBaselines<S extends Adopting>(
  slots: readonly S[],
  states: readonly LaneState[],
): Promise<readonly S[]> {
  const adopted: S[] = [];
  for (const context of slots) {
    const { lasting } = createLasting(context, states[0]?.config.name ?? '');
    const done = await lasting(async () => {
      for (const state of states) await adopt(context, state);
      return true;
    });
    if (done === true) adopted.push(context);
  }
  return adopted;
}

async function adopt({ slot }: Adopting, { config, baseline }: LaneState): Promise<void> {
  if (baseline === null) return;
  await slot.call('adopt', { lane: config.name, baseline: baseline.results });
  slot.rememberBaseline(config.name, baseline.results);
}
