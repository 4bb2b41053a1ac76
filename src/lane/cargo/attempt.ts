/** One start of one test executable: its verdicts as they come, and who was running when it ended. */
import { open, type FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout } from 'node:timers/promises';
import { append } from '../../lists.js';
import { err, ok, type Result } from '../../result.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { followFlight } from './flight.js';
import { readLogfile, type LogVerdict } from './logfile.js';
import { commandOf } from './launching.js';
import type { Launch } from './model.js';
import { testEnvironment, threadsOf } from './test-environment.js';

export interface Processes {
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

export interface AttemptRequest {
  readonly launch: Launch;
  /** All names that the executable lists. */
  readonly names: ReadonlySet<string>;
  /** What this start runs, in order. */
  readonly runs: readonly string[];
  readonly words: readonly string[];
  /** null: see `threadsOf`. */
  readonly threads: number | null;
  /** Not yet existing. */
  readonly logfile: string;
  readonly scratch: string;
  readonly limits: {
    readonly timeMs: number;
    readonly testMs: number;
    readonly memoryBytes: number;
    readonly outputBytes: number;
  };
  readonly signal: AbortSignal;
  readonly onStarted: (name: string) => void;
  readonly onFinished: (verdict: LogVerdict) => void;
}

export interface Verdict extends LogVerdict {
  readonly durationMs: number;
}

export interface Attempt {
  readonly command: readonly string[];
  readonly end: ProcessEnd;
  /** Ended by us because it ran too long; null: no test did. */
  readonly overtime: string | null;
  /** Every test that ended; one with two verdicts that differ is left out. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Begun and without a verdict, the longest running first. */
  readonly inFlight: readonly string[];
}

const LOOK_EVERY_MS = 25;
/** After the last test an executable has only its exit handlers left. */
const EXIT_GRACE_MS = 5_000;
const CHUNK = 1 << 16;

export async function attempt(
  request: AttemptRequest,
  { runProcess, createNonce }: Processes,
): Promise<Attempt> {
  const { launch, runs, limits } = request;
  const env = testEnvironment(launch.env, request.scratch);
  const threads = request.threads ?? threadsOf(env);
  const command = commandOf(launch, [
    `--logfile=${request.logfile}`,
    `--test-threads=${String(threads)}`,
    ...request.words,
  ]);
  const log = await followLog(request.logfile, request.names);
  const flight = followFlight(runs, threads, performance.now());
  const verdicts = new Map<string, Verdict>();
  const torn = new Set<string>();
  let overtime: string | null = null;
  let done: number | null = null;
  let stopped: string | null = null;
  let isUnwatched = false;
  let stop: ((why: string) => void) | null = null;

  const look = async (): Promise<void> => {
    const fresh = await log.read();
    const now = performance.now();
    const announce = (): void => {
      for (const name of flight.begun()) request.onStarted(name);
    };
    announce();
    for (const verdict of fresh) {
      const durationMs = flight.finish(verdict.name, now);
      const known = verdicts.get(verdict.name);
      if (known === undefined) {
        verdicts.set(verdict.name, { ...verdict, durationMs });
        request.onFinished(verdict);
        announce();
      } else if (known.outcome !== verdict.outcome) {
        torn.add(verdict.name);
      }
    }
    const [longest] = flight.running();
    if (longest === undefined) done ??= now;
    if (longest !== undefined && now - longest.since > limits.testMs) {
      overtime ??= longest.name;
      stop?.('test-limit');
    } else if (done !== null && now - done > EXIT_GRACE_MS) {
      stop?.('exit-grace');
    }
  };
  const over = new AbortController();
  const looking = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await look();
      await setTimeout(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  // Met below, when the executable has ended: nobody waits for it until then. One that nobody
  // watches any more has no limit for its tests either.
  const watched = settled(looking()).then((result) => {
    isUnwatched = !result.ok;
    if (isUnwatched) stop?.('unwatched');
    return result;
  });
  let end: ProcessEnd;
  try {
    end = await runProcess({
      command,
      cwd: launch.cwd,
      env,
      stdin: null,
      limits: { ...limits, timeMs: Math.max(1, limits.timeMs) },
      nonce: createNonce(),
      signal: request.signal,
      onStart: (control) => {
        ({ stop } = control);
        if (isUnwatched) stop('unwatched');
      },
    });
    over.abort();
    const result = await watched;
    if (!result.ok) throw result.error;
    stop = null;
    // What it wrote between the last look and its end.
    stopped = overtime;
    await look();
  } finally {
    stop = null;
    over.abort();
    await watched;
    await log.close();
  }
  for (const name of torn) verdicts.delete(name);
  return {
    command,
    end,
    overtime: end.kind === 'stopped' ? stopped : null,
    verdicts,
    inFlight: flight.running().map(({ name }) => name),
  };
}

const settled = (work: Promise<void>): Promise<Result<void, unknown>> =>
  work.then(
    () => ok(undefined),
    (error: unknown) => err(error),
  );

interface LogFollower {
  readonly read: () => Promise<readonly LogVerdict[]>;
  readonly close: () => Promise<void>;
}

/** Opened before the executable is, so that it is read to its end even where a test deletes it by name. */
async function followLog(file: string, names: ReadonlySet<string>): Promise<LogFollower> {
  const handle: FileHandle = await open(file, 'w+');
  const reader = readLogfile(names);
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(CHUNK);
  let position = 0;
  return {
    async read() {
      const found: LogVerdict[] = [];
      // Emptied by a test that starts its own executable: what follows is read from the start.
      if ((await handle.stat()).size < position) position = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
        if (bytesRead === 0) return found;
        position += bytesRead;
        append(found, reader.push(decoder.write(buffer.subarray(0, bytesRead))));
      }
    },
    close: () => handle.close(),
  };
}
