/** Ends the process of a slot in good order: the tree first, then what was built of a mutant. */
import { append } from '../lists.js';
import { SlotDied, type SlotClient } from '../slot/client.js';
import type { Unbuilt } from '../slot/protocol.js';
import type { RestoreOutcome } from '../workspace/workspace.js';

export interface SlotEnd {
  /** What became of what was still in place; null: the process did not live to say it. */
  readonly outcome: RestoreOutcome | null;
  /** What the slot said of the tree, in whole sentences. */
  readonly notes: readonly string[];
  /** Lanes whose build is not of what stands now; null: that is not known of any. */
  readonly unbuilt: readonly Unbuilt[] | null;
  /** A bug of ours inside the slot; null: there was none. */
  readonly fault: Error | null;
}

/** How long a slot may take to restore, and how long to leave, before it is killed. */
const LIMIT_MS = 30_000;

/**
 * A build has the limit of its own lane, and no other one: what is killed on the way leaves what
 * it had made of the mutant. When this returns the process is gone.
 */
export async function endSlot(
  client: Pick<SlotClient, 'call' | 'gone' | 'kill'>,
): Promise<SlotEnd> {
  const notes: string[] = [];
  let outcome: RestoreOutcome | null = null;
  let unbuilt: readonly Unbuilt[] | null = null;
  let fault: Error | null = null;
  try {
    outcome = await inTime(client, async () => {
      append(notes, await client.call('notes', null));
      return client.call('takeBack', null);
    });
    if (outcome.kind !== 'failed') unbuilt = await client.call('rebuild', null);
    await inTime(client, async () => {
      await client.call('close', null);
      await client.gone;
    });
  } catch (error) {
    if (!(error instanceof SlotDied)) fault = error instanceof Error ? error : new Error('fault');
    client.kill();
  }
  await client.gone;
  return { outcome, notes, unbuilt, fault };
}

async function inTime<T>(client: Pick<SlotClient, 'kill'>, work: () => Promise<T>): Promise<T> {
  const late = setTimeout(() => {
    client.kill();
  }, LIMIT_MS);
  try {
    return await work();
  } finally {
    clearTimeout(late);
  }
}
