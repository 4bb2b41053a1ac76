import { join } from 'node:path';
import type { LaneContext } from '../lane/create.js';
import type { LaneProgress, LaneRunner } from '../lane/lane.js';
import { err, ok, type Result } from '../result.js';
import { removeFolder } from '../workspace/remove-folder.js';
import type { Workspace } from '../workspace/workspace.js';
import { allOf } from './all-of.js';
import { createOpenLanes } from './open-lanes.js';
import type { LaneSetup, SlotCalls, SlotSetup, Unbuilt } from './protocol.js';
import { makeCollectScratch } from './scratch.js';
import { createStepRunner } from './step-runner.js';
import { systemError } from './system-error.js';

/** What a slot is made of; given from outside so that it can be tested without a process. */
export interface WorkerParts {
  readonly openWorkspace: (setup: SlotSetup) => Promise<Result<Workspace, string>>;
  readonly createLane: (context: LaneContext) => LaneRunner;
  /** Kills every process group that this slot started, at once. */
  readonly killAll: () => void;
}

export type Handlers = {
  readonly [C in keyof SlotCalls]: (
    params: SlotCalls[C]['params'],
    progress: (progress: LaneProgress) => void,
  ) => Promise<SlotCalls[C]['answer']>;
};

export interface Worker {
  readonly handlers: Handlers;
  /** Ends the running step, whose call still answers, and all that come after it. */
  readonly cancel: (urgency: 'soon' | 'now') => void;
}

/** One slot: a workspace, its lanes, and the baselines that differences are taken against. */
export function createWorker(parts: WorkerParts): Worker {
  let setup: SlotSetup | null = null;
  let workspace: Workspace | null = null;
  /** A cancel between two steps must reach the next one: nothing is to start after it. */
  const cancelled = new AbortController();

  const opened = (): { setup: SlotSetup; workspace: Workspace } => {
    if (setup === null || workspace === null) throw new Error('Internal error: slot is not open');
    return { setup, workspace };
  };

  /** An overlay goes with its slot, and with it all that stands in it. */
  const isInPlace = (): boolean => workspace?.isolation === 'in-place';

  const lanes = createOpenLanes(() => opened().workspace);
  const steps = createStepRunner(opened, lanes, cancelled.signal);

  const handlers: Handlers = {
    async open(params) {
      const found = await parts.openWorkspace(params);
      if (!found.ok) return found;
      setup = params;
      workspace = found.value;
      return ok(null);
    },

    async collect({ tree, root, lane, python, limits }) {
      const runner = parts.createLane({ tree, root, lane, python });
      const description = await runner.describe();
      if (!description.ok) return description;
      let folder: string | null = null;
      try {
        folder = await makeCollectScratch(tree);
        const collection = await runner.collect({
          step: 'baseline',
          scope: 'lane',
          without: [],
          targets: [],
          probes: [],
          limits,
          scratch: folder,
          log: join(folder, 'log'),
          signal: cancelled.signal,
          onProgress: ignore,
        });
        return ok({ description: description.value, collection });
      } catch (error) {
        const why = systemError(error);
        if (why === null) throw error;
        return err({ message: why, hint: null });
      } finally {
        await runner.close?.();
        if (folder !== null) await removeFolder(folder);
      }
    },

    async lane({ lane, python }: LaneSetup) {
      const { setup: slot, workspace: slotWorkspace } = opened();
      const runner = parts.createLane({ ...slot, lane, python });
      const description = await runner.describe();
      if (!description.ok) return description;
      let isOpen = false;
      try {
        await slotWorkspace.fresh();
        const prepared = await runner.prepare(cancelled.signal);
        if (!prepared.ok) return err(prepared.error);
        await slotWorkspace.freeze('prepared');
        lanes.open(lane, runner, slot.stale ?? []);
        isOpen = true;
        return description;
      } finally {
        // Nobody else will: the slot closes the lanes that are open in it.
        if (!isOpen) await runner.close?.();
      }
    },

    adopt({ lane, baseline }) {
      lanes.get(lane).baseline = baseline;
      return Promise.resolve(null);
    },

    compile: ({ lane, sources }) => lanes.get(lane).runner.compile(sources),

    async place({ files }) {
      const placed = await opened().workspace.place(files);
      lanes.wrote(files, 'new');
      return placed.ok ? ok(null) : placed;
    },

    async unplace() {
      const outcome = await opened().workspace.unplace();
      if (outcome.kind !== 'failed') lanes.wrote(outcome.files, 'new');
      return outcome;
    },

    async apply({ label, edits }) {
      const applied = await opened().workspace.apply(label, edits);
      if (applied.ok) lanes.editsAre('standing');
      lanes.wrote(edits, 'same');
      return applied;
    },

    async restore() {
      const outcome = await opened().workspace.restore();
      if (outcome.kind === 'failed') return outcome;
      lanes.editsAre('gone');
      lanes.wrote(outcome.files, 'same');
      return outcome;
    },

    async written() {
      const written = await opened().workspace.written();
      return [...new Set([...steps.writtenBefore(), ...written])];
    },

    notes: () => Promise.resolve(opened().workspace.notes()),

    sums: ({ paths }) => opened().workspace.sums(paths),

    run: steps.run,

    async takeBack() {
      if (!isInPlace()) return { kind: 'restored', files: [] };
      const [outcome, probes] = await allOf([
        () => handlers.restore(null, ignore),
        () => handlers.unplace(null, ignore),
      ]);
      return outcome.kind === 'restored' ? probes : outcome;
    },

    async rebuild() {
      if (!isInPlace()) return [];
      const unbuilt: Unbuilt[] = [];
      // Leave no mutant behind in bytecode or in what the lane's build command made.
      for (const [name, lane] of lanes.all()) {
        const [failure] = await lanes.refresh(lane, new AbortController().signal);
        if (failure !== undefined) unbuilt.push({ lane: name, why: failure.message });
      }
      return unbuilt;
    },

    async close() {
      await allOf([
        ...lanes.all().map(
          ([, { runner }]) =>
            async () =>
              runner.close?.(),
        ),
        steps.close,
      ]);
      return null;
    },
  };

  return {
    handlers,
    cancel(urgency) {
      cancelled.abort();
      if (urgency === 'now') parts.killAll();
    },
  };
}

const ignore = (): void => undefined;
