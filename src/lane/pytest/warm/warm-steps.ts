/** Runs steps warm where it has been shown to make no difference, and cold everywhere else. */
import { rm } from 'node:fs/promises';
import type { Outcome } from '../../../proof/outcome.js';
import { idRules, matchIds } from '../../../proof/select.js';
import type { LaneRun, RunRequest } from '../../lane.js';
import { foldRun, type RunFacts } from '../fold.js';
import { layOutStep, type LaidOut, type RunProcess, type StepSetup } from '../step.js';
import { neededImports } from './asks.js';
import { difference, differing } from './compare.js';
import { doubtIn, type Usual } from './doubt.js';
import { isEligible } from './eligible.js';
import { readLearned, type Learned } from './learned.js';
import { asksOfItsProcess } from './own-process.js';
import { startServer, type WarmServer } from './server.js';

export interface WarmSteps {
  run(request: RunRequest): Promise<LaneRun>;
  close(): Promise<void>;
}

export interface WarmParts {
  readonly setup: StepSetup;
  /** Starts a process of its own for a step. */
  readonly runProcess: RunProcess;
  readonly runStep: (
    request: RunRequest,
    laidOut: LaidOut,
    runProcess: RunProcess,
  ) => Promise<RunFacts>;
}

type State =
  /** Nothing is learned yet: the first baseline is always cold. */
  | { readonly kind: 'untried' }
  | { readonly kind: 'cold' }
  | {
      readonly kind: 'warm';
      readonly server: WarmServer;
      /** In which it was started: its paths are those that it knows. */
      readonly scratch: string;
      /** Of the runs that are confirmed once, those that were. */
      readonly confirmed: Set<string>;
      readonly learned: Learned;
    };

/** A request that can be run twice. */
type Renewable = RunRequest & { readonly renew: () => Promise<string> };

/** Without the one package that stands in the way of another, and that of a third. */
const ATTEMPTS = 4;
const LEAST_START_MS = 30_000;
/** A server imports what the baseline did, once. */
const START_FACTOR = 5;
const ENDED = 'the warm interpreter ended';

/**
 * The gate: the first warm run is that of the untouched tree, in the same call as the cold
 * baseline, and has to say the same; so has the first one that flips a test, and the first of
 * every other kind. What a warm interpreter could make up is confirmed by a cold run each time.
 * The first difference ends it for this lane, and the cold run stands.
 */
export function createWarmSteps({ setup, runProcess, runStep }: WarmParts): WarmSteps {
  let state: State = { kind: 'untried' };
  let usual: Usual = { altered: new Set(), needed: [] };
  /** The mutant whose warm run of the whole lane stands: one of a part of it rests on that. */
  let stood: string | null = null;

  const cold = async (request: RunRequest): Promise<LaneRun> =>
    foldRun(await runStep(request, layOutStep(setup, request, 'run'), runProcess));

  const retire = async (): Promise<void> => {
    const before = state;
    state = { kind: 'cold' };
    if (before.kind === 'warm') await before.server.close();
  };

  /** Null: this step has to be cold, and nothing was run. */
  const warm = async (request: RunRequest, server: WarmServer): Promise<LaneRun | null> => {
    const laidOut = layOutStep(setup, request, 'run');
    const facts = await runStep(request, laidOut, server.runProcess);
    if (facts.end.kind === 'not-started' && facts.end.code === 'COLD') return null;
    return server.isGone() ? null : foldRun(facts);
  };

  const ignoredIn = ({ results, selection }: LaneRun): ReadonlySet<string> => {
    const ids = results.map(({ id }) => id);
    const { quarantine } = setup.lane;
    return new Set(quarantine.flatMap(({ test }) => matchIds(test, ids, idRules(selection))));
  };

  /** @returns why there is no warm interpreter; null: there is one */
  const tryToStart = async (
    request: Renewable,
    learned: Learned,
    baseline: LaneRun,
  ): Promise<string | null> => {
    const exclude: string[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const scratch = await request.renew();
      const started = await startServer({
        tree: setup.tree,
        cwd: setup.cwd,
        laidOut: layOutStep(setup, { ...request, scratch }, 'run'),
        learned,
        exclude,
        startMs: Math.ceil(Math.max(LEAST_START_MS, START_FACTOR * baseline.durationMs)),
        signal: request.signal,
        runProcess,
      });
      if (started.ok) {
        state = {
          kind: 'warm',
          server: started.value,
          scratch,
          confirmed: new Set(),
          learned,
        };
        return null;
      }
      const { why, by } = started.error;
      if (by === null || attempt === ATTEMPTS || exclude.includes(by)) return why;
      exclude.push(by);
    }
  };

  /** Runs the untouched tree warm. @returns how that differs from the cold run; null: in nothing */
  const compare = async (
    request: Renewable,
    { server, scratch: known, learned }: Extract<State, { kind: 'warm' }>,
    baseline: LaneRun,
  ): Promise<string | null> => {
    const log = request.log.replace(/(\.log)?$/, '.warm.log');
    let { targets } = request;
    const run = async (): Promise<LaneRun | null> => {
      const scratch = await request.renew();
      if (scratch !== known) return null;
      return warm({ ...request, scratch, targets, log, onProgress: ignore }, server);
    };
    let again = await run();
    if (again === null && server.refused().length > 0) {
      // Steps of these files will be cold; the others have yet to be compared.
      const out = new Set(server.refused());
      targets = targets.filter((_, index) => !out.has(index));
      again = await run();
    }
    if (again === null) return server.isGone() ? ENDED : 'no warm run could be compared';
    usual = {
      altered: new Set([...usual.altered, ...(again.altered ?? [])]),
      needed: neededImports(again, learned.late),
    };
    const compared = new Set(targets);
    const loads = baseline.loads.filter((_, index) => {
      const target = request.targets[index];
      return target !== undefined && compared.has(target);
    });
    const found = difference({ ...baseline, loads }, again, ignoredIn(baseline));
    if (found === null) await rm(log, { force: true });
    return found;
  };

  const runBaseline = async (request: RunRequest): Promise<LaneRun> => {
    const learns = state.kind === 'untried' && mayLearn(setup, request);
    const laidOut = layOutStep(setup, request, 'run', learns ? 'learn' : null);
    const run = foldRun(await runStep(request, laidOut, runProcess));
    const { renew } = request;
    if (run.ending.kind !== 'complete' || renew === undefined) return run;
    if (learns) {
      const learned = await readLearned(laidOut.plan.folder);
      const why =
        learned === null
          ? 'the baseline left no list of modules'
          : (learned.against[0] ?? (await tryToStart({ ...request, renew }, learned, run)));
      if (why !== null) {
        await retire();
        return coldFrom(run, request, why);
      }
    }
    if (state.kind !== 'warm') return run;
    const found = await compare({ ...request, renew }, state, run);
    if (found === null) return run;
    await retire();
    return coldFrom(run, request, found);
  };

  const confirm = async (request: Renewable): Promise<LaneRun> => {
    const scratch = await request.renew();
    // The display has seen these tests end.
    return cold({ ...request, scratch, onProgress: ignore });
  };

  return {
    async run(request) {
      if (request.step === 'baseline') return runBaseline(request);
      const { renew, baseline } = request;
      if (request.isCold === true) await retire();
      if (request.patch !== undefined && asksOfItsProcess(request.patch)) return cold(request);
      if (state.kind !== 'warm' || renew === undefined || baseline === undefined)
        return cold(request);
      const { server, scratch, confirmed } = state;
      if (request.scratch !== scratch) return cold(request);
      const mutant = request.step === 'mutated' ? JSON.stringify(request.targets) : null;
      if (mutant !== null && mutant !== stood && request.scope !== 'lane') return cold(request);
      if (mutant !== null) stood = null;
      const first = await warm(request, server);
      if (first === null) {
        const isGone = server.isGone();
        if (isGone) await retire();
        const run = await cold({ ...request, scratch: await renew() });
        return isGone ? coldFrom(run, request, ENDED) : run;
      }
      const before = new Map<string, Outcome>(baseline.map(({ id, outcome }) => [id, outcome]));
      const ignored = ignoredIn(first);
      const doubt = doubtIn(first, request, before, ignored, usual);
      if (doubt === null || (doubt.confirm === 'once' && confirmed.has(doubt.kind))) {
        stood = mutant;
        return first;
      }
      const second = await confirm({ ...request, renew });
      if (second.ending.kind === 'cancelled') return second;
      const found = difference(second, first, ignored);
      if (found === null) {
        stood = mutant;
        confirmed.add(doubt.kind);
        return second;
      }
      if (doubt.isItsOwn === true) return second;
      await retire();
      return {
        ...coldFrom(second, request, found),
        differsWarm: differing(second, first, ignored),
      };
    },

    close: retire,
  };
}

const ignore = (): void => undefined;

function mayLearn({ lane, command }: StepSetup, request: RunRequest): boolean {
  const { ahead = 0, renew, scratch } = request;
  if (renew === undefined) return false;
  return isEligible({ platform: process.platform, lane, command, ahead, scratch });
}

/** A run that somebody ends says nothing of the interpreter that it ends as well. */
const coldFrom = (run: LaneRun, { signal }: RunRequest, why: string): LaneRun =>
  signal.aborted
    ? run
    : { ...run, notes: [...run.notes, `every step starts a new interpreter: ${why}`] };
