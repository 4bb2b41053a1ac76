/** Slots in overlays, each over a tree of its own, driven by their own protocol. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { SlotClient, startSlot } from '../../src/slot/client.js';
import type { SlotCalls } from '../../src/slot/protocol.js';
import { layerFolders, prepareSlotLayers } from '../../src/workspace/overlay/layers.js';
import { removeFolder } from '../../src/workspace/remove-folder.js';
import { probeOverlay, type OverlaySupport } from '../support/overlay.js';
import { fillBench, must, mustFail, stateOf, type Bench } from '../workspace/helpers.js';
import { builtSlots, type BuiltSlots } from './support.js';

export interface OpenSlot extends Bench {
  readonly client: SlotClient;
  /** The tree before the slot was started. */
  readonly before: ReturnType<typeof stateOf>;
  readonly layers: string;
  readonly opened: SlotCalls['open']['answer'];
}

export interface OverlaySlots {
  /** The folder of all their trees. */
  readonly top: () => string;
  readonly startSlot: typeof startSlot;
  /** Process 1 of the slot's namespace; without one, the process that is in its place. */
  readonly firstProcess: (client: SlotClient) => number;
  /** A test of what holds in an overlay; where there is none, that it is refused in words. */
  readonly inOverlay: (
    name: string,
    test: (slot: OpenSlot) => Promise<void>,
    prepare?: (tree: string) => void,
    env?: () => NodeJS.ProcessEnv,
  ) => void;
}

/** Built once for the tests of a file, and removed after them. */
export function overlaySlots(): OverlaySlots {
  let built: BuiltSlots;
  let support: OverlaySupport;
  let count = 0;
  beforeAll(async () => {
    built = await builtSlots();
    support = probeOverlay();
  });
  afterAll(() => removeFolder(built.top));

  /** A tree whose name has all that mount options would take for their own. */
  async function openSlot(
    prepare: (tree: string) => void = () => undefined,
    env: NodeJS.ProcessEnv = process.env,
  ): Promise<OpenSlot> {
    const top = join(built.top, `${++count} a,b:c\\d "e"`);
    const bench = fillBench(top);
    prepare(bench.tree);
    const before = stateOf(bench.tree);
    const layers = join(layerFolders(bench.tree, bench.environment)[0] ?? '', 'run', '0-0');
    must(await prepareSlotLayers(layers, bench.tree));
    const { tree } = bench;
    const { pids } = support.kind === 'refused' ? { pids: 'own' as const } : support;
    const client = built.startSlot({ kind: 'overlay', pids, tree, layers }, env);
    onTestFinished(async () => {
      client.kill();
      await client.gone;
    });
    const place = { kind: 'overlay', layers } as const;
    const setup = { tree, root: tree, runId: 'run', logs: top, slot: 0, generation: 0, place };
    const opened = await client.call('open', setup).catch((error: unknown) => ({
      ok: false as const,
      error: error instanceof Error ? error.message : String(error),
    }));
    return { ...bench, client, before, layers, opened };
  }

  return {
    top: () => built.top,
    startSlot: (...args) => built.startSlot(...args),
    firstProcess({ pid }) {
      const hasOwn = support.kind === 'works' && support.pids === 'own';
      return hasOwn ? (childrenOf(pid)[0] ?? pid) : pid;
    },
    inOverlay(name, test, prepare, env) {
      it(name, async () => {
        const slot = await openSlot(prepare, env?.());
        if (support.kind === 'refused') {
          expect(mustFail(slot.opened)).toMatch(/unshare|mount|setpriv|overlay/);
          expect(stateOf(slot.tree)).toEqual(slot.before);
          return;
        }
        must(slot.opened);
        await test(slot);
      });
    },
  };
}

export const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);
