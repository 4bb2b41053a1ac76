import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaneContext } from '../lane/create.js';
import type { LaneProgress, LaneRunner } from '../lane/lane.js';
import type { Breakage } from '../proof/evidence.js';
import type { TestResult } from '../proof/outcome.js';
import { stepEvidence } from '../proof/step.js';
import { err, ok, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import type { Workspace } from '../workspace/workspace.js';
import { removeFolder } from '../workspace/remove-folder.js';
import { allOf } from './all-of.js';
import { watchRoom, withoutRoom } from './room.js';
import { createTrash, makeCollectScratch, makeScratch } from './scratch.js';
import { logName, notRun } from './steps.js';
import { systemError } from './system-error.js';
import type {
  LaneSetup,
  SlotCalls,
  SlotSetup,
  StepAnswer,
  StepRequest,
  Unbuilt,
} from './protocol.js';

/** What a slot is made of; given from outside so that it can be tested without a process. */
export interface WorkerParts {
  readonly openWorkspace: (setup: SlotSetup) => Promise<Result<Workspace, string>>;
  readonly createLane: (context: LaneContext) => LaneRunner;
  /** Kills every process group that this slot started, at once. */
  readonly killAll: () => void;
}

interface OpenLane {
  readonly runner: LaneRunner;
  readonly config: LaneConfig;
  baseline: readonly TestResult[] | null;
  /** Written since the lane last ran: its bytecode is stale. */
  readonly stale: Set<string>;
  /** Whether its build was made of what stands now. */
  built: boolean;
  /** A build of the tree without edits lies below all fresh layers. */
  restsOnBuild: boolean;
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
  let steps = 0;
  let editsStand = false;
  /** Of the step before: its path serves again. */
  let scratch: string | null = null;
  const trash = createTrash();
  /** What runs of the present step wrote over the tree, whose layer is gone. */
  let writtenBefore = new Set<string>();
  const lanes = new Map<string, OpenLane>();

  const opened = (): { setup: SlotSetup; workspace: Workspace } => {
    if (setup === null || workspace === null) throw new Error('Internal error: slot is not open');
    return { setup, workspace };
  };

  /** An overlay goes with its slot, and with it all that stands in it. */
  const isInPlace = (): boolean => workspace?.isolation === 'in-place';

  const laneOf = (name: string): OpenLane => {
    const lane = lanes.get(name);
    if (lane === undefined)
      throw new Error(`Internal error: lane ${name} is not open in this slot`);
    return lane;
  };

  /** @param base `new`: no earlier build was made with these probe files */
  const wrote = (files: readonly { readonly path: string }[], base: 'same' | 'new'): void => {
    if (files.length === 0) return;
    for (const lane of lanes.values()) {
      for (const { path } of files) lane.stale.add(path);
      lane.built = false;
      lane.restsOnBuild &&= base === 'same';
    }
  };

  /**
   * What a build makes of an edit stands as long as the edit does, and what it makes of the
   * untouched tree lies below all: a fresh layer takes neither away. It is run after a restore
   * all the same, because what it wrote outside the tree (`pip install .`) came of the mutant.
   */
  const refresh = async (lane: OpenLane, signal: AbortSignal): Promise<readonly Breakage[]> => {
    if (lane.stale.size > 0) await lane.runner.written([...lane.stale]);
    if (!lane.built && lane.config.build !== null) {
      const breakages = await lane.runner.build(signal);
      // It is tried again by the next step, which is told of all files anew.
      if (breakages.length > 0) return breakages;
      if (editsStand || !lane.restsOnBuild) await opened().workspace.freeze('built');
      lane.restsOnBuild ||= !editsStand;
    }
    lane.stale.clear();
    lane.built = true;
    return [];
  };

  /** The last before a run: what the layer holds now is what the run finds. */
  const settle = async ({ lane, targets }: StepRequest): Promise<void> => {
    laneOf(lane).runner.purge?.(targets.map(({ path }) => path));
    await opened().workspace.settled();
  };

  /** For a second run in one step: as the first one found it. */
  const renew = async (request: StepRequest): Promise<string> => {
    const { setup: own, workspace: ownWorkspace } = opened();
    if (scratch !== null) await trash.take(scratch);
    if (request.step === 'baseline')
      for (const path of await ownWorkspace.written()) writtenBefore.add(path);
    await ownWorkspace.fresh();
    await settle(request);
    scratch = await makeScratch(own.tree, own.slot, scratch);
    return scratch;
  };

  const roomFolders = (): readonly string[] => {
    const { tree, place } = opened().setup;
    return [tmpdir(), place.kind === 'overlay' ? place.layers : tree];
  };

  /** What the system refuses to a step (a folder on a full disk) costs its evidence, not the run. */
  const runStep: Handlers['run'] = async (request, progress) => {
    const started = performance.now();
    try {
      return await measureStep(request, progress);
    } catch (error) {
      const why = systemError(error);
      if (why === null) throw error;
      const ending = cancelled.signal.aborted
        ? ({ kind: 'cancelled' } as const)
        : ({ kind: 'incomplete', why, without: [] } as const);
      const full = await watchRoom(roomFolders()).stop();
      return {
        ...notRun(request, withoutRoom(ending, full), performance.now() - started),
        build: [],
      };
    }
  };

  const measureStep = async (
    request: StepRequest,
    progress: (progress: LaneProgress) => void,
  ): Promise<StepAnswer> => {
    const lane = laneOf(request.lane);
    const { signal } = cancelled;
    const name = logName(opened().setup, ++steps, request);
    const log = join(opened().setup.logs, name);
    const started = performance.now();
    await opened().workspace.fresh();
    writtenBefore = new Set();
    // What another slot built since may lie over what this one's build wrote outside the tree.
    if (request.isAlone === true) lane.built = false;
    const build = await refresh(lane, signal);
    if (build.length > 0 || signal.aborted) {
      const ending = signal.aborted
        ? ({ kind: 'cancelled' } as const)
        : ({ kind: 'broken', causes: build } as const);
      return { ...notRun(request, ending, performance.now() - started), build };
    }
    await settle(request);
    const { tree, slot } = opened().setup;
    const made = await makeScratch(tree, slot, scratch);
    scratch = made;
    const room = watchRoom(roomFolders());
    try {
      const ran = await lane.runner.run({
        step: request.step,
        scope: request.scope,
        without: request.without,
        targets: request.targets,
        ...(lane.baseline === null ? {} : { baseline: lane.baseline }),
        probes: request.probes,
        limits: request.limits,
        scratch: made,
        renew: () => renew(request),
        ...(request.ahead === undefined ? {} : { ahead: request.ahead }),
        ...(request.patch === undefined ? {} : { patch: request.patch }),
        isCold: request.isCold === true,
        log,
        signal,
        onProgress: progress,
      });
      const run = { ...ran, ending: withoutRoom(ran.ending, await room.stop()) };
      const evidence = stepEvidence({
        step: request.step,
        scope: run.scope ?? request.scope,
        without: request.without,
        run,
        baseline: lane.baseline,
        // A log that could not be written is none to point at.
        log: existsSync(log) ? name : null,
      });
      if (lane.baseline === null && request.step === 'baseline') lane.baseline = run.results;
      const { differsWarm } = ran;
      const doubt = differsWarm === undefined ? {} : { differsWarm };
      return { evidence, selection: run.selection, build, ...doubt };
    } finally {
      await room.stop();
      await trash.take(scratch);
    }
  };

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
      await slotWorkspace.fresh();
      const prepared = await runner.prepare(cancelled.signal);
      if (!prepared.ok) return err(prepared.error);
      await slotWorkspace.freeze('prepared');
      const stale = new Set(slot.stale ?? []);
      lanes.set(lane.name, {
        runner,
        config: lane,
        baseline: null,
        stale,
        // In place the tree is taken as its owner left it, built or not.
        built: slotWorkspace.isolation === 'in-place' && stale.size === 0,
        restsOnBuild: false,
      });
      return description;
    },

    adopt({ lane, baseline }) {
      laneOf(lane).baseline = baseline;
      return Promise.resolve(null);
    },

    compile: ({ lane, sources }) => laneOf(lane).runner.compile(sources),

    async place({ files }) {
      const placed = await opened().workspace.place(files);
      wrote(files, 'new');
      return placed.ok ? ok(null) : placed;
    },

    async unplace() {
      const outcome = await opened().workspace.unplace();
      if (outcome.kind !== 'failed') wrote(outcome.files, 'new');
      return outcome;
    },

    async apply({ label, edits }) {
      const applied = await opened().workspace.apply(label, edits);
      editsStand ||= applied.ok;
      wrote(edits, 'same');
      return applied;
    },

    async restore() {
      const outcome = await opened().workspace.restore();
      if (outcome.kind === 'failed') return outcome;
      editsStand = false;
      wrote(outcome.files, 'same');
      return outcome;
    },

    async written() {
      const written = await opened().workspace.written();
      return [...new Set([...writtenBefore, ...written])];
    },

    notes: () => Promise.resolve(opened().workspace.notes()),

    sums: ({ paths }) => opened().workspace.sums(paths),

    run: runStep,

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
      for (const [name, lane] of lanes) {
        const [failure] = await refresh(lane, new AbortController().signal);
        if (failure !== undefined) unbuilt.push({ lane: name, why: failure.message });
      }
      return unbuilt;
    },

    async close() {
      await allOf([
        ...[...lanes.values()].map(
          ({ runner }) =>
            async () =>
              runner.close?.(),
        ),
        () => trash.empty(),
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
