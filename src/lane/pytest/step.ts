/** One run of pytest: laid out in its private folder, started, and followed to its end. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { append } from '../../lists.js';
import type { PytestLane } from '../../spec/model.js';
import type { RunRequest } from '../lane.js';
import { writeLog } from '../log.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { stepCommand, type CommandFacts, type StepMode } from './arguments.js';
import type { OwnStop } from './ending.js';
import { PASSED_THROUGH, stepEnvironment, stepFolders, type PluginFiles } from './environment.js';
import type { PytestEvent } from './events.js';
import type { RunFacts } from './fold.js';
import { writePlan, type PlanFolder } from './plan.js';
import { followEvents } from './stream.js';
import { watchRun } from './watch.js';

export type RunProcess = (request: SpawnRequest) => Promise<ProcessEnd>;

/** What is the same in every step of a lane. */
export interface StepSetup {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  /** Absolute, symlinks resolved. */
  readonly root: string;
  readonly cwd: string;
  readonly lane: PytestLane;
  readonly command: CommandFacts;
  readonly plugin: PluginFiles;
  /** The caller's environment, with what activating the lane's own sets. */
  readonly inherited: Readonly<Record<string, string>>;
  /** A fresh value of COUNTERPROOF_RUN, for one spawn. */
  readonly createNonce: () => string;
  /** What a wrapper needs in its environment to let these variables through to pytest. */
  readonly throughWrapper: (
    names: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
}

/** A step whose folder is there, and which has yet to be started. */
export interface LaidOut {
  readonly plan: PlanFolder;
  readonly nonce: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** @param learn whether the run is to say what a warm interpreter may hold */
export function layOutStep(
  setup: StepSetup,
  request: RunRequest,
  mode: StepMode,
  learn: 'learn' | null = null,
): LaidOut {
  const { tree, root, lane, inherited } = setup;
  const nonce = setup.createNonce();
  const scratch = path.resolve(request.scratch);
  for (const folder of stepFolders(scratch)) mkdirSync(folder, { recursive: true });
  const plan = writePlan({ ...request, scratch, learn }, { tree, root }, setup.plugin);
  const places = { scratch, planFolder: plan.folder, library: plan.library, nonce };
  const env = stepEnvironment(inherited, lane.env, places);
  const given = env['PYTEST_ADDOPTS'];
  const { command, addopts } = stepCommand(setup.command, lane, scratch, given, mode);
  if (addopts !== null) env['PYTEST_ADDOPTS'] = addopts;
  if (setup.command.kind === 'wrapper')
    Object.assign(env, setup.throughWrapper(PASSED_THROUGH, env));
  return { plan, nonce, command, env };
}

/** Starts the step by `runProcess`, and returns all that it left behind. */
export async function carryOutStep(
  setup: StepSetup,
  request: RunRequest,
  mode: StepMode,
  laidOut: LaidOut,
  runProcess: RunProcess,
): Promise<RunFacts> {
  const { cwd, lane, tree } = setup;
  const { plan, nonce, command, env } = laidOut;
  const stream = followEvents(plan.events, nonce);
  const events: PytestEvent[] = [];
  const startedAt = Date.now();
  let ownStop: OwnStop | null = null;
  let stop: ((why: string) => void) | null = null;
  const watch = watchRun({
    read: (extent) => {
      const fresh = stream.read(extent);
      append(events, fresh);
      return fresh;
    },
    kind: setup.command.kind,
    testMs: request.limits.testMs,
    onProgress: request.onProgress,
    onStop: (why) => {
      ownStop ??= why;
      stop?.(why.kind);
    },
  });
  let end: ProcessEnd;
  try {
    end = await runProcess({
      command,
      cwd,
      env,
      stdin: null,
      limits: {
        timeMs: request.limits.stepMs,
        memoryBytes: request.limits.memoryBytes,
        outputBytes: request.limits.outputBytes,
      },
      nonce,
      signal: request.signal,
      onStart: (control) => {
        ({ stop } = control);
      },
    });
  } finally {
    await watch.finish();
    stream.close();
  }
  writeLog(request.log, command, end);
  return {
    events,
    end,
    // A stop that came too late ended nothing.
    ownStop: end.kind === 'stopped' ? ownStop : null,
    targets: request.targets,
    stale: staleBytecode(events, startedAt),
    tree,
    select: lane.select,
    command: setup.command.command,
    mode,
  };
}

/** Compiled files that were executed, and that nobody wrote in this step. */
function staleBytecode(events: readonly PytestEvent[], startedAt: number): ReadonlySet<string> {
  const files = new Set(
    events.flatMap((event) => (event.event === 'load' && event.pyc !== null ? [event.pyc] : [])),
  );
  const stale = new Set<string>();
  for (const file of files) {
    // A file's time is up to a clock tick (4 to 16 ms) behind; Python takes longer to start.
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.mtimeMs < startedAt) stale.add(file);
  }
  return stale;
}
