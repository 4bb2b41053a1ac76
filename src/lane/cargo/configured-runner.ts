/**
 * The runner that a project has configured for its tests (`qemu-arm`, `sudo -E`). Cargo tells it
 * on nightly only (`cargo config get`), so its files are read here, in the order in which it
 * reads them: https://doc.rust-lang.org/cargo/reference/config.html
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'smol-toml';
import { err, ok, type Result } from '../../result.js';
import { holds, parseCfg } from './cfg-expression.js';
import { isTable } from './toml.js';

export interface RunnerQuery {
  /** Absolute folder in which cargo is started. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly triple: string;
  /** The command that starts cargo, whose `--config` outweighs everything. */
  readonly command: readonly string[];
  /** What `rustc --print cfg` prints; asked only where a runner hangs on a cfg. null: it fails. */
  readonly cfgs: () => Promise<ReadonlySet<string> | null>;
}

export interface ConfiguredRunner {
  /** Program and arguments, empty where there is none. */
  readonly words: readonly string[];
  readonly notes: readonly string[];
}

/** `CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER`. */
export const targetVariable = (triple: string, setting: 'RUNNER' | 'RUSTFLAGS'): string =>
  `CARGO_TARGET_${triple.toUpperCase().replaceAll(/[-.]/g, '_')}_${setting}`;

/** @returns `why` where no answer would be more than a guess. */
export async function configuredRunner(
  query: RunnerQuery,
): Promise<Result<ConfiguredRunner, { readonly why: string }>> {
  const { cwd, env, triple, command } = query;
  const given = configArguments(command);
  for (const value of given) {
    const text = await readFile(path.resolve(cwd, value), 'utf8').catch(() => value);
    if (/runner/.test(text)) return err({ why: `\`--config ${value}\` sets a runner` });
  }
  const variable = env[targetVariable(triple, 'RUNNER')];
  if (variable !== undefined) return ok({ words: resolved(split(variable), cwd), notes: [] });

  const files = await readConfigs(cwd, env);
  const notes = files.flatMap(({ file, table }) =>
    'include' in table ? [`what ${file} includes was not asked for a runner`] : [],
  );
  for (const { base, table } of files) {
    const words = runnerOf(tableOf(table['target'])[triple]);
    if (words !== null) return ok({ words: resolved(words, base), notes });
  }
  const onCfg = files.flatMap(({ base, table }) =>
    Object.entries(tableOf(table['target'])).flatMap(([key, value]) => {
      const words = runnerOf(value);
      const cfg = words === null ? null : parseCfg(key);
      return words === null || cfg === null ? [] : [{ key, cfg, words: resolved(words, base) }];
    }),
  );
  if (onCfg.length === 0) return ok({ words: [], notes });
  const cfgs = await query.cfgs();
  if (cfgs === null) return err({ why: `rustc does not say what ${triple} is` });
  const [first, ...others] = onCfg.filter(({ cfg }) => holds(cfg, cfgs));
  if (others.some(({ key }) => key !== first?.key)) {
    return err({ why: `several \`target.'cfg(…)'.runner\` hold for ${triple}` });
  }
  return ok({ words: first?.words ?? [], notes });
}

/**
 * What cargo builds for where neither an argument nor CARGO_BUILD_TARGET says so: `build.target`.
 * null: the host.
 */
export async function configuredTarget(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  for (const { table } of await readConfigs(cwd, env)) {
    const target = tableOf(table['build'])['target'];
    if (typeof target === 'string') return target;
  }
  return null;
}

function configArguments(command: readonly string[]): readonly string[] {
  return command.flatMap((word, index) => {
    if (word === '--config') return [command[index + 1] ?? ''];
    return word.startsWith('--config=') ? [word.slice('--config='.length)] : [];
  });
}

interface ConfigFile {
  readonly file: string;
  /** What relative programs are relative to: the parent of the folder that holds the file. */
  readonly base: string;
  readonly table: Readonly<Record<string, unknown>>;
}

/** The strongest first: from `cwd` upwards, then cargo's home. */
async function readConfigs(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly ConfigFile[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.push(path.join(folder, '.cargo'));
    if (path.dirname(folder) === folder) break;
  }
  const home =
    env['CARGO_HOME'] ?? (env['HOME'] === undefined ? null : path.join(env['HOME'], '.cargo'));
  if (home !== null && !folders.includes(path.resolve(cwd, home))) {
    folders.push(path.resolve(cwd, home));
  }
  const found = await Promise.all(folders.map(readConfig));
  return found.filter((config) => config !== null);
}

/** Where both names are there, cargo reads the old one. */
async function readConfig(folder: string): Promise<ConfigFile | null> {
  for (const name of ['config', 'config.toml']) {
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    try {
      return { file, base: path.dirname(folder), table: parse(text) };
    } catch {
      // Cargo refuses it as well, and says so.
      return null;
    }
  }
  return null;
}

const tableOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isTable(value) ? value : {};

/** A string holds words apart by white space; a list holds them one by one. */
function runnerOf(target: unknown): readonly string[] | null {
  const runner = tableOf(target)['runner'];
  if (typeof runner === 'string') return split(runner);
  if (!Array.isArray(runner)) return null;
  return runner.filter((word) => typeof word === 'string');
}

const split = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** A program with a slash in it is a path; one without is looked up in PATH. */
function resolved([program, ...words]: readonly string[], base: string): readonly string[] {
  if (program === undefined) return [];
  return [program.includes('/') ? path.resolve(base, program) : program, ...words];
}
