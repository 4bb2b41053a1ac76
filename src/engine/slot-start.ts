/** Starts the processes of one slot, one after another: each in layers of its own where it has any. */
import { join, relative } from 'node:path';
import { RUN_VARIABLE, runMark } from '../lane/process.js';
import { err, type Result } from '../result.js';
import { SlotDied, startSlot, type SlotClient } from '../slot/client.js';
import type { Launch } from '../slot/launch.js';
import type { SlotPlace } from '../slot/protocol.js';
import { LAYER_NAMES, prepareSlotLayers } from '../workspace/overlay/layers.js';
import { removeFolder } from '../workspace/remove-folder.js';

/** Where the slots of a run put their edits. */
export type Placement =
  | { readonly kind: 'in-place' }
  | {
      readonly kind: 'overlay';
      readonly pids: 'own' | 'shared';
      /** Absolute folder of this run's layers, of all slots. */
      readonly folder: string;
    };

export interface SlotOrder {
  /** Absolute, symlinks resolved; its lock is held. */
  readonly tree: string;
  /** Absolute, inside the tree. */
  readonly root: string;
  /** Identifies the run in journal, lock and the environment of everything it starts. */
  readonly runId: string;
  /** Absolute folder for step logs; exists. */
  readonly logs: string;
  /** Interpreter named on the command line; null: each lane's own choice. */
  readonly python: string | null;
  /** Tree-relative files that a killed run wrote: bytecode and builds of them are stale. */
  readonly stale?: readonly string[];
  /** From 0. */
  readonly number: number;
  readonly placement: Placement;
  /** Called when a process has been started, which takes its time to answer. */
  readonly onSpawned?: () => void;
}

export interface Starter {
  /** By which everything that the slot starts is found, and nothing of the others. */
  readonly mark: string;
  /**
   * Starts a process and has it open its workspace.
   *
   * @param stale tree-relative files that a dead predecessor wrote
   * @throws Error for a bug of ours in the slot, whose process is gone then
   */
  readonly start: (stale: readonly string[]) => Promise<Started>;
  /** Of a slot that is gone. */
  readonly dropLayers: () => Promise<void>;
}

export interface Started {
  /** null: nothing was started. */
  readonly client: SlotClient | null;
  /** The error is why the process cannot be used; it may still be alive. */
  readonly opened: Result<null, string>;
}

/** @param spawn starts the process */
export function createStarter(order: SlotOrder, spawn: typeof startSlot = startSlot): Starter {
  const { tree, root, runId, number, placement } = order;
  const mark = `${runMark(tree, runId)}/s${number}`;
  const env = {
    ...process.env,
    [RUN_VARIABLE]: nestedMark(order) ?? mark,
    COUNTERPROOF_SLOT: String(number),
  };
  let generation = 0;
  let layers: string | null = null;

  return {
    mark,
    async start(stale) {
      let launch: Launch = { kind: 'in-place' };
      let place: SlotPlace = { kind: 'in-place' };
      if (placement.kind === 'overlay') {
        layers = join(placement.folder, `${number}-${generation}`);
        const prepared = await prepareSlotLayers(layers, tree);
        if (!prepared.ok) return { client: null, opened: prepared };
        launch = { ...placement, tree, layers };
        place = { kind: 'overlay', layers };
      }
      const client = spawn(launch, env);
      order.onSpawned?.();
      const logs = logsIn(order, layers);
      const setup = { tree, root, runId, logs, slot: number, generation, place, stale };
      generation += 1;
      try {
        return { client, opened: await client.call('open', setup) };
      } catch (error) {
        if (!(error instanceof SlotDied)) {
          // Nobody else knows of the process.
          client.kill();
          await client.gone;
          throw error;
        }
        return { client, opened: err(error.message) };
      }
    },
    async dropLayers() {
      if (layers !== null) await removeFolder(layers);
      layers = null;
    },
  };
}

/** This process carries the mark of the run, and before it those of runs that it was started in. */
function nestedMark({ tree, runId, number }: SlotOrder): string | null {
  const carried = process.env[RUN_VARIABLE];
  return carried?.endsWith(runMark(tree, runId)) === true ? `${carried}/s${number}` : null;
}

/** Logs go into the real folder, which an overlay hides below its upper layer. */
function logsIn({ tree, logs }: SlotOrder, layers: string | null): string {
  if (layers === null || !logs.startsWith(`${tree}/`)) return logs;
  return join(layers, LAYER_NAMES.lower, relative(tree, logs));
}
