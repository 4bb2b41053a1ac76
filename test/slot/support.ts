/** The slot's client as it is shipped: workers are started from files that plain Node can run. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startSlot } from '../../src/slot/client.js';
import { build } from '../workspace/helpers.js';

export interface BuiltSlots {
  /** A folder of its own, to be removed. */
  readonly top: string;
  readonly startSlot: typeof startSlot;
}

export async function builtSlots(): Promise<BuiltSlots> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof slots ')));
  const client = pathToFileURL(join(build(top), 'slot/client.js')).href;
  const module = (await import(client)) as { readonly startSlot: typeof startSlot };
  return { top, startSlot: module.startSlot };
}
