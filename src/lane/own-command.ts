/** The lane's `build` and `prepare`: commands of the project's that make it ready for its tests. */
import type { Limits } from '../spec/model.js';
import type { ProcessEnd, SpawnRequest } from './process.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from './words.js';

export interface OwnCommand {
  /** A string goes through `sh -c`. */
  readonly given: string | readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stepMs: Limits['stepMs'];
  readonly signal: AbortSignal;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

/** A build or a preparation without a limit of its own. */
const LIMIT_MS = 10 * 60_000;
const OUTPUT_BYTES = 256 * 1024;

/** @returns why it failed, with its last words; null: it succeeded */
export async function runOwnCommand(command: OwnCommand): Promise<string | null> {
  const { given, cwd, env, stepMs, signal, runProcess, createNonce } = command;
  const [first, ...rest] = typeof given === 'string' ? ['sh', '-c', given] : given;
  if (first === undefined) return null;
  const nonce = createNonce();
  const end = await runProcess({
    command: [first, ...rest],
    cwd,
    env,
    stdin: null,
    limits: {
      timeMs: stepMs === 'auto' ? LIMIT_MS : stepMs,
      memoryBytes: null,
      outputBytes: OUTPUT_BYTES,
    },
    nonce,
    signal,
  });
  if (end.kind === 'exited' && end.code === 0) return null;
  if (end.kind === 'not-started') return `could not be started: ${end.message}`;
  const words = lastWords(`${stdoutOf(end)}\n${stderrOf(end)}`);
  return `${howEnded(end)}${words === null ? '' : `: ${words}`}`;
}
