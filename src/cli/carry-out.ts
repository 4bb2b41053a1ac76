import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { EngineSettings } from '../engine/context.js';
import type { PlannedMutation } from '../engine/plan.js';
import { runOrder, type Rounds } from '../engine/run.js';
import { RUN_VARIABLE, runMark } from '../lane/process.js';
import type { VerdictCode } from '../proof/verdict.js';
import { openEventWriter, type RunEvent } from '../record/events.js';
import type { RunRecord } from '../record/schema.js';
import { EVENTS_FILE, openRunFolder, writeRecord } from '../record/store.js';
import { parseReportOption, renderReport, type ReportRequest } from '../report/index.js';
import { createProgress, systemTicker, type Display } from '../report/progress/index.js';
import type { LaneConfig } from '../spec/model.js';
import { lockTree } from '../workspace/lock.js';
import { prepareOwnFolder } from '../workspace/own-folder.js';
import { leaveStateFolders } from '../workspace/state-folder.js';
import { CommandError } from './exit.js';
import { catchSignals } from './interrupts.js';
import { stdoutLook } from './look.js';
import { printMessage, printResult, progressStream } from './output.js';
import type { OpenedProject } from './project.js';
import { putBack } from './put-back.js';
import { version } from './version.js';

export interface CarryOutOptions {
  readonly color: boolean | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  readonly json: boolean;
  readonly reports: readonly ReportRequest[];
  readonly out: string | undefined;
  readonly isolation: 'auto' | 'overlay' | 'in-place';
  readonly jobs: number | 'auto';
  /** Absolute, or a name to look up in PATH; null: found by each lane. */
  readonly python: string | null;
  readonly allow: readonly VerdictCode[];
}

export interface WorkOrder {
  readonly project: OpenedProject;
  /** The command line, without node. */
  readonly command: readonly string[];
  readonly lanes: readonly LaneConfig[];
  readonly mutations: readonly PlannedMutation[];
  readonly settings: EngineSettings;
  readonly notVerified: readonly string[];
  /** Where what is measured decides what to measure next. */
  readonly rounds?: Rounds;
  /** Names under which lanes of the configuration are used, where they are not their own. */
  readonly usedLanes?: readonly string[];
  /** Where record and reports go, if not to the project that is worked on. */
  readonly recordedIn?: Pick<OpenedProject, 'tree' | 'cwd'>;
  readonly options: CarryOutOptions;
}

/** Locks the tree, proves, writes the record, prints the reports; the exit code is the record's. */
export async function carryOut(order: WorkOrder): Promise<number> {
  const { project, options } = order;
  const home = order.recordedIn ?? project;
  const startedAt = new Date();
  const interrupts = catchSignals();
  let lost: string | null = null;
  let reactToLoss: (why: string) => void = () => undefined;
  const lock = await lockTree({
    tree: project.tree,
    command: order.command,
    onCompromised: (why) => {
      printMessage(`counterproof: ${why}\n`);
      lost = why;
      reactToLoss(why);
    },
  });
  if (!lock.ok) {
    const { kind, message } = lock.error;
    throw new CommandError(kind === 'held' ? `${message}\nWait for it, or end it.` : message);
  }
  try {
    await putBack(project.tree);
    const folder = await openRunFolder({
      tree: home.tree,
      out: options.out === undefined ? null : resolve(home.cwd, options.out),
      startedAt,
      pid: process.pid,
    });
    if (!folder.ok) throw new CommandError([folder.error.message, folder.error.hint].join('\n'));
    const { path } = folder.value;
    await mkdir(join(path, 'logs'), { recursive: true });

    const runId = folder.value.stamp ?? `${startedAt.getTime()}-${process.pid}`;
    // Whatever the run starts inherits this, and is found by it should everything else be killed.
    const outer = process.env[RUN_VARIABLE];
    const mark = runMark(project.tree, runId);
    process.env[RUN_VARIABLE] = outer === undefined ? mark : `${outer}/${mark}`;

    const events = openEventWriter(join(path, EVENTS_FILE), () => new Date());
    const display = createProgress({
      stream: progressStream(),
      env: process.env,
      platform: process.platform,
      color: options.color === undefined ? 'auto' : options.color ? 'always' : 'never',
      silent: options.quiet || !options.progress,
      ticker: systemTicker,
    });
    const emit = broadcast(events.write, display);
    emit({
      type: 'run-started',
      version,
      command: order.command,
      startedAt: startedAt.toISOString(),
      pid: process.pid,
      declared: order.mutations.filter(({ pulledIn }) => !pulledIn).map(({ spec }) => spec.id),
      mayGrow: order.rounds !== undefined,
    });
    let result;
    try {
      result = await runOrder({
        tree: project.tree,
        root: project.root,
        runId,
        folder: path,
        command: order.command,
        version,
        startedAt,
        lanes: order.lanes,
        otherLanes: unusedLanes(order),
        mutations: order.mutations,
        settings: order.settings,
        isolation: options.isolation,
        jobs: options.jobs,
        python: options.python,
        allow: options.allow,
        emit,
        interrupts,
        onLockLost(react) {
          reactToLoss = react;
          if (lost !== null) react(lost);
        },
        notVerified: order.notVerified,
        ...(order.rounds === undefined ? {} : { rounds: order.rounds }),
      });
      if (result.ok) {
        const { complete, exitCode, durationMs, summary } = result.value;
        emit({ type: 'run-finished', complete, exitCode, durationMs, summary });
      }
    } finally {
      display.close();
      events.close();
    }
    if (!result.ok) throw new CommandError(result.error);
    const problem = events.problem();
    const record: RunRecord =
      problem === null
        ? result.value
        : {
            ...result.value,
            notVerified: [...result.value.notVerified, `events were not kept: ${problem}`],
          };
    if (options.out === undefined) await prepareOwnFolder(home.tree);
    const written = await writeRecord(path, record);
    if (!written.ok) printMessage(`${written.error.message}\n`);
    const shown = relative(process.cwd(), path);
    await report(record, options, home.cwd, shown === '' ? '.' : shown);
    return record.exitCode;
  } finally {
    await leaveStateFolders(project.tree);
    await lock.value.release();
    interrupts.release();
  }
}

/** A display that fails must not cost the run its tree: it is simply switched off. */
function broadcast(write: (event: RunEvent) => void, display: Display): (event: RunEvent) => void {
  let shows = true;
  return (event) => {
    write(event);
    if (!shows) return;
    try {
      display.emit(event);
    } catch {
      shows = false;
    }
  };
}

function unusedLanes({ project, mutations, usedLanes }: WorkOrder): readonly string[] {
  const used = new Set([
    ...mutations.flatMap(({ spec }) => [spec.lane, ...spec.controls.map(({ lane }) => lane)]),
    ...(usedLanes ?? []),
  ]);
  return project.config.lanes.map(({ name }) => name).filter((name) => !used.has(name));
}

async function report(
  record: RunRecord,
  options: CarryOutOptions,
  cwd: string,
  recordPath: string,
): Promise<void> {
  const terminal = {
    ...stdoutLook(options.color),
    verbose: options.verbose,
    quiet: options.quiet,
    recordPath,
  };
  for (const { format, path } of options.reports) {
    if (path === null) continue;
    const plain = { ...terminal, colour: false };
    const text = await renderReport(format, record, plain);
    const problem = await writeReport(resolve(cwd, path), text);
    if (problem !== null) printMessage(`Cannot write the report ${path}: ${problem}\n`);
  }
  if (options.json) {
    printResult(await renderReport('json', record, terminal));
    return;
  }
  const inPlace = options.reports.filter(({ path }) => path === null);
  const formats =
    inPlace.length === 0 ? (['terminal'] as const) : inPlace.map((each) => each.format);
  for (const format of formats) printResult(await renderReport(format, record, terminal));
}

/** A report that cannot be written must not cost the verdict: the record holds all of it. */
async function writeReport(path: string, text: string): Promise<string | null> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Reads `--report` options; @throws CommandError for one that is not known. */
export function reportRequests(written: readonly string[]): readonly ReportRequest[] {
  return written.map((option) => {
    const request = parseReportOption(option);
    if (!request.ok) throw new CommandError(request.error);
    return request.value;
  });
}
