/** The cargo lane: builds what the tree holds, then runs each test executable. */
import path from 'node:path';
import { ok } from '../../result.js';
import type { CargoLane } from '../../spec/model.js';
import { REACH_MARKER } from '../../spec/reach-marker.js';
import type { LaneRun, LaneRunner, RunRequest } from '../lane.js';
import { ownCommands } from '../own-command.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { runBuild } from './build.js';
import { createBuilder, type Built, type NotBuilt } from './builder.js';
import { captureLaunches } from './capture.js';
import { buildCommand, docCommand, shownCommand, testCommand } from './commands.js';
import { readConfigs, targetsOf } from './configuration.js';
import { createExecutableComparison } from './executables.js';
import { createImageReader } from './image.js';
import { createBinaryRunner, type ExecuteRequest } from './execute.js';
import type { Ledger } from './ledger.js';
import type { Lockfile } from './lockfile.js';
import { loadProject, type Project } from './project.js';
import { withProbes } from './selection.js';
import { createStartedPrograms } from './started.js';
import type { Toolchain } from './toolchain.js';
import { createUnrunFinder } from './unrun.js';

export interface CargoLaneInput {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  /** Absolute, symlinks resolved. */
  readonly root: string;
  /** Absolute. */
  readonly cwd: string;
  readonly lane: CargoLane;
  readonly toolchain: Toolchain;
  readonly project: Project;
  /** Arguments that the lane did not name. */
  readonly added: readonly string[];
  /** Of every cargo that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly ledger: Ledger;
  readonly lockfile: Lockfile;
  readonly discard: () => Promise<void>;
  /** Empties what lies in the target folder for tests to write into. */
  readonly emptyTemporary: () => Promise<void>;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

const CAPTURE_LIMIT_MS = 5 * 60_000;

export function createCargoLane(input: CargoLaneInput): LaneRunner {
  const { tree, root, cwd, lane, toolchain, lockfile, env, runProcess, createNonce } = input;
  const { cargo, rustc } = toolchain;
  const processes = { runProcess, createNonce };
  const commandFacts = ({ selection }: Project, probes: readonly string[] = []) => ({
    cargo,
    selection: withProbes(selection, probes),
    added: input.added,
  });
  const probeFiles = ({ probes }: RunRequest): readonly string[] =>
    probes.map((probe) => path.resolve(root, probe));

  const builder = createBuilder({
    tree,
    project: input.project,
    ledger: input.ledger,
    discard: input.discard,
    findUnrun: createUnrunFinder(lane, cwd, env),
    reload: (signal) => loadProject({ lane, cargo, cwd, env, signal, ...processes }),
    build: (project, order) =>
      runBuild({
        ...order,
        ...processes,
        command: buildCommand(commandFacts(project, order.probes)),
        cwd,
        env,
        shown: (file) =>
          path.relative(root, path.resolve(project.workspace.root, file)).replaceAll(path.sep, '/'),
      }),
    async capture(project, { probes, scratch, signal }) {
      const facts = commandFacts(project, probes);
      if (facts.selection.targetArguments.length === 0)
        return ok({ launches: new Map(), notes: [] });
      return captureLaunches({
        ...processes,
        command: testCommand(facts),
        cwd,
        env,
        triple: targetsOf(lane.args, env, await readConfigs(cwd, env))[0] ?? toolchain.host,
        rustc,
        scratch,
        timeMs: CAPTURE_LIMIT_MS,
        signal,
      });
    },
  });
  const told = new Set<string>();
  /** What holds for every step is told with the first. */
  const laneNotes = ({ notes }: Built): readonly string[] => {
    const fresh = [...notes, ...lockfile.notes()].filter((note) => !told.has(note));
    for (const note of fresh) told.add(note);
    return fresh;
  };
  const binaries = createBinaryRunner(processes);
  const compare = createExecutableComparison(tree);
  const readImage = createImageReader();
  const mayStart = createStartedPrograms();

  const own = ownCommands({ lane, cwd, env, ...processes });

  const ensure = async (request: RunRequest) => {
    const { targets, limits, scratch, signal } = request;
    const probes = probeFiles(request);
    const order = { probes, memoryBytes: limits.memoryBytes, scratch, signal };
    const built = await builder.ensure(targets, order);
    lockfile.look();
    return built;
  };

  const execution = (built: Built, request: RunRequest): ExecuteRequest => ({
    binaries: built.binaries,
    launches: built.launches,
    doctests: built.project.selection.doctests.map((each) => ({
      id: `${each.name}::doc`,
      command: docCommand(commandFacts(built.project), each),
      cwd,
      workspace: built.project.workspace.root,
      env,
    })),
    select: lane.select,
    testArguments: built.project.selection.testArguments,
    harness: lane.harness,
    root,
    workspace: built.project.workspace.root,
    unfiltered: new Set(
      built.binaries
        .filter(({ source }) => probeFiles(request).includes(source))
        .map(({ id }) => id),
    ),
    reachMarker: REACH_MARKER,
    run: request,
  });

  return {
    describe: () =>
      Promise.resolve(
        ok({
          command: shownCommand(commandFacts(input.project), lane),
          from: toolchain.from,
          versions: toolchain.versions,
          tool: toolchain.tool,
          seeds: {},
        }),
      ),

    prepare: own.prepare,

    // The build compiles them; what does not compile breaks it.
    compile: (sources) => Promise.resolve(sources.map(() => null)),

    written: (paths) => builder.written(paths),

    build: (signal) => own.build(signal),

    async run(request) {
      const built = await ensure(request);
      if (!built.ok) return notRun(built.error);
      await input.emptyTemporary();
      const run = await binaries.run(execution(built.value, request));
      const executables = compare(request.step, built.value.binaries);
      const unseen = run.unseen ?? (await mayStart(request.step, built.value.artifacts));
      return {
        ...run,
        loads: builder.loads(request.targets),
        ...(executables === undefined ? {} : { executables }),
        ...(unseen === undefined ? {} : { unseen }),
        ...(request.step === 'reach' ? { image: await readImage(built.value.artifacts) } : {}),
        notes: [...run.notes, ...laneNotes(built.value)],
      };
    },

    async collect(request) {
      const built = await ensure(request);
      if (!built.ok) {
        const { ending, selection, collectionErrors, notes } = notRun(built.error);
        return { ending, ids: [], selection, collectionErrors, notes };
      }
      const found = await binaries.collect(execution(built.value, request));
      return { ...found, notes: [...laneNotes(built.value), ...found.notes] };
    },

    close() {
      lockfile.takeAway();
      return Promise.resolve();
    },
  };
}

function notRun({ ending, end }: NotBuilt): LaneRun {
  const code = end?.kind === 'exited' ? end.code : null;
  return {
    ending,
    exit: { code, signal: end?.kind === 'signalled' ? end.signal : null },
    durationMs: end === null || end.kind === 'not-started' ? 0 : end.durationMs,
    results: [],
    selection: {
      collected: 0,
      selected: 0,
      deselected: [],
      files: [],
      idPrefix: '',
      idForm: 'binary',
    },
    collectionErrors: [],
    loads: [],
    reached: [],
    notes: [],
  };
}
