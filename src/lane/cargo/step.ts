/** What the parts of one run phase share. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Ending } from '../../proof/evidence.js';
import { err, ok, type Result } from '../../result.js';
import type { RunRequest } from '../lane.js';
import { temporaryFolder } from '../temporary-folder.js';
import type { Processes } from './attempt.js';
import type { DocRequest, DocTests } from './doc-process.js';
import type { ListedTest } from './list.js';
import type { Launch, TestBinary } from './model.js';
import { stepLog, type StepLog } from './step-log.js';
import { readTestOptions, type TestOptions } from './test-options.js';

export interface ExecuteRequest {
  /** In the order in which cargo runs them. */
  readonly binaries: readonly TestBinary[];
  /** By absolute path of the executable; one for each binary. */
  readonly launches: ReadonlyMap<string, Launch>;
  /** Empty: the lane has no `doc` target. */
  readonly doctests: readonly DocTests[];
  /** Cargo's substring filter; words apart by white space are alternatives. */
  readonly select: string | null;
  /** What the lane gives after `--`. */
  readonly testArguments: readonly string[];
  /** Ids of executables whose tests are selected whatever the filter says: those of probe files. */
  readonly unfiltered?: ReadonlySet<string>;
  readonly harness: 'libtest' | 'exit-code';
  /** Absolute. Locations of panics are told relative to it. */
  readonly root: string;
  /** Absolute path of the Cargo workspace, to which the compiler's paths are relative. */
  readonly workspace: string;
  /** Text in the panic of the reach mutation; looked for in the step `reach` alone. */
  readonly reachMarker: string;
  readonly run: Pick<
    RunRequest,
    'step' | 'scope' | 'without' | 'limits' | 'scratch' | 'log' | 'signal' | 'onProgress'
  >;
}

/** What executables list, by the sum of their bytes. */
export type ListMemory = Map<string, readonly ListedTest[]>;

export interface Step {
  readonly request: ExecuteRequest;
  readonly processes: Processes;
  readonly lists: ListMemory;
  readonly options: TestOptions;
  readonly log: StepLog;
  /** null: this step does not look for it. */
  readonly marker: string | null;
  readonly elapsedMs: () => number;
  readonly remainingMs: () => number;
  readonly newLogfile: () => string;
}

export async function beginStep(
  request: ExecuteRequest,
  processes: Processes,
  lists: ListMemory,
): Promise<Result<Step, Ending>> {
  const { step, scratch, log, limits } = request.run;
  const started = performance.now();
  const elapsedMs = (): number => performance.now() - started;
  const options = readTestOptions(request.select, request.testArguments);
  if (!options.ok) {
    const message = `\`${options.error}\` after \`--\` in the lane's \`args\` cannot be used: libtest is given names and its log file here`;
    return err({
      kind: 'broken',
      causes: [{ stage: 'configure', file: null, line: null, message }],
    });
  }
  let logfiles = 0;
  await mkdir(temporaryFolder(scratch), { recursive: true });
  return ok({
    request,
    processes,
    lists,
    options: options.value,
    log: stepLog(log, limits.outputBytes),
    marker: step === 'reach' ? request.reachMarker : null,
    elapsedMs,
    remainingMs: () => limits.stepMs - elapsedMs(),
    newLogfile: () => {
      logfiles += 1;
      return path.join(scratch, `verdicts-${String(logfiles)}`);
    },
  });
}

/** What every kind of test takes from the step. */
export function commonOf({ request, options, log, marker, remainingMs }: Step) {
  const { limits, scratch, signal, onProgress } = request.run;
  return { limits, scratch, signal, onProgress, onProcess: log.add, marker, remainingMs, options };
}

export const docRequest = (step: Step, doc: DocTests): DocRequest => ({
  ...commonOf(step),
  doc,
});

/** The capture and the build name the same executables, or one of them is not of this build. */
export function launchOf({ request }: Step, { executable }: TestBinary): Launch {
  const launch = request.launches.get(executable);
  if (launch === undefined)
    throw new Error(`Internal error: nothing says how to start ${executable}`);
  return launch;
}
