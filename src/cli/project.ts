import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { shortId } from '../git/short-id.js';
import { topLevel } from '../git/tree.js';
import { loadConfig } from '../spec/config.js';
import { renderDiagnostics } from '../spec/diagnostic.js';
import type { SpecRequest } from '../spec/load.js';
import type { Config, Diagnostic } from '../spec/model.js';
import { findProject, findProjectOf } from '../spec/project.js';
import { findTree } from '../workspace/tree.js';
import { CommandError } from './exit.js';
import { requireTemporaryFolder } from './temporary.js';
import { stderrLook } from './look.js';

/** Where a command works. */
export interface OpenedProject {
  /** Absolute folder that the command was started in, or that `-C` names. */
  readonly cwd: string;
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  readonly root: string;
  readonly config: Config;
}

export interface PlaceOptions {
  readonly directory?: string | undefined;
  readonly config?: string | undefined;
  readonly color?: boolean | undefined;
}

/**
 * @param file whose project is meant, absolute; without it, the folder's
 * @throws CommandError where the folder, its configuration or TMPDIR is not usable
 */
export async function openProject(options: PlaceOptions, file?: string): Promise<OpenedProject> {
  requireTemporaryFolder();
  const { cwd, tree, root, configFile } = await findPlace(options, file);
  const config = loadConfig({ root, configFile });
  if (!config.ok) throw specError(config.error, { root, cwd }, options);
  return { cwd, tree, root, config: config.value };
}

/** @throws CommandError where `-C` names none */
export function startFolder({ directory }: PlaceOptions): string {
  const cwd = resolve(directory ?? '.');
  if (!existsSync(cwd)) throw new CommandError(`There is no folder ${cwd} (-C).`);
  return cwd;
}

/** Where the project lies, whatever its configuration says. */
export async function findPlace(
  options: PlaceOptions,
  file?: string,
): Promise<Omit<OpenedProject, 'config'> & { readonly configFile: string | null }> {
  const cwd = startFolder(options);
  const found =
    file === undefined || options.config !== undefined
      ? findProject(cwd, options.config)
      : findProjectOf(file);
  if (found.configFile !== null && !existsSync(found.configFile))
    throw new CommandError(`There is no configuration ${found.configFile} (-c).`);
  const top = await topLevel(found.root);
  const { tree, root } = await findTree(found.root, top.ok ? top.value : null);
  return { cwd, tree, root: root === '.' ? tree : join(tree, root), configFile: found.configFile };
}

/**
 * `--python` as lanes take it: a path is meant from where the person stands, a name is looked up
 * in PATH.
 *
 * @throws CommandError for a path at which nothing is
 */
export function interpreterOption(
  written: string | undefined,
  { cwd }: Pick<OpenedProject, 'cwd'>,
): string | null {
  if (written === undefined || !written.includes('/')) return written ?? null;
  const path = resolve(cwd, written);
  if (!existsSync(path)) throw new CommandError(`There is no interpreter ${path} (--python).`);
  return path;
}

/** The specs that a command line names; without names, all of the project. */
export const specRequest = (
  { root, tree, cwd, config }: OpenedProject,
  names: readonly string[] = [],
): SpecRequest => ({
  root,
  tree,
  cwd,
  config,
  arguments: names,
  idOf: (rev) => shortId(tree, rev),
});

/** Every fault of what a person wrote, as one message; names as they open from where they stand. */
export function specError(
  faults: readonly Diagnostic[],
  { root, cwd }: Pick<OpenedProject, 'root' | 'cwd'>,
  options: PlaceOptions,
): CommandError {
  return new CommandError(renderFaults(faults, { root, cwd }, options).trimEnd());
}

export function renderFaults(
  faults: readonly Diagnostic[],
  { root, cwd }: Pick<OpenedProject, 'root' | 'cwd'>,
  options: PlaceOptions,
): string {
  const { colour, width } = stderrLook(options.color);
  return renderDiagnostics(faults, {
    colour,
    width,
    nameOf: (file) => relative(cwd, resolve(root, file)) || file,
  });
}
