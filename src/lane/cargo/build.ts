/** One build of a lane's test executables, and what cargo said of it. */
import type { Breakage, Ending } from '../../proof/evidence.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { howEnded, oneLine, stderrOf, stdoutOf } from '../words.js';
import { cargoWords } from './cargo-words.js';
import { readMessages, type Artifact, type BuildMessages, type CompileError } from './messages.js';

export interface BuildRequest {
  readonly command: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeMs: number;
  readonly memoryBytes: number | null;
  readonly signal: AbortSignal;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
  /** From a path as rustc was given it to one relative to the root, for people. */
  readonly shown: (file: string) => string;
}

export type Build =
  | {
      readonly kind: 'built';
      readonly artifacts: readonly Artifact[];
      /** What build scripts told cargo: environment, libraries, `cfg`s. Equal: nothing changed. */
      readonly scripts: string;
      /** By package id: the folder in which cargo keeps what a build script said. */
      readonly scriptFolders: ReadonlyMap<string, string>;
      readonly end: ProcessEnd;
    }
  | { readonly kind: 'failed'; readonly ending: Ending; readonly end: ProcessEnd };

/** All that cargo says; messages of a big workspace with its warnings are megabytes. */
const OUTPUT_BYTES = 512 * 1024 * 1024;
const MOST_ERRORS = 5;

/** Never throws: a compiler that refuses the code, and a cargo that refuses the project, are answers. */
export async function runBuild(request: BuildRequest): Promise<Build> {
  const { command, cwd, env, timeMs, memoryBytes, signal, runProcess, createNonce } = request;
  const nonce = createNonce();
  const end = await runProcess({
    command,
    cwd,
    env,
    stdin: null,
    limits: { timeMs, memoryBytes, outputBytes: OUTPUT_BYTES },
    nonce,
    signal,
  });
  const failed = (ending: Ending): Build => ({ kind: 'failed', ending, end });
  if (end.kind === 'not-started') return failed(broken(configure(`cargo ${howEnded(end)}`)));
  if (end.kind === 'cancelled') return failed({ kind: 'cancelled' });
  if (end.kind === 'timeout')
    return failed({ kind: 'timeout', limit: 'step', limitMs: end.limitMs, test: null });
  if (end.kind === 'out-of-memory')
    return failed({ kind: 'out-of-memory', limitBytes: end.limitBytes, test: null });
  const said = readMessages(stdoutOf(end));
  // The exit code says no more: 101 is a refused project as well as a failed test.
  if (said.success === true && end.kind === 'exited' && end.code === 0)
    return { kind: 'built', ...said, end };
  return failed(broken(...causesOf(said, end, request.shown)));
}

export const broken = (...causes: readonly Breakage[]): Ending => ({ kind: 'broken', causes });

/** cargo, or the project as it is laid out, refused to begin. */
export const configure = (message: string): Breakage => ({
  stage: 'configure',
  file: null,
  line: null,
  message: oneLine(message),
});

function causesOf(
  { errors, success }: BuildMessages,
  end: ProcessEnd,
  shown: (file: string) => string,
): readonly Breakage[] {
  if (errors.length > 0) {
    const causes = errors.slice(0, MOST_ERRORS).map((error) => breakageOf(error, shown));
    const more = errors.length - causes.length;
    const rest = { stage: 'build', file: null, line: null, message: `and ${more} more` } as const;
    return more === 0 ? causes : [...causes, rest];
  }
  const words = cargoWords(stderrOf(end));
  const said = words ?? `cargo ended (${howEnded(end)}) and said nothing`;
  if (success === null) return [configure(said)];
  return [{ stage: 'build', file: null, line: null, message: oneLine(said) }];
}

const breakageOf = (
  { file, line, code, message }: CompileError,
  shown: (file: string) => string,
): Breakage => ({
  stage: 'build',
  file: file === null ? null : shown(file),
  line,
  message: oneLine(code === null ? message : `${code}: ${message}`),
});
