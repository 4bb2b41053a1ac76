/** All specs that a run is about, checked one by one and against each other. */
import { err, ok, type Result } from '../result.js';
import {
  byPath,
  defaultSpecs,
  realPath,
  resolveArguments,
  type SpecArgument,
} from './arguments.js';
import { crossFileFaults, type LoadedFile, unknownIds } from './cross-check.js';
import type { Config, Diagnostic, MutationSpec } from './model.js';
import { nameFrom } from './project.js';
import { readSource } from './read-text.js';
import { sortDiagnostics } from './source.js';
import { readSpecFile } from './spec-file.js';

export interface SpecRequest {
  /** Absolute folder of the project. */
  readonly root: string;
  readonly config: Config;
  /** `[SPEC[::ID]]…`: files, folders or patterns; none stands for everything under `mutations/`. */
  readonly arguments: readonly string[];
  /** What the arguments are relative to; the process's own folder, if not given. */
  readonly cwd?: string;
  /** Git top level, which no path may leave; the root, if not given. */
  readonly tree?: string;
  /** The short id of the commit that a revision names now; null: it names none. Only for hints. */
  readonly idOf?: (rev: string) => string | null;
}

export interface SpecFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** Mutations that the file declares, selected or not. */
  readonly declared: number;
}

export interface LoadedSpecs {
  /** What the arguments select: file by file in the order of their paths, then as written. */
  readonly mutations: readonly MutationSpec[];
  /**
   * Liveness mutations that the arguments leave out, those of other specs of the project
   * included: a lane's liveness belongs to every selection of it.
   */
  readonly liveness: readonly MutationSpec[];
  /** The files that the arguments name. */
  readonly files: readonly SpecFile[];
  /** Faults of specs that were only looked at for their liveness mutations: not in the way. */
  readonly warnings: readonly Diagnostic[];
}

/** Loads specs. The error holds every fault of every file, none of which may be run. */
export async function loadSpecs(
  request: SpecRequest,
): Promise<Result<LoadedSpecs, readonly Diagnostic[]>> {
  const { root } = request;
  const context = { root, cwd: request.cwd ?? process.cwd(), arguments: request.arguments };
  const everything = await defaultSpecs(root);
  const { found, faults } = await resolveArguments(context);
  const isWhole = request.arguments.length === 0;
  const chosen = loadFiles(request, isWhole ? everything : found.flatMap(({ files }) => files));
  const all = [
    ...faults,
    ...chosen.flatMap((file) => file.faults),
    ...crossFileFaults(chosen),
    ...unknownIds(context.arguments, found, chosen),
  ];
  if (all.length > 0) return err(sortDiagnostics(all));

  const declared = chosen.flatMap((file) => file.mutations);
  const mutations = isWhole ? declared : selected(chosen, found);
  const known = new Set(chosen.map((file) => file.key));
  const others = isWhole ? [] : loadFiles(request, everything).filter(({ key }) => !known.has(key));
  return ok({
    mutations,
    liveness: livenessBeside(mutations, declared, others),
    files: chosen.map((file) => ({ path: file.path, declared: file.mutations.length })),
    warnings: others.flatMap((file) => file.faults),
  });
}

/** Each file once, however many names lead to it, in the order of the paths. */
function loadFiles(request: SpecRequest, paths: readonly string[]): readonly LoadedFile[] {
  const files = new Map<string, LoadedFile>();
  for (const path of paths) {
    const key = realPath(path);
    if (!files.has(key)) files.set(key, loadFile(request, path, key));
  }
  return [...files.values()].toSorted((a, b) => byPath(a.path, b.path));
}

function loadFile(request: SpecRequest, path: string, key: string): LoadedFile {
  const name = nameFrom(request.root, path);
  const source = readSource(path, name);
  if (!source.ok) return { key, path: name, mutations: [], faults: source.error, source: null };
  const bounds = { root: request.root, tree: request.tree ?? request.root };
  const { config, idOf } = request;
  const context = { bounds, config, ...(idOf === undefined ? {} : { idOf }) };
  const { mutations, faults } = readSpecFile(source.value, context);
  return { key, path: name, mutations, faults, source: source.value };
}

function selected(
  files: readonly LoadedFile[],
  found: readonly SpecArgument[],
): readonly MutationSpec[] {
  const wanted = found.map(({ files: paths, id }) => ({ keys: new Set(paths.map(realPath)), id }));
  return files.flatMap((file) =>
    file.mutations.filter((mutation) =>
      wanted.some(({ keys, id }) => keys.has(file.key) && (id === null || id === mutation.id)),
    ),
  );
}

function livenessBeside(
  mutations: readonly MutationSpec[],
  declared: readonly MutationSpec[],
  others: readonly LoadedFile[],
): readonly MutationSpec[] {
  const taken = new Set(mutations);
  const ids = new Set(declared.map(({ id }) => id));
  const elsewhere = others
    .filter((file) => file.faults.length === 0)
    .flatMap((file) => file.mutations);
  const liveness: MutationSpec[] = [];
  for (const mutation of [...declared, ...elsewhere]) {
    if (mutation.role !== 'liveness' || taken.has(mutation)) continue;
    // An id that is used twice in the project is a fault only of a run over both files.
    if (!declared.includes(mutation) && ids.has(mutation.id)) continue;
    ids.add(mutation.id);
    liveness.push(mutation);
  }
  return liveness;
}
