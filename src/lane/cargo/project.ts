/** What cargo finds in the lane's folder, and what of it the lane selects. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, type TomlTable } from 'smol-toml';
import { err, ok, type Result } from '../../result.js';
import type { CargoLane } from '../../spec/model.js';
import type { LaneProblem } from '../lane.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import { howEnded, oneLine, stderrOf, stdoutOf } from '../words.js';
import { cargoWords } from './cargo-words.js';
import { kindOf } from './ids.js';
import { readMetadata, unnamedPackages, type Package, type Workspace } from './metadata.js';
import { selectTargets, type CargoSelection } from './selection.js';
import { isTable } from './toml.js';

export interface Project {
  readonly workspace: Workspace;
  readonly selection: CargoSelection;
  /** Targets with `harness = false`. */
  readonly unharnessed: ReadonlySet<string>;
}

export interface ProjectRequest {
  readonly lane: CargoLane;
  /** `cargo`, with its toolchain. */
  readonly cargo: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

const METADATA_LIMIT_MS = 60_000;
const METADATA_BYTES = 256 * 1024 * 1024;

/** Compiles nothing and touches no network: dependencies are not resolved. */
export async function loadProject(request: ProjectRequest): Promise<Result<Project, LaneProblem>> {
  const { lane, cargo, cwd, env, signal, runProcess, createNonce } = request;
  const end = await runProcess({
    command: [...cargo, 'metadata', '--no-deps', '--format-version', '1'],
    cwd,
    env,
    stdin: null,
    limits: { timeMs: METADATA_LIMIT_MS, memoryBytes: null, outputBytes: METADATA_BYTES },
    nonce: createNonce(),
    signal,
  });
  if (end.kind === 'not-started') return err({ message: end.message, hint: null });
  const workspace = end.kind === 'exited' && end.code === 0 ? readMetadata(stdoutOf(end)) : null;
  if (workspace === null) {
    const words = cargoWords(stderrOf(end));
    return err({
      message: oneLine(`cargo metadata: ${words ?? `ended with ${howEnded(end)}`}`),
      hint: null,
    });
  }
  const selection = selectTargets(lane, workspace, await unnamed(workspace, cwd));
  if (!selection.ok) return selection;
  // Of all members: the lane's own arguments may take in more than it names.
  const found = await Promise.all(workspace.packages.map(unharnessedOf));
  return ok({ workspace, selection: selection.value, unharnessed: new Set(found.flat()) });
}

async function unnamed(workspace: Workspace, cwd: string): Promise<readonly Package[]> {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'Cargo.toml');
    if ((await readFile(manifest).catch(() => null)) !== null)
      return unnamedPackages(workspace, manifest);
    if (folder === path.dirname(folder)) return [];
  }
}

/** How a target is found again among what was built. */
export const targetKey = (manifest: string, kind: string, name: string): string =>
  `${manifest}\0${kind}\0${name}`;

/** `cargo metadata` does not tell `harness`, so the manifest is asked. */
async function unharnessedOf({ manifest, targets }: Package): Promise<readonly string[]> {
  let table: TomlTable;
  try {
    table = parse(await readFile(manifest, 'utf8'));
  } catch {
    // Cargo has just read it; what has become of it since, the build will say.
    return [];
  }
  return targets.flatMap((target) => {
    const kind = kindOf(target.kind);
    if (kind === null) return [];
    const section = table[kind === 'proc-macro' ? 'lib' : kind];
    const entries = (Array.isArray(section) ? section : [section]).filter(isTable);
    const own = entries.find(({ name, path: file }) =>
      kind === 'lib' || kind === 'proc-macro'
        ? true
        : name === target.name ||
          (typeof file === 'string' &&
            path.resolve(path.dirname(manifest), file) === target.source),
    );
    return own?.['harness'] === false ? [targetKey(manifest, kind, target.name)] : [];
  });
}
