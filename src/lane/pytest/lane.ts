/** The pytest lane: one `pytest` process for each step, started anew or forked from a warm interpreter. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Breakage } from '../../proof/evidence.js';
import { ok, type Result } from '../../result.js';
import type { PytestLane } from '../../spec/model.js';
import type { LaneDescription, LaneProblem, LaneRunner, RunRequest } from '../lane.js';
import { createBytecodeGuard } from '../bytecode.js';
import { hashSeed } from '../hash-seed.js';
import { ownCommands } from '../own-command.js';
import { stdoutOf } from '../words.js';
import { shownCommand, type StepMode } from './arguments.js';
import { COMPILE_ARGUMENTS, compileInput, isPython, readAnswers, type Source } from './compile.js';
import { readPlugin } from './environment.js';
import { foldCollection, type RunFacts } from './fold.js';
import { SEEDS } from './plan.js';
import { carryOutStep, layOutStep, type LaidOut, type RunProcess, type StepSetup } from './step.js';
import { createWarmSteps } from './warm/warm-steps.js';

/** What detection found out about how the lane is run. */
export interface PytestFacts {
  readonly command: readonly [string, ...string[]];
  /** `wrapper`: a command that starts pytest itself; our options travel in PYTEST_ADDOPTS. */
  readonly shape: { readonly kind: 'pytest' | 'wrapper' };
  /** What starts the lane's interpreter; null: it is not known. */
  readonly interpreter: {
    readonly argv: readonly [string, ...string[]];
    /** Where it keeps bytecode; null: beside the sources. */
    readonly pycachePrefix: string | null;
  } | null;
  /** Absolute path of the interpreter, or of the wrapper. */
  readonly tool: string;
  /** `python`, `pytest`, and the plugins that are installed. */
  readonly versions: Readonly<Record<string, string>>;
  /** Where the choice came from. */
  readonly from: string;
  /** What activating the environment sets. */
  readonly activation: Readonly<Record<string, string>>;
}

export interface PytestLaneInput {
  /** Absolute path of the tree: the git top level. */
  readonly tree: string;
  /** Absolute path of the project's root, in or equal to the tree. */
  readonly root: string;
  readonly lane: PytestLane;
  readonly facts: PytestFacts;
  readonly runProcess: RunProcess;
  /** A fresh value of COUNTERPROOF_RUN, for one spawn. */
  readonly createNonce: () => string;
  /** What a wrapper needs in its environment to let these variables through to pytest. */
  readonly throughWrapper: (
    names: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
  /** Inherited by everything that the lane starts. */
  readonly env: Readonly<Record<string, string>>;
}

const COMPILE_LIMIT_MS = 60_000;

export function createPytestLane(input: PytestLaneInput): LaneRunner {
  const { lane, facts, runProcess, createNonce } = input;
  const tree = realpathSync(input.tree);
  const root = realpathSync(input.root);
  const cwd = path.resolve(root, lane.cwd);
  const inherited: Readonly<Record<string, string>> = { ...input.env, ...facts.activation };
  const outer: Readonly<Record<string, string>> = { ...inherited, ...lane.env };
  const commandFacts = { command: facts.command, kind: facts.shape.kind };
  const prefixes = new Set<string>();
  const knownPrefixes = [
    outer['PYTHONPYCACHEPREFIX'],
    prefixOption(facts.command),
    facts.interpreter?.pycachePrefix,
  ];
  for (const prefix of knownPrefixes) {
    if (prefix !== undefined && prefix !== null && prefix !== '')
      prefixes.add(path.resolve(cwd, prefix));
  }
  const purge = createBytecodeGuard(tree, prefixes);
  const setup: StepSetup = {
    tree,
    root,
    cwd,
    lane,
    command: commandFacts,
    plugin: readPlugin(),
    inherited,
    createNonce,
    throughWrapper: input.throughWrapper,
  };
  const steps = createWarmSteps({
    setup,
    runProcess,
    runStep: (request, laidOut, run) => runStep(request, 'run', laidOut, run),
  });
  const toRoot = (name: string): string =>
    path.relative(root, path.resolve(tree, name)).replaceAll(path.sep, '/');

  const own = ownCommands({ lane, cwd, env: outer, runProcess, createNonce });

  const compileOnce = async (
    sources: readonly Source[],
  ): Promise<readonly (Breakage | null)[] | null> => {
    if (facts.interpreter === null) return sources.map(() => null);
    const nonce = createNonce();
    const end = await runProcess({
      command: [...facts.interpreter.argv, ...COMPILE_ARGUMENTS],
      cwd: root,
      env: { ...outer, COUNTERPROOF_RUN: nonce },
      stdin: compileInput(sources),
      limits: { timeMs: COMPILE_LIMIT_MS, memoryBytes: null, outputBytes: 64 * 1024 * 1024 },
      nonce,
      signal: new AbortController().signal,
    });
    return end.kind === 'exited' && end.code === 0
      ? readAnswers(stdoutOf(end), sources, toRoot)
      : null;
  };

  return {
    describe(): Promise<Result<LaneDescription, LaneProblem>> {
      return Promise.resolve(
        ok({
          command: shownCommand(commandFacts, lane),
          from: facts.from,
          versions: facts.versions,
          tool: facts.tool,
          seeds: {
            PYTHONHASHSEED: hashSeed(outer['PYTHONHASHSEED']),
            ...('hypothesis' in facts.versions ? { hypothesis: SEEDS.hypothesis } : {}),
            ...('pytest-randomly' in facts.versions ? { 'pytest-randomly': SEEDS.randomly } : {}),
            ...('pytest-random-order' in facts.versions
              ? { 'pytest-random-order': SEEDS['random-order'] }
              : {}),
          },
        }),
      );
    },

    prepare: own.prepare,

    async compile(sources) {
      const python = sources.filter((source) => isPython(source.path));
      if (python.length === 0) return sources.map(() => null);
      const together = await compileOnce(python);
      const answers = new Map<Source, Breakage | null>();
      for (const [index, source] of python.entries()) {
        // An interpreter that dies over one source says nothing of the others.
        const [alone] = together === null ? ((await compileOnce([source])) ?? [died(source)]) : [];
        answers.set(source, (together === null ? alone : together[index]) ?? null);
      }
      return sources.map((source) => answers.get(source) ?? null);
    },

    written(paths) {
      purge(paths);
      return Promise.resolve();
    },

    build: (signal) => own.build(signal),

    purge,

    run: (request) => steps.run(request),

    async collect(request) {
      const laidOut = layOutStep(setup, request, 'collect');
      return foldCollection(await runStep(request, 'collect', laidOut, runProcess));
    },

    close: () => steps.close(),
  };

  function died(source: Source): Breakage {
    const message = 'the interpreter died while it compiled this file';
    return { stage: 'compile', file: toRoot(source.path), line: null, message };
  }

  async function runStep(
    request: RunRequest,
    mode: StepMode,
    laidOut: LaidOut,
    run: RunProcess,
  ): Promise<RunFacts> {
    purge(request.targets.map((target) => target.path));
    const left = await carryOutStep(setup, request, mode, laidOut, run);
    for (const event of left.events) {
      if (event.event === 'configure' && event.pycachePrefix !== null)
        prefixes.add(path.resolve(cwd, event.pycachePrefix));
    }
    return left;
  }
}

/** `-X pycache_prefix=DIR`, in one word or two. */
function prefixOption(command: readonly string[]): string | undefined {
  const words = command.map((word, index) =>
    word === '-X' ? `-X${command[index + 1] ?? ''}` : word,
  );
  return words
    .find((word) => word.startsWith('-Xpycache_prefix='))
    ?.slice('-Xpycache_prefix='.length);
}
