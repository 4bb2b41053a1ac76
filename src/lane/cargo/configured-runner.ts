/** The runner that a project has configured for its tests (`qemu-arm`, `sudo -E`). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Result } from '../../result.js';
import { holds, parseCfg } from './cfg-expression.js';
import { readConfigs, tableOf, targetVariable } from './configuration.js';

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

function configArguments(command: readonly string[]): readonly string[] {
  return command.flatMap((word, index) => {
    if (word === '--config') return [command[index + 1] ?? ''];
    return word.startsWith('--config=') ? [word.slice('--config='.length)] : [];
  });
}

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
