/** Which of the three levels of isolation works here, found out by starting the first slot in it. */
import { join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { layerFolderProblem, layerFolders } from '../workspace/overlay/layers.js';
import { overlayObstacle } from '../workspace/overlay/obstacles.js';
import { removeFolder } from '../workspace/remove-folder.js';
import { openSlot, type SlotKeeper } from './slot-keeper.js';
import type { SlotOrder } from './slot-start.js';

export interface FirstSlot {
  readonly slot: SlotKeeper;
  /** By which further slots are opened. */
  readonly order: Omit<SlotOrder, 'number'>;
  /** As the record says it. */
  readonly isolation: string;
  /** Why it is not a better one, in one line; null: it is the best, or the one that was asked for. */
  readonly because: string | null;
}

/**
 * Opens slot 0 where it is isolated best: in an overlay with a pid namespace, in an overlay
 * alone, in place. The first reason counts, since what is tried later needs no less.
 */
export async function openFirstSlot(
  order: Omit<SlotOrder, 'number' | 'placement'>,
  wanted: 'auto' | 'overlay' | 'in-place',
): Promise<Result<FirstSlot, string>> {
  const first = { ...order, number: 0 };
  let because: string | null = null;
  if (wanted !== 'in-place') {
    const overlay = await openOverlaySlot(first);
    if (overlay.ok) return overlay;
    if (wanted === 'overlay')
      return err(`--isolation overlay is not possible here: ${overlay.error}`);
    because = overlay.error;
  }
  const placed = { ...first, placement: { kind: 'in-place' } } as const;
  const slot = await openSlot(placed);
  if (!slot.ok) return slot;
  return ok({ slot: slot.value, order: placed, isolation: 'in place', because });
}

/** In the best level of the two that have an overlay; the error is one line. */
export async function openOverlaySlot(
  order: Omit<SlotOrder, 'placement'>,
): Promise<Result<FirstSlot, string>> {
  const obstacle = await overlayObstacle(order.tree);
  if (obstacle !== null) return err(obstacle);
  const reasons: string[] = [];
  for (const pids of ['own', 'shared'] as const) {
    for (const folder of layerFolders(order.tree)) {
      const problem = await layerFolderProblem(folder, order.tree);
      if (problem !== null) {
        reasons.push(problem);
        continue;
      }
      const placement = { kind: 'overlay', pids, folder: join(folder, order.runId) } as const;
      const placed = { ...order, placement };
      const slot = await openSlot(placed, { tries: 1 });
      if (slot.ok) {
        const isolation = pids === 'own' ? 'overlay' : 'overlay without a pid namespace';
        return ok({ slot: slot.value, order: placed, isolation, because: reasons[0] ?? null });
      }
      await removeFolder(placement.folder);
      reasons.push(refusal(slot.error));
    }
  }
  return err(reasons[0] ?? 'no folder for its layers');
}

/** From what a failed start left on stderr to one line that a person can act upon. */
export function refusal(error: string): string {
  const line =
    error
      .replace(/^the slot's process (?:ended with [^:]*|could not be started): /, '')
      .split('\n')
      .map((each) => each.trim())
      .find((each) => each !== '' && !each.startsWith('dmesg(1)')) ?? error;
  const missing = /^spawn (\S+) ENOENT/.exec(line)?.[1] ?? /: (\S+): not found/.exec(line)?.[1];
  if (missing !== undefined) return `${missing} is not installed (it belongs to util-linux)`;
  if (line.startsWith('unshare: ')) return `namespaces are refused here (${line})`;
  if (line.startsWith('mount: ')) return `the overlay cannot be mounted (${line})`;
  return line;
}
