import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneContext } from '../lane/create.js';
import type { LaneProgress, LaneRunner } from '../lane/lane.js';
import type { Breakage, StepEvidence } from '../proof/evidence.js';
import type { TestResult } from '../proof/outcome.js';
import { emptyStep, stepEvidence } from '../proof/step.js';
import { err, ok, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import type { Workspace } from '../workspace/workspace.js';
import { removeFolder } from '../workspace/remove-folder.js';
import { watchRoom, withoutRoom } from './room.js';
import { createTrash, makeScratch } from './scratch.js';
import type { LaneSetup, SlotCalls, SlotSetup, StepAnswer, StepRequest } from './protocol.js';

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
  /** Written since the lane last ran: its bytecode and build are stale. */
  readonly stale: Set<string>;
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

/** No slot has this number, so that the death of none takes the folder of a collection away. */
const COLLECTING = 9999;

/** One slot: a workspace, its lanes, and the baselines that differences are taken against. */
export function createWorker(parts: WorkerParts): Worker {
  let setup: SlotSetup | null = null;
  let workspace: Workspace | null = null;
  /** A cancel between two steps must reach the next one: nothing is to start after it. */
  const cancelled = new AbortController();
  let steps = 0;
  /** Tree-relative paths of edits and probes that stand. */
  let standing: { readonly edits: readonly string[]; readonly probes: readonly string[] } = {
    edits: [],
    probes: [],
  };
  /** Of the step before: its path serves again. */
  let scratch: string | null = null;
  const trash = createTrash();
  const lanes = new Map<string, OpenLane>();

  const opened = (): { setup: SlotSetup; workspace: Workspace } => {
    if (setup === null || workspace === null) throw new Error('Internal error: slot is not open');
    return { setup, workspace };
  };

  const laneOf = (name: string): OpenLane => {
    const lane = lanes.get(name);
    if (lane === undefined)
      throw new Error(`Internal error: lane ${name} is not open in this slot`);
    return lane;
  };

  const markStale = (paths: readonly string[]): void => {
    for (const lane of lanes.values()) for (const path of paths) lane.stale.add(path);
  };

  /** With what earlier runs wrote goes what a build made of the edits that stand. */
  const freshen = async (): Promise<void> => {
    const dropped = await opened().workspace.fresh();
    if (!dropped) return;
    for (const lane of lanes.values()) {
      // cargo builds outside the tree, and sees by its times that nothing changed.
      if (lane.config.runner === 'cargo') continue;
      for (const path of [...standing.edits, ...standing.probes]) lane.stale.add(path);
    }
  };

  const refresh = async (lane: OpenLane, signal: AbortSignal): Promise<readonly Breakage[]> => {
    if (lane.stale.size === 0) return [];
    const breakages = await lane.runner.written([...lane.stale], signal);
    // A failed build is tried again by the next step: only success makes the lane fresh.
    if (breakages.length === 0) lane.stale.clear();
    return breakages;
  };

  const runStep = async (
    request: StepRequest,
    progress: (progress: LaneProgress) => void,
  ): Promise<StepAnswer> => {
    const lane = laneOf(request.lane);
    const { signal } = cancelled;
    const name = logName(opened().setup, ++steps, request);
    const log = join(opened().setup.logs, name);
    const started = performance.now();
    await freshen();
    const build = await refresh(lane, signal);
    if (build.length > 0 || signal.aborted) {
      const ending = signal.aborted
        ? ({ kind: 'cancelled' } as const)
        : ({ kind: 'broken', causes: build } as const);
      return { ...notRun(request, ending, performance.now() - started), build };
    }
    lane.runner.purge?.(request.targets.map(({ path }) => path));
    await opened().workspace.settled();
    const { tree, slot, place } = opened().setup;
    const made = await makeScratch(tree, slot, scratch);
    scratch = made;
    const room = watchRoom([made, place.kind === 'overlay' ? place.layers : tree]);
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
        renew: async () => {
          if (scratch !== null) await trash.take(scratch);
          scratch = await makeScratch(tree, slot, scratch);
          return scratch;
        },
        ...(request.ahead === undefined ? {} : { ahead: request.ahead }),
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
      return { evidence, selection: run.selection, build };
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
      const folder = await makeScratch(tree, COLLECTING, null);
      try {
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
      } finally {
        await runner.close?.();
        await removeFolder(folder);
      }
    },

    async lane({ lane, python }: LaneSetup) {
      const { setup: slot, workspace: slotWorkspace } = opened();
      const runner = parts.createLane({ ...slot, lane, python });
      const description = await runner.describe();
      if (!description.ok) return description;
      await freshen();
      const prepared = await runner.prepare(cancelled.signal);
      if (!prepared.ok) return err(prepared.error);
      await slotWorkspace.freeze();
      lanes.set(lane.name, {
        runner,
        config: lane,
        baseline: null,
        stale: new Set(slot.stale ?? []),
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
      markStale(files.map(({ path }) => path));
      if (placed.ok) standing = { ...standing, probes: files.map(({ path }) => path) };
      return placed.ok ? ok(null) : placed;
    },

    async unplace() {
      const outcome = await opened().workspace.unplace();
      standing = { ...standing, probes: [] };
      if (outcome.kind !== 'failed') markStale(outcome.files.map(({ path }) => path));
      return outcome;
    },

    async apply({ label, edits }) {
      const applied = await opened().workspace.apply(label, edits);
      markStale(edits.map(({ path }) => path));
      if (applied.ok) standing = { ...standing, edits: edits.map(({ path }) => path) };
      return applied;
    },

    async restore() {
      const outcome = await opened().workspace.restore();
      standing = { ...standing, edits: [] };
      if (outcome.kind !== 'failed') markStale(outcome.files.map(({ path }) => path));
      return outcome;
    },

    written: () => opened().workspace.written(),

    notes: () => Promise.resolve(opened().workspace.notes()),

    sums: ({ paths }) => opened().workspace.sums(paths),

    run: runStep,

    async close() {
      for (const { runner } of lanes.values()) await runner.close?.();
      await trash.empty();
      // An overlay goes with its slot, and with it all that stands in it.
      if (workspace === null || workspace.isolation === 'overlay')
        return { kind: 'restored', files: [] };
      const outcome = await handlers.restore(null, ignore);
      const probes = await handlers.unplace(null, ignore);
      // Leave no mutant behind in bytecode or in what the lane's build command made.
      for (const lane of lanes.values()) await refresh(lane, new AbortController().signal);
      return outcome.kind === 'restored' ? probes : outcome;
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

/** The answer for a step that the lane's build command, or an interrupt, kept from running. */
function notRun(
  request: StepRequest,
  ending: StepEvidence['ending'],
  durationMs: number,
): Pick<StepAnswer, 'evidence' | 'selection'> {
  return {
    evidence: emptyStep(request.step, request.scope, ending, durationMs),
    selection: {
      collected: 0,
      selected: 0,
      deselected: [],
      files: [],
      idPrefix: '',
      idForm: 'path',
    },
  };
}

function logName({ slot, generation }: SlotSetup, number: number, request: StepRequest): string {
  const of = slot === 0 && generation === 0 ? '' : `${slot}.${generation}-`;
  const label = request.label === null ? request.lane : request.label;
  const safe = label.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60);
  return `${of}${String(number).padStart(4, '0')}-${safe}-${request.step}.log`;
}
