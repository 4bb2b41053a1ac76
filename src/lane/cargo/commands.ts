/** The command lines of a cargo lane. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { homeFolder } from '../../home-folder.js';
import type { CargoLane } from '../../spec/model.js';
import { targetVariable } from './configured-runner.js';
import { hasOwnFlags } from './environment.js';
import type { Package } from './metadata.js';
import type { CargoSelection } from './selection.js';
import { isTable } from './toml.js';

type Command = readonly [string, ...string[]];

export interface CommandFacts {
  /** `cargo`, with its toolchain. */
  readonly cargo: Command;
  readonly selection: CargoSelection;
  /** Arguments that the lane did not name: `--locked`, a cap on lints. */
  readonly added: readonly string[];
}

/** What builds, and would run, the lane's test executables. */
export const testCommand = ({ cargo, selection, added }: CommandFacts): Command => [
  ...cargo,
  'test',
  ...selection.packageArguments,
  ...selection.targetArguments,
  ...selection.buildArguments,
  ...added,
];

/** Documentation tests alone are built from the library alone. */
export const buildCommand = (facts: CommandFacts): Command => {
  const { cargo, selection, added } = facts;
  const format = '--message-format=json';
  if (selection.targetArguments.length > 0) return [...testCommand(facts), '--no-run', format];
  const { packageArguments, buildArguments } = selection;
  return [...cargo, 'build', ...packageArguments, '--lib', ...buildArguments, ...added, format];
};

export const docCommand = (
  { cargo, selection, added }: CommandFacts,
  { name }: Package,
): Command => [...cargo, 'test', '--doc', '-p', name, ...selection.buildArguments, ...added];

/** As a person would type it. */
export function shownCommand(facts: CommandFacts, lane: CargoLane): readonly string[] {
  const { cargo, selection } = facts;
  const run = { ...facts, added: [] };
  const filter = [
    ...(lane.select === null ? [] : [lane.select]),
    ...(selection.testArguments.length === 0 ? [] : ['--', ...selection.testArguments]),
  ];
  if (selection.targetArguments.length > 0) return [...testCommand(run), ...filter];
  const { packageArguments, buildArguments } = selection;
  return [...cargo, 'test', '--doc', ...packageArguments, ...buildArguments, ...filter];
}

/**
 * `--cap-lints` by cargo's configuration, where the environment holds no flags that would hide
 * it. Flags of a target hide those of every build, so it is put beside whichever there are.
 */
export function lintArguments(
  { capLints, args }: Pick<CargoLane, 'capLints' | 'args'>,
  { cwd, host }: { readonly cwd: string; readonly host: string },
  env: Readonly<Record<string, string>>,
): readonly string[] {
  if (capLints === null || hasOwnFlags(env)) return [];
  const texts = configurations(cwd, env);
  const triple = chosenTarget(args, env) ?? configuredTarget(texts) ?? host;
  const isConfigured =
    targetVariable(triple, 'RUSTFLAGS') in env ||
    texts.some((text) => hasTargetFlags(text, triple));
  const key = isConfigured ? `target.${triple}` : 'build';
  return ['--config', `${key}.rustflags=["--cap-lints","${capLints}"]`];
}

/** The target that the lane's own words or the environment name; null: neither does. */
function chosenTarget(
  args: CargoLane['args'],
  env: Readonly<Record<string, string>>,
): string | null {
  const at = args.findLastIndex((word) => word === '--target' || word.startsWith('--target='));
  const word = args[at];
  const named = word === '--target' ? args[at + 1] : word?.slice('--target='.length);
  return named ?? env['CARGO_BUILD_TARGET'] ?? null;
}

/** Texts of the configuration files that cargo reads, the one that outweighs the others first. */
function configurations(cwd: string, env: Readonly<Record<string, string>>): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.push(path.join(folder, '.cargo'));
    if (folder === path.dirname(folder)) break;
  }
  folders.push(env['CARGO_HOME'] ?? path.join(homeFolder(env), '.cargo'));
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name === 'config.toml' || name === 'config')
      .map((name) => readFileSync(path.join(folder, name), 'utf8')),
  );
}

/** `build.target`, where it is one. */
function configuredTarget(texts: readonly string[]): string | null {
  for (const text of texts) {
    const build = tableIn(text, 'build');
    if (typeof build?.['target'] === 'string') return build['target'];
  }
  return null;
}

/** Flags of another target hide nothing: put beside those, the cap itself would hide `build.rustflags`. */
function hasTargetFlags(text: string, triple: string): boolean {
  return Object.entries(tableIn(text, 'target') ?? {}).some(
    ([key, one]) =>
      (key === triple || key.startsWith('cfg(')) && isTable(one) && 'rustflags' in one,
  );
}

function tableIn(text: string, name: string): Readonly<Record<string, unknown>> | null {
  try {
    const found = parse(text)[name];
    return isTable(found) ? found : null;
  } catch {
    // Cargo will say what is wrong with it.
    return null;
  }
}
