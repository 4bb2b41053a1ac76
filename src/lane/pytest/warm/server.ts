/** One warm interpreter: started, asked to fork for each step, and ended. */
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../../result.js';
import {
  superviseProcess,
  type ProcessEnd,
  type SpawnRequest,
  type StartedProcess,
  type Status,
} from '../../process.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from '../../words.js';
import type { LaidOut, RunProcess } from '../step.js';
import { openChannel, openDoor, type Answer, type Channel } from './channel.js';
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
  writeFileSync(path.join(folder, 'serve.json'), serveText(plan));
  const door = await openDoor(folder, 'control', 1);
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
  const life: Life = {
    process,
    kill: () => {
      ending.abort();
      return process;
    },
  };
  const late = AbortSignal.any([plan.signal, AbortSignal.timeout(plan.startMs)]);
  const giveUp = Promise.race([process, aborted(late)]).then(() => null);
  const [socket] = (await Promise.race([door.opened, giveUp])) ?? [];
  door.close();
  if (socket === undefined) return err({ why: silence(await life.kill(), late), by: null });
  const channel = openChannel(socket);
  const first = await Promise.race([channel.next(), giveUp]);
  if (first?.kind === 'ready') return ok(createServer(folder, first.modules, channel, life));
  const end = await life.kill();
  if (first?.kind === 'blocked') return err({ why: first.why, by: first.by });
  return err({ why: silence(end, late), by: null });
}

/** The interpreter itself, not one of its children. */
interface Life {
  readonly process: Promise<ProcessEnd>;
  /** Resolves when nothing of it is left. */
  readonly kill: () => Promise<ProcessEnd>;
}

const serveText = ({ tree, learned, exclude }: ServerPlan): string =>
  JSON.stringify({ ...learned, tree, exclude });

function silence(end: ProcessEnd, late: AbortSignal): string {
  if (late.aborted) return 'it took too long to start';
  const words = lastWords(`${stdoutOf(end)}\n${stderrOf(end)}`);
  return `it ended while it started (${howEnded(end)})${words === null ? '' : `: ${words}`}`;
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });

function createServer(
  folder: string,
  modules: number,
  channel: Channel,
  { process, kill }: Life,
): WarmServer {
  let isGone = false;
  let refused: readonly number[] = [];
  void (async () => {
    await process;
    isGone = true;
  })();

  const lost = async (answer: Answer | null): Promise<Cold> => {
    isGone = true;
    await kill();
    return cold(answer?.kind === 'failed' ? answer.why : 'it is gone');
  };

  const start = async ({ nonce }: Pick<SpawnRequest, 'nonce'>): Promise<StartedProcess | Cold> => {
    const door = await openDoor(folder, 'output', 2);
    channel.send({ nonce });
    const late = aborted(AbortSignal.timeout(FORK_MS));
    const answer = await Promise.race([channel.next(), late]);
    if (answer?.kind !== 'started') {
      door.close();
      if (answer?.kind !== 'refused') return lost(answer);
      refused = answer.targets;
      return cold(answer.why);
    }
    // A child that could not become the step says so in the place of its end.
    const next = channel.next();
    const failed = Promise.race([next, late]);
    const unopened = failed.then(async () => {
      // A short step may have ended before we look: its connections wait to be accepted.
      for (let turn = 0; turn < 2; turn += 1) await nextTurn();
      return null;
    });
    const [stdout, stderr] = (await Promise.race([door.opened, unopened])) ?? [];
    door.close();
    if (stdout === undefined || stderr === undefined) return lost(await failed);
    const onExit: StartedProcess['onExit'] = (settle) => {
      void (async () => {
        const end = await next;
        isGone ||= end?.kind !== 'ended';
        settle(end?.kind === 'ended' ? statusOf(end) : { code: null, signal: 'SIGKILL' });
      })();
    };
    return { pid: answer.pid, stdout, stderr, onExit };
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

type Cold = Extract<ProcessEnd, { kind: 'not-started' }>;

const cold = (message: string): Cold => ({ kind: 'not-started', code: 'COLD', message });

function statusOf({ status, killed }: Extract<Answer, { kind: 'ended' }>): Status {
  return killed ? { code: null, signal: signalName(status) } : { code: status, signal: null };
}

function signalName(number: number): NodeJS.Signals {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return (found?.[0] ?? 'SIGKILL') as NodeJS.Signals;
}
