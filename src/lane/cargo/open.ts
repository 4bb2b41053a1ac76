import { existsSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Result } from '../../result.js';
import type { CargoLane } from '../../spec/model.js';
import type { LaneProblem, LaneRunner } from '../lane.js';
import { createNonce, runProcess } from '../process.js';
import { readConfigs, targetsOf } from './configuration.js';
import { buildEnvironment } from './environment.js';
import { createCargoLane } from './lane.js';
import { openLedger } from './ledger.js';
import { lockArguments, openLockfile } from './lockfile.js';
import { lintArguments } from './commands.js';
import { loadProject } from './project.js';
import { emptyTemporary, targetFolder } from './target-folder.js';
import { findToolchain } from './toolchain.js';

export interface CargoPlace {
  /** Absolute. */
  readonly tree: string;
  /** Absolute; in or equal to the tree. */
  readonly root: string;
  readonly lane: CargoLane;
  readonly env: Readonly<Record<string, string>>;
  /** From 0. */
  readonly slot: number;
}

/** Finds cargo, the workspace and what the lane selects of it; builds nothing. */
export async function openCargoLane(place: CargoPlace): Promise<Result<LaneRunner, LaneProblem>> {
  const { lane, env: inherited } = place;
  const tree = realpathSync(place.tree);
  const root = realpathSync(place.root);
  const cwd = path.resolve(root, lane.cwd);
  const processes = { signal: new AbortController().signal, runProcess, createNonce };
  const toolchain = await findToolchain({
    toolchain: lane.toolchain,
    cwd,
    env: { ...inherited, ...lane.env },
    ...processes,
  });
  if (!toolchain.ok) return toolchain;
  const folder = await targetFolder({ tree, lane: lane.name, slot: place.slot }, inherited);
  if (!folder.ok) return folder;
  const target = path.join(folder.value, 'target');
  const env = buildEnvironment({ inherited, lane: lane.env, target, capLints: lane.capLints });
  const { cargo } = toolchain.value;
  const project = await loadProject({ lane, cargo, cwd, env, ...processes });
  if (!project.ok) return noProject(project.error, cwd);
  const targets = targetsOf(lane.args, env, await readConfigs(cwd, env));
  if (new Set(targets).size > 1) return severalTargets(targets);
  const { host } = toolchain.value;
  const locked = await lockArguments(tree, project.value.workspace.root, lane.args);
  return ok(
    createCargoLane({
      tree,
      root,
      cwd,
      lane,
      toolchain: toolchain.value,
      project: project.value,
      added: [...locked, ...(await lintArguments(lane, { cwd, host }, env))],
      env,
      ledger: await openLedger(folder.value, target),
      discard: () => rm(target, { recursive: true, force: true }),
      lockfile: openLockfile(project.value.workspace.root, path.dirname(folder.value)),
      emptyTemporary: () => emptyTemporary(target),
      runProcess,
      createNonce,
    }),
  );
}

/** Tests of two targets have the same ids, and one outcome would stand for both. */
const severalTargets = (targets: readonly string[]): Result<never, LaneProblem> =>
  err({
    message: `a lane builds for one target, and this one has ${targets.join(', ')}`,
    hint: 'Make a lane for each, with one `--target` in its `args`.',
  });

function noProject(problem: LaneProblem, cwd: string): Result<never, LaneProblem> {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'Cargo.toml'))) return err(problem);
    if (folder === path.dirname(folder)) break;
  }
  return err({
    message: `there is no Cargo.toml in ${cwd}, nor above it`,
    hint: 'Name the folder of the workspace with `cwd` in the lane.',
  });
}
