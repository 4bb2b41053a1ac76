/** The only module that spawns what a person's project brings: lanes, builds, interpreters. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { collectOutput, type BoundedOutput } from './process/bounded-output.js';
import { drain } from './process/drain.js';
import { controlRun, type Status } from './process/control.js';
import { membersOf } from './process/members.js';
import { watchMemory, type MemorySample } from './process/memory-watch.js';
import { belongsToRun, RUN_VARIABLE } from './process/nonce.js';
import { kernelMemoryKills } from './process/proc.js';
import { rememberStrangers } from './process/strangers.js';
import { explainStartFailure } from './process/start-failure.js';
import { sweep, type LeftoverProcess } from './process/sweep.js';

export type { Status } from './process/control.js';
export { outputBytes, type BoundedOutput } from './process/bounded-output.js';
export { createNonce, runMark, RUN_VARIABLE, treeMark } from './process/nonce.js';
export { killAllGroups } from './process/registry.js';
export { sweepRun, sweepTree, type LeftoverProcess } from './process/sweep.js';

export interface SpawnRequest {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is inherited beside it. COUNTERPROOF_RUN is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Given on standard input, which is then closed; null: standard input is closed at once. */
  readonly stdin: Buffer | null;
  readonly limits: {
    readonly timeMs: number;
    /** Over the process and everything that carries the nonce; null: not watched. */
    readonly memoryBytes: number | null;
    /** Kept of stdout and stderr each: half as head, half as tail. The rest is counted. */
    readonly outputBytes: number;
  };
  /**
   * Value of COUNTERPROOF_RUN, from `createNonce`, unique to this spawn: whatever carries it
   * in its environment after the process ended is a leftover, and is killed.
   */
  readonly nonce: string;
  readonly signal: AbortSignal;
  /** Called once with a function that ends the process group early, as `stopped`. */
  readonly onStart?: (control: {
    readonly pid: number;
    readonly stop: (why: string) => void;
  }) => void;
  /** Called with each look at the memory in use, where that has a limit. */
  readonly onSample?: (sample: MemorySample) => void;
}

interface Ended {
  readonly durationMs: number;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
  /** Processes that outlived the command and were killed. */
  readonly leftovers: readonly LeftoverProcess[];
}

export type ProcessEnd =
  | (Ended & { readonly kind: 'exited'; readonly code: number })
  /** Ended by a signal that was not ours. */
  | (Ended & { readonly kind: 'signalled'; readonly signal: NodeJS.Signals })
  | (Ended & { readonly kind: 'timeout'; readonly limitMs: number })
  | (Ended & {
      readonly kind: 'out-of-memory';
      readonly limitBytes: number;
      readonly peakBytes: number;
    })
  /** Ended by `stop(why)`. */
  | (Ended & { readonly kind: 'stopped'; readonly why: string })
  | (Ended & { readonly kind: 'cancelled' })
  | { readonly kind: 'not-started'; readonly code: string; readonly message: string };

type NotStarted = Extract<ProcessEnd, { kind: 'not-started' }>;

/** A process that has just been started, the leader of a group and session of its own. */
export interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** To be told once, when it has ended. */
  readonly onExit: (settle: (status: Status) => void) => void;
}

/** Longest delay that Node's timers take; a longer limit is none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a command in a process group of its own and returns only facts: never throws, and
 * judges nothing by an exit code. When it returns, nothing that the command started is alive
 * (on Linux; elsewhere nothing of its process group), and a grandchild that holds the pipe
 * delays it by about 0.35 s, or by 2.25 s where it keeps writing.
 *
 * The command is ended by SIGTERM to everything that belongs to it, two seconds of grace, then
 * SIGKILL; at the memory limit by SIGKILL at once.
 */
export const runProcess = (request: SpawnRequest): Promise<ProcessEnd> =>
  superviseProcess(request, () => spawn(request));

/**
 * All that `runProcess` does, over a process that `start` starts: a warm interpreter forks its own.
 *
 * @param start The process carries the request's nonce in its environment as /proc shows it, and
 *   nobody else may reap it before the returned promise is settled.
 */
export async function superviseProcess(
  request: Omit<SpawnRequest, 'stdin'>,
  start: () => Promise<StartedProcess | NotStarted>,
): Promise<ProcessEnd> {
  const stdout = collectOutput(request.limits.outputBytes);
  const stderr = collectOutput(request.limits.outputBytes);
  const outputs = () => ({ stdout: stdout.take(), stderr: stderr.take() });
  if (request.signal.aborted) {
    return { kind: 'cancelled', durationMs: 0, ...outputs(), leftovers: [] };
  }

  const started = performance.now();
  const kernelKills = kernelMemoryKills();
  const strangers = rememberStrangers('everybody');
  const subprocess = await start();
  if ('kind' in subprocess) return subprocess;
  const { pid } = subprocess;
  const reading = drain([
    { stream: subprocess.stdout, push: stdout.push },
    { stream: subprocess.stderr, push: stderr.push },
  ]);
  const members = membersOf(
    { leader: pid, owns: (mark) => belongsToRun(mark, request.nonce) },
    strangers,
  );
  offerToMemoryKiller(pid);
  const run = controlRun(members, subprocess.onExit);

  const cancel = (): void => run.end({ kind: 'cancelled' });
  request.signal.addEventListener('abort', cancel, { once: true });
  // A start that takes its time may be overtaken, and a listener hears of no abort before it.
  if (request.signal.aborted) cancel();
  const { timeMs, memoryBytes } = request.limits;
  const clock = setTimeout(
    () => run.end({ kind: 'timeout' }),
    timeMs > LONGEST_TIMER_MS ? LONGEST_TIMER_MS : timeMs,
  );
  const memory =
    memoryBytes === null
      ? null
      : watchMemory(
          members,
          memoryBytes,
          (bytes) => run.end({ kind: 'out-of-memory', bytes }),
          request.onSample,
        );
  request.onStart?.({ pid, stop: (why) => run.end({ kind: 'stopped', why }) });

  const status = await run.ended;
  const durationMs = performance.now() - started;
  clearTimeout(clock);
  const leftovers = await sweep(members, run.hurry);
  request.signal.removeEventListener('abort', cancel);
  memory?.stop();
  await reading.finish();
  run.forget();

  const ended = { durationMs, ...outputs(), leftovers };
  const cause = run.cause();
  switch (cause?.kind) {
    case 'timeout':
      return { kind: 'timeout', limitMs: timeMs, ...ended };
    case 'out-of-memory':
      return {
        kind: 'out-of-memory',
        limitBytes: memoryBytes ?? cause.bytes,
        peakBytes: Math.max(cause.bytes, memory?.peak() ?? 0),
        ...ended,
      };
    case 'stopped':
      return { kind: 'stopped', why: cause.why, ...ended };
    case 'cancelled':
      return { kind: 'cancelled', ...ended };
    case undefined:
      break;
  }
  if (status.signal === null) return { kind: 'exited', code: status.code ?? 0, ...ended };
  // A kill that is not ours, while much memory was held or the kernel has just killed for want
  // of it, is the kernel's: it strikes before the limit on a machine that has less.
  if (status.signal === 'SIGKILL' && memory !== null && memoryBytes !== null) {
    const killsNow = kernelMemoryKills();
    const kernelKilled = kernelKills !== null && killsNow !== null && killsNow > kernelKills;
    if (kernelKilled || memory.peak() > memoryBytes / 2) {
      return {
        kind: 'out-of-memory',
        limitBytes: memoryBytes,
        peakBytes: memory.peak(),
        ...ended,
      };
    }
  }
  return { kind: 'signalled', signal: status.signal, ...ended };
}

async function spawn(request: SpawnRequest): Promise<StartedProcess | NotStarted> {
  const {
    command: [file, ...args],
    cwd,
    env,
    stdin,
    nonce,
  } = request;
  const subprocess = execa(file, args, {
    cwd,
    env: { ...env, [RUN_VARIABLE]: nonce },
    extendEnv: false,
    detached: true,
    // Ends no detached child, and would hold the exit of this process for the others.
    cleanup: false,
    // Its own buffering and limits wait for the pipe, and kill a child that writes too much.
    buffer: false,
    encoding: 'buffer',
    reject: false,
    stdout: 'pipe',
    stderr: 'pipe',
    ...(stdin === null ? { stdin: 'ignore' as const } : { input: stdin }),
  });
  const { pid, stdout, stderr } = subprocess;
  if (pid === undefined) {
    const { code, originalMessage, message } = await subprocess;
    const detail = originalMessage ?? message ?? 'no reason given';
    return { kind: 'not-started', ...explainStartFailure(request, code ?? 'UNKNOWN', detail) };
  }
  return {
    pid,
    stdout,
    stderr,
    onExit: (settle) => {
      subprocess.once('exit', (code, signal) => {
        subprocess.stdin?.destroy();
        settle({ code, signal });
      });
    },
  };
}

/** Makes the run the kernel's first victim, in place of us, who have a tree to restore. */
function offerToMemoryKiller(pid: number): void {
  const file = `/proc/${pid}/oom_score_adj`;
  const wanted = 900;
  try {
    if (Number(readFileSync(file, 'latin1')) < wanted) writeFileSync(file, String(wanted));
  } catch {
    // No such file outside Linux; and a process that has just ended needs none.
  }
}
