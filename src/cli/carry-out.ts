import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { EngineSettings } from '../engine/context.js';
import type { PlannedMutation } from '../engine/plan.js';
import { recordedRun } from '../engine/recorded-run.js';
import type { Rounds } from '../engine/run.js';
import type { VerdictCode } from '../proof/verdict.js';
import type { RunRecord } from '../record/schema.js';
import { recordPieces } from '../record/store.js';
import { parseReportOption, renderReport, type ReportRequest } from '../report/index.js';
import { createProgress, systemTicker } from '../report/progress/index.js';
import type { LaneConfig } from '../spec/model.js';
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
  /** How the interpreter of `options` was found, where no option named it. */
  readonly interpreterFrom?: string | null;
  /** Where record and reports go, if not to the project that is worked on. */
  readonly recordedIn?: Pick<OpenedProject, 'tree' | 'cwd'>;
  readonly options: CarryOutOptions;
}

/** Locks the tree, proves, writes the record, prints the reports; the exit code is the record's. */
export async function carryOut(order: WorkOrder): Promise<number> {
  const { project, options } = order;
  const home = order.recordedIn ?? project;
  const interrupts = catchSignals();
  try {
    const record = await recordedRun(
      {
        tree: project.tree,
        root: project.root,
        recordedIn: home.tree,
        out: options.out === undefined ? null : resolve(home.cwd, options.out),
        command: order.command,
        version,
        lanes: order.lanes,
        otherLanes: unusedLanes(order),
        mutations: order.mutations,
        settings: order.settings,
        isolation: options.isolation,
        jobs: options.jobs,
        python: options.python,
        allow: options.allow,
        interrupts,
        notVerified: order.notVerified,
        ...(order.rounds === undefined ? {} : { rounds: named(order.rounds, order) }),
      },
      {
        display: () =>
          createProgress({
            stream: progressStream(),
            env: process.env,
            platform: process.platform,
            color: options.color === undefined ? 'auto' : options.color ? 'always' : 'never',
            silent: options.quiet || !options.progress,
            ticker: systemTicker,
          }),
        say: printMessage,
        putBack,
        report: (made, folder) => {
          const shown = folder === null ? null : relative(process.cwd(), folder);
          return report(made, options, home.cwd, shown === '' ? '.' : shown);
        },
      },
    );
    if (!record.ok) throw new CommandError(record.error);
    return record.value.exitCode;
  } finally {
    interrupts.release();
  }
}

/** The interpreter is handed on as an option that nobody gave. */
const named = (rounds: Rounds, { interpreterFrom: from = null }: WorkOrder): Rounds => ({
  ...rounds,
  conclude(record, measured) {
    const made = rounds.conclude(record, measured);
    if (from === null) return made;
    return {
      ...made,
      lanes: made.lanes.map((lane) => (lane.from === '--python' ? { ...lane, from } : lane)),
    };
  },
});

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
  recordPath: string | null,
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
    for (const piece of recordPieces(record)) printResult(piece);
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
