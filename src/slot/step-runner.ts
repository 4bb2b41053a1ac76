/** Runs the steps of a slot: on a fresh layer, built anew where need be, each in a folder of its own. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaneProgress } from '../lane/lane.js';
import { stepEvidence } from '../proof/step.js';
import type { Workspace } from '../workspace/workspace.js';
import type { OpenLanes } from './open-lanes.js';
import type { SlotSetup, StepAnswer, StepRequest } from './protocol.js';
import { watchRoom, withoutRoom } from './room.js';
import { createTrash, makeScratch } from './scratch.js';
import { logName, notRun } from './steps.js';
import { systemError } from './system-error.js';

export interface StepRunner {
  readonly run: (
    request: StepRequest,
    progress: (progress: LaneProgress) => void,
  ) => Promise<StepAnswer>;
  /** What the present step wrote over the tree, in layers that are gone. */
  readonly writtenBefore: () => ReadonlySet<string>;
  /** Waits until the folders of all steps are gone. */
  readonly close: () => Promise<void>;
}

/**
 * @param opened the slot's workspace and how it was opened
 * @param signal aborted: no step is run any more, and the running one ends
 */
export function createStepRunner(
  opened: () => { readonly setup: SlotSetup; readonly workspace: Workspace },
  lanes: OpenLanes,
  signal: AbortSignal,
): StepRunner {
  let steps = 0;
  /** Of the step before: its path serves again. */
  let scratch: string | null = null;
  const trash = createTrash();
  /** What runs of the present step wrote over the tree, whose layer is gone. */
  let writtenBefore = new Set<string>();

  /** The last before a run: what the layer holds now is what the run finds. */
  const settle = async ({ lane, targets }: StepRequest): Promise<void> => {
    lanes.get(lane).runner.purge?.(targets.map(({ path }) => path));
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
  const runStep: StepRunner['run'] = async (request, progress) => {
    const started = performance.now();
    try {
      return await measureStep(request, progress);
    } catch (error) {
      const why = systemError(error);
      if (why === null) throw error;
      const ending = signal.aborted
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
    const lane = lanes.get(request.lane);
    const name = logName(opened().setup, ++steps, request);
    const log = join(opened().setup.logs, name);
    const started = performance.now();
    await opened().workspace.fresh();
    writtenBefore = new Set();
    // What another slot built since may lie over what this one's build wrote outside the tree.
    if (request.isAlone === true) lane.built = false;
    const build = await lanes.refresh(lane, signal);
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

  return { run: runStep, writtenBefore: () => writtenBefore, close: () => trash.empty() };
}
