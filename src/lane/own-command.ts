/** The lane's `build` and `prepare`: commands of the project's that make it ready for its tests. */
import { stripVTControlCharacters } from 'node:util';
import { unreachable } from '../result.js';
import type { Limits } from '../spec/model.js';
import { outputBytes, type ProcessEnd, type SpawnRequest } from './process.js';

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
  const words = lastLine(end);
  return `${howEnded(end)}${words === null ? '' : `: ${words}`}`;
}

/** How a process ended that should have succeeded, in one phrase. */
export function howEnded(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${String(end.code)}`;
    case 'signalled':
      return end.signal;
    case 'timeout':
      return `ended after ${String(Math.round(end.limitMs / 1000))} s`;
    case 'out-of-memory':
      return 'out of memory';
    case 'stopped':
      return `stopped: ${end.why}`;
    case 'cancelled':
      return 'interrupted';
    case 'not-started':
      return `could not be started: ${end.message}`;
    default:
      return unreachable(end);
  }
}

/** The last line that says anything, of both streams. */
function lastLine(end: Exclude<ProcessEnd, { readonly kind: 'not-started' }>): string | null {
  const text = Buffer.concat([outputBytes(end.stdout), Buffer.from('\n'), outputBytes(end.stderr)]);
  const lines = text.toString('utf8').split('\n');
  return lines.map(oneLine).findLast((line) => line !== '') ?? null;
}

/** One line of at most 500 characters, without control characters and colour codes. */
export function oneLine(text: string): string {
  const plain = stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
  // A pair that the cut would split goes whole.
  return plain
    .trim()
    .slice(0, 500)
    .replace(/[\uD800-\uDBFF]$/, '');
}
