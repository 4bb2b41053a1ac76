/** The lane's `build` and `prepare`: commands of the project's that make it ready for its tests. */
import type { Breakage } from '../proof/evidence.js';
import { err, ok, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import type { LaneProblem, LaneRunner } from './lane.js';
import type { ProcessEnd, SpawnRequest } from './process.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from './words.js';

export interface OwnCommandsInput {
  readonly lane: Pick<LaneConfig, 'name' | 'build' | 'prepare' | 'limits'>;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

/** A build or a preparation without a limit of its own. */
const LIMIT_MS = 10 * 60_000;
const OUTPUT_BYTES = 256 * 1024;

export interface OwnCommands {
  readonly prepare: LaneRunner['prepare'];
  /** After every write. */
  readonly build: (signal: AbortSignal) => Promise<readonly Breakage[]>;
}

export function ownCommands(input: OwnCommandsInput): OwnCommands {
  const { name, build, prepare } = input.lane;
  return {
    async prepare(signal): Promise<Result<void, LaneProblem>> {
      const failure = await run(prepare, signal, input);
      if (failure === null) return ok(undefined);
      return err({ message: `\`prepare\` of lane ${name} failed: ${failure}`, hint: null });
    },
    async build(signal) {
      const failure = await run(build, signal, input);
      if (failure === null) return [];
      return [{ stage: 'build', file: null, line: null, message: `\`build\` failed: ${failure}` }];
    },
  };
}

/**
 * @param given a string goes through `sh -c`; null: there is no such command
 * @returns why it failed, with its last words; null: it succeeded
 */
async function run(
  given: string | readonly string[] | null,
  signal: AbortSignal,
  { lane, cwd, env, runProcess, createNonce }: OwnCommandsInput,
): Promise<string | null> {
  const [first, ...rest] = typeof given === 'string' ? ['sh', '-c', given] : (given ?? []);
  if (first === undefined) return null;
  const { stepMs } = lane.limits;
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
