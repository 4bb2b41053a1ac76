/** The command lines of a cargo lane. */
import type { CargoLane } from '../../spec/model.js';
import {
  readConfigs,
  tableOf,
  targetsOf,
  targetVariable,
  type ConfigFile,
} from './configuration.js';
import { hasOwnFlags } from './environment.js';
import type { CargoSelection, DocPackage } from './selection.js';

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
  { cargo, added }: CommandFacts,
  { name, buildArguments }: DocPackage,
): Command => [...cargo, 'test', '--doc', '-p', name, ...buildArguments, ...added];

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
export async function lintArguments(
  { capLints, args }: Pick<CargoLane, 'capLints' | 'args'>,
  { cwd, host }: { readonly cwd: string; readonly host: string },
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  if (capLints === null || hasOwnFlags(env)) return [];
  const configs = await readConfigs(cwd, env);
  const named = targetsOf(args, env, configs);
  const keys = (named.length === 0 ? [host] : named).map((triple) => {
    const isConfigured =
      targetVariable(triple, 'RUSTFLAGS') in env ||
      configs.some((config) => hasTargetFlags(config, triple));
    return isConfigured ? `target.${triple}` : 'build';
  });
  return [...new Set(keys)].flatMap((key) => [
    '--config',
    `${key}.rustflags=["--cap-lints","${capLints}"]`,
  ]);
}

/** Flags of another target hide nothing: put beside those, the cap itself would hide `build.rustflags`. */
function hasTargetFlags({ table }: ConfigFile, triple: string): boolean {
  return Object.entries(tableOf(table['target'])).some(
    ([key, one]) => (key === triple || key.startsWith('cfg(')) && 'rustflags' in tableOf(one),
  );
}
