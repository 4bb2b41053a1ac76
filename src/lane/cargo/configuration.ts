/**
 * What cargo's configuration files say. Cargo tells it on nightly only (`cargo config get`), so
 * they are read here, in the order in which it reads them:
 * https://doc.rust-lang.org/cargo/reference/config.html
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'smol-toml';
import { homeFolder } from '../../home-folder.js';
import { isTable } from './toml.js';

type Environment = Readonly<Record<string, string>>;

export interface ConfigFile {
  readonly file: string;
  /** What relative programs are relative to: the parent of the folder that holds the file. */
  readonly base: string;
  readonly table: Readonly<Record<string, unknown>>;
}

/**
 * The strongest first: from `cwd` upwards, then cargo's home. What cargo itself cannot read is
 * left out: it says so as it starts.
 *
 * @param cwd absolute folder in which cargo is started
 */
export async function readConfigs(cwd: string, env: Environment): Promise<readonly ConfigFile[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.push(path.join(folder, '.cargo'));
    if (path.dirname(folder) === folder) break;
  }
  // An empty variable is as good as none to cargo.
  const home = path.resolve(cwd, env['CARGO_HOME'] || path.join(homeFolder(env), '.cargo'));
  if (!folders.includes(home)) folders.push(home);
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
      return null;
    }
  }
  return null;
}

/**
 * What cargo builds for: its arguments outweigh the variable, and that `build.target`. Each
 * `--target` adds one, and so does each of a list in a file. Empty: the host.
 *
 * @param configs the strongest first
 */
export function targetsOf(
  args: readonly string[],
  env: Environment,
  configs: readonly ConfigFile[],
): readonly string[] {
  const given = args.flatMap((word, at) => {
    if (word === '--target') return args[at + 1] ?? [];
    return word.startsWith('--target=') ? word.slice('--target='.length) : [];
  });
  if (given.length > 0) return given;
  const variable = env['CARGO_BUILD_TARGET'];
  if (variable !== undefined) return [variable];
  const lists = configs.map(({ table }) => [tableOf(table['build'])['target']].flat());
  const texts = lists.map((list) => list.filter((one) => typeof one === 'string'));
  return texts.find((list) => list.length > 0) ?? [];
}

/** `CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER`. */
export const targetVariable = (triple: string, setting: 'RUNNER' | 'RUSTFLAGS'): string =>
  `CARGO_TARGET_${triple.toUpperCase().replaceAll(/[-.]/g, '_')}_${setting}`;

/** Empty for whatever is no table. */
export const tableOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isTable(value) ? value : {};
