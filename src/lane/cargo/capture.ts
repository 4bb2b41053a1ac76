/** Writes down how `cargo test` would start each test executable, without starting one. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Result } from '../../result.js';
import type { LaneProblem } from '../lane.js';
import type { Processes } from './attempt.js';
import { cargoWords } from './cargo-words.js';
import { targetVariable } from './configuration.js';
import { configuredRunner } from './configured-runner.js';
import type { Launch } from './model.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from '../words.js';

export interface CaptureRequest extends Processes {
  /**
   * `cargo test` with all that selects, builds and configures the lane; neither `--no-run`, nor
   * `--doc`, nor a `--` with what follows it.
   */
  readonly command: readonly [string, ...string[]];
  /** Absolute: where cargo looks for its configuration from. */
  readonly cwd: string;
  /** Of the build: target folder, CARGO_INCREMENTAL and RUSTFLAGS as in it, or it builds anew. */
  readonly env: Readonly<Record<string, string>>;
  /** The target triple that the lane builds for: `x86_64-unknown-linux-gnu`. */
  readonly triple: string;
  /** What starts the lane's rustc, asked for `--print cfg` where a runner hangs on a cfg. */
  readonly rustc: readonly [string, ...string[]];
  /** An existing private folder. */
  readonly scratch: string;
  readonly timeMs: number;
  readonly signal: AbortSignal;
}

export interface Capture {
  /** By absolute path of the executable, in the order in which cargo starts them. */
  readonly launches: ReadonlyMap<string, Launch>;
  /** Variables that had to be left out, a runner that could not be known. */
  readonly notes: readonly string[];
}

const SHIM = 'COUNTERPROOF_SHIM';
const FOLDER = 'COUNTERPROOF_CAPTURE';

/**
 * Arguments, environment and folder, each to a file of its own, as bytes. The environment is the
 * one that the shell was started with: dash and bash change PWD, OLDPWD, SHLVL and `_` in theirs.
 */
const SCRIPT = `f="$${FOLDER}/$$"
printf '%s\\0' "$@" >"$f.args" &&
{ cat "/proc/$$/environ" 2>/dev/null || env -0; } >"$f.env" &&
pwd -P >"$f.cwd"`;

/**
 * Cargo splits the variable at white space, whatever stands around it, so a path in it could
 * hold no space. Here it is three words without one, and the script travels by itself.
 */
const RUNNER = `sh -c eval\${IFS}"$${SHIM}" shim`;

/**
 * Runs `cargo test` with a runner that notes arguments, folder and environment and starts nothing.
 * A runner that the project configured for the target is found and kept as `wrapper`.
 */
export async function captureLaunches(
  request: CaptureRequest,
): Promise<Result<Capture, LaneProblem>> {
  const { command, cwd, env, triple } = request;
  const runner = await configuredRunner({
    cwd,
    env,
    triple,
    command,
    cfgs: () => printCfg(request),
  });
  if (!runner.ok) {
    const message = `it cannot be known with which runner cargo starts the tests: ${runner.error.why}`;
    const hint = `set it in .cargo/config.toml as target.${triple}.runner`;
    return err({ message, hint });
  }
  const folder = await mkdtemp(path.join(request.scratch, 'capture-'));
  try {
    const variable = targetVariable(triple, 'RUNNER');
    const end = await request.runProcess({
      // Where cargo applies no runner (a host tool under --target), nothing more than this runs.
      command: [...command, '--', '--list'],
      cwd,
      env: { ...env, [variable]: RUNNER, [SHIM]: SCRIPT, [FOLDER]: folder },
      stdin: null,
      limits: { timeMs: request.timeMs, memoryBytes: null, outputBytes: 256 * 1024 },
      nonce: request.createNonce(),
      signal: request.signal,
    });
    if (end.kind !== 'exited' || end.code !== 0) {
      const words = cargoWords(stderrOf(end)) ?? lastWords(stdoutOf(end));
      const said = words === null ? '' : `: ${words}`;
      return err({
        message: `cargo does not say how it starts the tests (${howEnded(end)})${said}`,
        hint: null,
      });
    }
    const added = new Set([
      SHIM,
      FOLDER,
      'COUNTERPROOF_RUN',
      ...(variable in env ? [] : [variable]),
    ]);
    const restored = { [variable]: env[variable] };
    const notes = new Set(runner.value.notes);
    const launches = new Map<string, Launch>();
    for (const noted of await readNotes(folder)) {
      const { variables, odd } = readEnvironment(noted.env, added);
      for (const name of odd) {
        notes.add(`the variable ${name} is not UTF-8: the tests run without it`);
      }
      for (const [name, value] of Object.entries(restored)) {
        if (value !== undefined) variables[name] = value;
      }
      const [executable = ''] = noted.args.toString('utf8').split('\0');
      launches.set(executable, {
        executable,
        wrapper: runner.value.words,
        cwd: noted.cwd.toString('utf8').replace(/\n$/, ''),
        env: variables,
      });
    }
    return ok({ launches, notes: [...notes] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function printCfg(request: CaptureRequest): Promise<ReadonlySet<string> | null> {
  const { rustc, triple, cwd, env } = request;
  const end = await request.runProcess({
    command: [...rustc, '--print', 'cfg', '--target', triple],
    cwd,
    env,
    stdin: null,
    limits: { timeMs: request.timeMs, memoryBytes: null, outputBytes: 256 * 1024 },
    nonce: request.createNonce(),
    signal: request.signal,
  });
  if (end.kind !== 'exited' || end.code !== 0) return null;
  return new Set(
    stdoutOf(end)
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  );
}

interface Noted {
  readonly args: Buffer;
  readonly env: Buffer;
  readonly cwd: Buffer;
}

/** In the order in which cargo started them: by the time of the last file, then by process. */
async function readNotes(folder: string): Promise<readonly Noted[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.cwd'));
  const notes = await Promise.all(
    names.map(async (name) => {
      const read = (ending: string): Promise<Buffer> =>
        readFile(path.join(folder, name.replace(/cwd$/, ending)));
      const { mtimeNs } = await stat(path.join(folder, name), { bigint: true });
      const place = { at: mtimeNs, process: Number.parseInt(name, 10) };
      return { args: await read('args'), env: await read('env'), cwd: await read('cwd'), place };
    }),
  );
  return notes.toSorted(({ place: a }, { place: b }) =>
    a.at === b.at ? a.process - b.process : Number(a.at - b.at),
  );
}

/** Node takes and gives variables as text, so one that is no text cannot be handed on. */
function readEnvironment(
  bytes: Buffer,
  without: ReadonlySet<string>,
): { readonly variables: Record<string, string>; readonly odd: readonly string[] } {
  const variables: Record<string, string> = {};
  const odd: string[] = [];
  for (const entry of splitAtNul(bytes)) {
    const text = entry.toString('utf8');
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(equals, 0));
    if (name === '' || without.has(name)) continue;
    if (Buffer.from(text, 'utf8').equals(entry)) variables[name] = text.slice(equals + 1);
    else odd.push(name);
  }
  return { variables, odd };
}

function splitAtNul(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    parts.push(bytes.subarray(at, end === -1 ? bytes.length : end));
    at = end === -1 ? bytes.length : end + 1;
  }
  return parts;
}
