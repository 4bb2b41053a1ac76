/** What can be known of the versions of a command's parts without running a test. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createNonce, runProcess } from '../process.js';
import { stdoutOf } from '../words.js';

export interface VersionPlace {
  /** Absolute path of the command's first word. */
  readonly tool: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Programs that are known to answer `--version` with one, at once. A script of the project's own
 * might do anything when it is asked, so it is not.
 */
const ANSWERS = /^(?:node|bun|deno|python\d*(?:\.\d+)?|ruby|php|perl|dotnet|ctest|gotestsum)$/;

/** `vitest`, `@scope/tool`, `node_modules/.bin/vitest`, `./node_modules/vitest/vitest.mjs`. */
const PACKAGE =
  /^(?:(?:.*\/)?node_modules\/(?:\.bin\/)?)?(?<name>(?:@[\w.-]+\/)?(?!\.)[\w.-]+)(?:$|(?<=node_modules\/.*)\/)/;

const LIMIT_MS = 20_000;

/** `node` → `20.19.4`, and every word of the command that is an installed npm package. */
export async function versionsOf(
  command: readonly string[],
  { tool, cwd, env }: VersionPlace,
): Promise<Readonly<Record<string, string>>> {
  const name = path.basename(command[0] ?? '');
  const own = ANSWERS.test(name) ? await askVersion(tool, cwd, env) : null;
  const packages = command.flatMap((word) => {
    const named = PACKAGE.exec(word)?.groups?.['name'];
    const version = named === undefined ? null : packageVersion(named, cwd);
    return named === undefined || version === null ? [] : [[named, version] as const];
  });
  return { ...(own === null ? {} : { [name]: own }), ...Object.fromEntries(packages) };
}

async function askVersion(
  tool: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const end = await runProcess({
    command: [tool, '--version'],
    cwd,
    env,
    stdin: null,
    limits: { timeMs: LIMIT_MS, memoryBytes: null, outputBytes: 4096 },
    nonce: createNonce(),
    signal: new AbortController().signal,
  });
  if (end.kind !== 'exited' || end.code !== 0) return null;
  return /\d+(?:\.\d+)+[\w.+-]*/.exec(stdoutOf(end))?.[0] ?? null;
}

/** As Node would find it from there: in the nearest `node_modules` upwards. */
function packageVersion(name: string, from: string): string | null {
  for (let folder = from; ; folder = path.dirname(folder)) {
    try {
      const text = readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8');
      const manifest: unknown = JSON.parse(text);
      const version =
        typeof manifest === 'object' && manifest !== null && 'version' in manifest
          ? manifest.version
          : null;
      if (typeof version === 'string') return version;
    } catch {
      // Not in this folder.
    }
    if (folder === path.dirname(folder)) return null;
  }
}
