/** One warm interpreter: started, asked to fork for each step, and ended. */
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../../result.js';
import {
  superviseProcess,
  type ProcessEnd,
  type SpawnRequest,
  type StartedProcess,
} from '../../process.js';
import { lastWords } from '../breakage.js';
import { howEnded } from '../ending.js';
import { outputText } from '../log.js';
import type { LaidOut, RunProcess } from '../step.js';
import { openChannel, openDoor, type Answer, type Channel, type Door } from './channel.js';
import type { Learned } from './learned.js';

export interface WarmServer {
  /** Modules that it holds before it forks. */
  readonly modules: number;
  /**
   * Forks for one step. `not-started` with `code: 'COLD'` where this step has to be cold; then
   * nothing was run.
   */
  readonly runProcess: RunProcess;
  /** Places in the plan of the targets for which the last step was refused. */
  refused(): readonly number[];
  /** Whether it has gone, so that how its last child ended is not known. */
  isGone(): boolean;
  close(): Promise<void>;
}

/** Why there is none. */
export interface Blocked {
  readonly why: string;
  /** The package without which there may be one; null: there cannot. */
  readonly by: string | null;
}

export interface ServerPlan {
  readonly tree: string;
  readonly cwd: string;
  /** A step that is laid out, whose command and environment are those of all to come. */
  readonly laidOut: LaidOut;
  readonly learned: Learned;
  /** Packages that are left to each child. */
  readonly exclude: readonly string[];
  readonly startMs: number;
  readonly signal: AbortSignal;
  /** Starts the interpreter itself. */
  readonly runProcess: RunProcess;
}

/** What the interpreter writes before it forks is of use only where it does not come that far. */
const OUTPUT_BYTES = 64 * 1024;
/** From an order to the child's first sign of life; it has nothing to do but to fork. */
const FORK_MS = 30_000;
/** Between the end of its orders and the end of the interpreter. */
const END_MS = 2_000;

export async function startServer(plan: ServerPlan): Promise<Result<WarmServer, Blocked>> {
  const { folder } = plan.laidOut.plan;
  await writeFile(path.join(folder, 'serve.json'), serveText(plan));
  const door = await openDoor(folder, 'control');
  const ending = new AbortController();
  const process = plan.runProcess({
    command: plan.laidOut.command,
    cwd: plan.cwd,
    env: plan.laidOut.env,
    stdin: null,
    limits: { timeMs: Number.MAX_SAFE_INTEGER, memoryBytes: null, outputBytes: OUTPUT_BYTES },
    nonce: plan.laidOut.nonce,
    signal: ending.signal,
  });
  const kill = async (): Promise<ProcessEnd> => {
    ending.abort();
    return process;
  };
  const gone = process.then(() => null);
  const late = AbortSignal.any([plan.signal, AbortSignal.timeout(plan.startMs)]);
  const socket = await Promise.race([door.opened, gone, aborted(late)]);
  door.close();
  if (socket === null) return err({ why: silence(await kill(), late), by: null });
  const channel = openChannel(socket);
  const first = await Promise.race([channel.next(), gone, aborted(late)]);
  if (first?.kind === 'ready') return ok(createServer(plan, first.modules, channel, process, kill));
  const end = await kill();
  if (first?.kind === 'blocked') return err({ why: first.why, by: first.by });
  return err({ why: silence(end, late), by: null });
}

const serveText = ({ tree, learned, exclude }: ServerPlan): string =>
  JSON.stringify({ ...learned, tree, exclude });

function silence(end: ProcessEnd, late: AbortSignal): string {
  if (late.aborted) return 'it took too long to start';
  const words =
    end.kind === 'not-started'
      ? end.message
      : lastWords(`${outputText(end.stdout)}\n${outputText(end.stderr)}`);
  return `it ended while it started (${howEnded(end)})${words === null ? '' : `: ${words}`}`;
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });

function createServer(
  plan: ServerPlan,
  modules: number,
  channel: Channel,
  process: Promise<ProcessEnd>,
  kill: () => Promise<ProcessEnd>,
): WarmServer {
  const { folder } = plan.laidOut.plan;
  let isGone = false;
  let refused: readonly number[] = [];
  void process.then(() => {
    isGone = true;
  });
  const cold = (message: string) => ({ kind: 'not-started', code: 'COLD', message }) as const;
  const lost = async (answer: Answer | null): Promise<ReturnType<typeof cold>> => {
    isGone = true;
    await kill();
    return cold(answer?.kind === 'failed' ? answer.why : 'it is gone');
  };

  const start = async (
    request: Omit<SpawnRequest, 'stdin'>,
  ): Promise<StartedProcess | ReturnType<typeof cold>> => {
    const doors: readonly [Door, Door] = [
      await openDoor(folder, 'stdout'),
      await openDoor(folder, 'stderr'),
    ];
    const close = (): void => {
      for (const door of doors) door.close();
    };
    channel.send({ nonce: request.nonce });
    const late = AbortSignal.timeout(FORK_MS);
    const answer = await Promise.race([channel.next(), aborted(late)]);
    if (answer?.kind === 'refused') {
      close();
      refused = answer.targets;
      return cold(answer.why);
    }
    if (answer?.kind !== 'started') {
      close();
      return lost(answer);
    }
    // A child that could not become the step says so in the place of its end.
    const next = channel.next();
    const sockets = await Promise.race([
      Promise.all([doors[0].opened, doors[1].opened]),
      next.then(() => null),
      aborted(late),
    ]);
    close();
    if (sockets === null) return lost(await Promise.race([next, aborted(late)]));
    const [stdout, stderr] = sockets;
    return {
      pid: answer.pid,
      stdout,
      stderr,
      onExit: (settle) => {
        void next.then((end) => {
          if (end?.kind !== 'ended') {
            isGone = true;
            settle({ code: null, signal: 'SIGKILL' });
          } else if (end.killed) settle({ code: null, signal: signalName(end.status) });
          else settle({ code: end.status, signal: null });
        });
      },
    };
  };

  return {
    modules,
    refused: () => refused,
    isGone: () => isGone,
    runProcess: (request) => {
      refused = [];
      return superviseProcess(request, () => start(request));
    },
    async close() {
      channel.end();
      const over = new AbortController();
      await Promise.race([process, delay(END_MS, undefined, { signal: over.signal })]);
      over.abort();
      await kill();
    },
  };
}

function signalName(number: number): NodeJS.Signals {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return (found?.[0] ?? 'SIGKILL') as NodeJS.Signals;
}
