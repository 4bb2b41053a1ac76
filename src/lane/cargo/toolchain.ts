/** Which cargo and rustc a lane is built with. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { err, ok, type Result } from '../../result.js';
import type { LaneProblem } from '../lane.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { howEnded, oneLine, stderrOf, stdoutOf } from '../words.js';

export interface Toolchain {
  readonly cargo: readonly [string, ...string[]];
  readonly rustc: readonly [string, ...string[]];
  /** Absolute path of the cargo that is started; rustup's stands in for that of its toolchains. */
  readonly tool: string;
  /** `1.95.0`, `1.95.0-nightly`. */
  readonly versions: { readonly cargo: string; readonly rustc: string };
  /** The target triple of this machine, as rustc tells it. */
  readonly host: string;
  /** Where the choice came from. */
  readonly from: string;
}

export interface ToolchainRequest {
  /** As `cargo +NAME` takes it; null: whatever rustup or PATH gives. */
  readonly toolchain: string | null;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

const LIMIT_MS = 60_000;
/** rustup installs a toolchain that a project names and that is not there. */
const INSTALL_LIMIT_MS = 10 * 60_000;

export async function findToolchain(
  request: ToolchainRequest,
): Promise<Result<Toolchain, LaneProblem>> {
  const { toolchain, env, cwd } = request;
  const tool = inPath('cargo', env);
  if (tool === null) {
    return err({
      message: 'there is no `cargo` in PATH',
      hint: 'Install Rust with rustup, or put the folder of cargo in PATH.',
    });
  }
  const plus = toolchain === null ? [] : [`+${toolchain}`];
  const cargo = ['cargo', ...plus] as const;
  const named = env['RUSTC'];
  const rustc =
    named === undefined || named === '' ? (['rustc', ...plus] as const) : ([named] as const);
  const cargoSays = await ask([...cargo, '--version'], request);
  if (!cargoSays.ok) return problem(cargo, cargoSays.error, toolchain);
  const rustcSays = await ask([...rustc, '-vV'], request);
  if (!rustcSays.ok) return problem(rustc, rustcSays.error, toolchain);
  return ok({
    cargo,
    rustc,
    tool,
    versions: {
      cargo: /^cargo (?<version>\S+)/.exec(cargoSays.value)?.groups?.['version'] ?? '?',
      rustc: field(rustcSays.value, 'release') ?? '?',
    },
    host: field(rustcSays.value, 'host') ?? '',
    from:
      toolchain === null ? (toolchainFile(cwd) ?? '`cargo` in PATH') : '`toolchain` of the lane',
  });
}

function problem(
  command: readonly string[],
  why: string,
  toolchain: string | null,
): Result<never, LaneProblem> {
  return err({
    message: `\`${command.join(' ')}\` cannot be used: ${why}`,
    hint:
      toolchain === null
        ? null
        : `\`toolchain\` needs the cargo of rustup, with ${toolchain} installed: rustup toolchain install ${toolchain}`,
  });
}

async function ask(
  command: readonly [string, ...string[]],
  { toolchain, cwd, env, signal, runProcess, createNonce }: ToolchainRequest,
): Promise<Result<string, string>> {
  const isNamed = toolchain !== null || toolchainFile(cwd) !== null;
  const end = await runProcess({
    command,
    cwd,
    env,
    stdin: null,
    limits: {
      timeMs: isNamed ? INSTALL_LIMIT_MS : LIMIT_MS,
      memoryBytes: null,
      outputBytes: 64 * 1024,
    },
    nonce: createNonce(),
    signal,
  });
  if (end.kind === 'not-started') return err(end.message);
  if (end.kind === 'exited' && end.code === 0) return ok(stdoutOf(end));
  const words = stderrOf(end)
    .split('\n')
    .map(oneLine)
    .find((line) => line !== '');
  return err(words?.replace(/^error: /, '') ?? howEnded(end));
}

const field = (text: string, name: string): string | null =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
    .trim() ?? null;

/** rustup reads it; without rustup it does nothing. */
function toolchainFile(cwd: string): string | null {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    for (const name of ['rust-toolchain', 'rust-toolchain.toml'])
      if (existsSync(path.join(folder, name))) return name;
    if (folder === path.dirname(folder)) return null;
  }
}

function inPath(name: string, env: Readonly<Record<string, string>>): string | null {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this one.
    }
  }
  return null;
}
