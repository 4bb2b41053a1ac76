/** The junit lane: one run of the command for each step, whatever part of it is asked for. */
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { TestResult } from '../../proof/outcome.js';
import { ok } from '../../result.js';
import type { JunitLane } from '../../spec/model.js';
import { createBytecodeGuard } from '../bytecode.js';
import type { LaneDescription, LaneRunner, RunRequest } from '../lane.js';
import { writeLog } from '../log.js';
import { ownCommands } from '../own-command.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { temporaryFolder } from '../temporary-folder.js';
import { targetNames } from './broken.js';
import type { ReportFacts } from './ending.js';
import { stepEnvironment } from './environment.js';
import { foldCollection, foldRun, type RunFacts } from './fold.js';
import { gather, type Gathering } from './gather.js';
import { placeFinder } from './place.js';
import { findReports, placeReports } from './places.js';
import { readReport } from './report.js';

export interface JunitLaneInput {
  /** Absolute path of the tree: the git top level. */
  readonly tree: string;
  /** Absolute path of the project's root, in or equal to the tree. */
  readonly root: string;
  readonly lane: JunitLane;
  readonly description: LaneDescription;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  /** A fresh value of COUNTERPROOF_RUN, for one spawn. */
  readonly createNonce: () => string;
  /** Inherited by everything that the lane starts. */
  readonly env: Readonly<Record<string, string>>;
}

export function createJunitLane(input: JunitLaneInput): LaneRunner {
  const { lane, runProcess, createNonce } = input;
  const tree = realpathSync(input.tree);
  const root = realpathSync(input.root);
  const cwd = path.resolve(root, lane.cwd);
  const roots = [...new Set([root, input.root])];
  const outer: Readonly<Record<string, string>> = { ...input.env, ...lane.env };
  const placeIn = placeFinder({ root, cwd });
  const shown = (file: string): string => {
    const name = path.relative(cwd, file);
    return name.startsWith('..') ? path.basename(file) : name;
  };

  const own = ownCommands({ lane, cwd, env: outer, runProcess, createNonce });

  // A command of any kind may run Python, which trusts bytecode of an equal size and second.
  const purge = createBytecodeGuard(tree, new Set());

  return {
    describe: () => Promise.resolve(ok(input.description)),

    prepare: own.prepare,

    /** Which compiler is concerned is not known: a build that fails, or a test, will tell. */
    compile: (sources) => Promise.resolve(sources.map(() => null)),

    written(paths) {
      purge(paths);
      return Promise.resolve();
    },

    build: (signal) => own.build(signal),

    purge,

    run: async (request) => foldRun(await runStep(request)),
    collect: async (request) => foldCollection(await runStep(request)),
  };

  async function runStep(request: RunRequest): Promise<RunFacts> {
    purge(request.targets.map((target) => target.path));
    const nonce = createNonce();
    const scratch = path.resolve(request.scratch);
    await mkdir(temporaryFolder(scratch), { recursive: true });
    const places = await placeReports(lane, { scratch, cwd });
    const end = await runProcess({
      command: places.command,
      cwd,
      env: stepEnvironment(input.env, places.env, { scratch, nonce }),
      stdin: null,
      limits: {
        timeMs: request.limits.stepMs,
        memoryBytes: request.limits.memoryBytes,
        outputBytes: request.limits.outputBytes,
      },
      nonce,
      signal: request.signal,
    });
    writeLog(request.log, places.command, end);
    const gathering = gather({
      roots,
      targets: targetNames(request.targets, { tree, cwd }),
      placeIn,
    });
    const { reports, oddities } = await readAll(await findReports(lane, places, cwd), gathering);
    const gathered = gathering.done();
    tellProgress(request, [...gathered.results.values()]);
    const known = request.baseline?.map(({ id }) => id) ?? null;
    return {
      end,
      step: request.step,
      reports,
      gathered,
      oddities,
      targets: request.targets,
      known,
    };
  }

  async function readAll(
    found: { readonly fresh: readonly string[]; readonly stale: readonly string[] },
    gathering: Gathering,
  ): Promise<{ readonly reports: ReportFacts; readonly oddities: number }> {
    const faults: string[] = [];
    let oddities = 0;
    for (const file of found.fresh) {
      try {
        const end = await readReport(file, gathering.take);
        oddities += end.oddities;
        if (end.fault === null) gathering.takeFaults(end.suiteFaults);
        else {
          const { line, column, message } = end.fault;
          faults.push(`${shown(file)}:${String(line)}:${String(column)}: ${message}`);
        }
      } catch (error) {
        faults.push(`${shown(file)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    const reports = {
      read: found.fresh.map(shown),
      stale: found.stale.map(shown),
      faults,
      where: lane.report,
    };
    return { reports, oddities };
  }
}

/** A report comes whole, at the end: only what somebody waits to see is passed on. */
function tellProgress({ onProgress, baseline }: RunRequest, results: readonly TestResult[]): void {
  const before = new Map(baseline?.map(({ id, outcome }) => [id, outcome]));
  onProgress({ kind: 'collected', selected: results.length, deselected: 0 });
  for (const { id, outcome } of results)
    if (before.get(id) !== outcome) onProgress({ kind: 'finished', test: id, outcome });
}
