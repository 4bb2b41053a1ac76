/** Finds out what isolation a run on this tree would have, and leaves nothing behind. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_FOLDER } from '../workspace/names.js';
import { removeFolder } from '../workspace/remove-folder.js';
import { openOverlaySlot } from './isolation.js';

export interface IsolationFound {
  /** As the record of a run would say it. */
  readonly isolation: string;
  /** Why it is not a better one; null: it is the best. */
  readonly because: string | null;
}

/** Beside every number that a run has: its own must not be cleared away with this slot's. */
const NUMBER = 9999;

/** @param tree absolute, symlinks resolved; its lock need not be held */
export async function tryIsolation(tree: string): Promise<IsolationFound> {
  const own = join(tree, OWN_FOLDER);
  const wasThere = existsSync(own);
  const runId = `try-${process.pid}`;
  const order = { tree, root: tree, runId, logs: tmpdir(), python: null, number: NUMBER };
  try {
    const opened = await openOverlaySlot(order);
    if (!opened.ok) return { isolation: 'in place', because: opened.error };
    const { slot, order: placed, isolation, because } = opened.value;
    const { fault } = await slot.close();
    if (placed.placement.kind === 'overlay') await removeFolder(placed.placement.folder);
    if (fault !== null) throw fault;
    return { isolation, because };
  } finally {
    if (!wasThere) await removeFolder(own);
  }
}
