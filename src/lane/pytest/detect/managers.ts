/** Environments that uv, poetry, pdm, hatch and pipenv keep, where only they know. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { createNonce, runProcess } from '../../process.js';
import { findExecutable } from '../../process/start-failure.js';
import { existsAs, inFolder, type Candidate, type PassedOver, type Place } from './candidate.js';
import { whyNot } from './interpreter.js';

type Found = AsyncGenerator<Candidate | PassedOver>;

/** Nothing is asked that would make an environment, except of uv with a lock file, whose custom that is. */
export async function* managed(place: Place, folder: string): Found {
  const has = (name: string): boolean => existsAs(path.join(folder, name));
  const tables = toolTables(path.join(folder, 'pyproject.toml'));
  if (has('uv.lock')) yield* uv(place, folder);
  else if (tables.has('uv')) yield absent('[tool.uv]', 'there is no uv.lock yet: run `uv sync`');
  if (has('poetry.lock') || tables.has('poetry')) yield* poetry(place, folder);
  if (has('pdm.lock') || tables.has('pdm')) yield* pdm(folder);
  if (has('hatch.toml') || tables.has('hatch')) yield* hatch(place, folder);
  if (has('Pipfile')) yield* pipenv(place, folder);
}

async function* uv(place: Place, folder: string): Found {
  const own = place.env['UV_PROJECT_ENVIRONMENT'];
  if (own !== undefined && own !== '') {
    yield inFolder(path.resolve(folder, own), 'UV_PROJECT_ENVIRONMENT', 'UV_PROJECT_ENVIRONMENT');
    return;
  }
  if (!onPath(place, 'uv')) {
    yield absent('uv.lock', 'uv is not in PATH');
    return;
  }
  yield {
    kind: 'candidate',
    from: 'uv.lock',
    // Without --frozen it may write the lock file, which the tree tracks.
    argv: ['uv', 'run', '--frozen', 'python'],
    role: 'environment',
    folder: null,
    keepsLauncher: true,
    install: 'uv add --dev pytest',
  };
}

async function* poetry(place: Place, folder: string): Found {
  const answer = await tell(place, folder, ['poetry', 'env', 'info', '--executable']);
  if ('why' in answer) yield absent('poetry', answer.why);
  else {
    const [python = ''] = answer.lines.slice(-1);
    yield inFolder(path.dirname(path.dirname(python)), 'poetry', "poetry's environment", {
      install: 'poetry add --group dev pytest',
    });
  }
}

/** pdm writes its choice down; to ask it would make an environment where there is none. */
async function* pdm(folder: string): Found {
  let python: string;
  try {
    python = readFileSync(path.join(folder, '.pdm-python'), 'utf8').trim();
  } catch {
    yield absent('pdm', 'it has chosen no interpreter yet: run `pdm install`');
    return;
  }
  yield inFolder(path.dirname(path.dirname(python)), 'pdm', "pdm's environment", {
    install: 'pdm add -d pytest',
  });
}

/** hatch tells folders that do not exist yet, too; `hatch-test` has one for each row of its matrix. */
async function* hatch(place: Place, folder: string): Found {
  let none: string | null = null;
  for (const name of ['default', 'hatch-test']) {
    const answer = await tell(place, folder, ['hatch', 'env', 'find', name]);
    if ('why' in answer) {
      none ??= answer.why;
      continue;
    }
    for (const line of answer.lines) {
      if (existsAs(path.join(line, 'bin/python'))) {
        none = '';
        yield inFolder(line, `hatch (${name})`, `hatch's ${name}`, { role: 'one-of-many' });
      }
    }
  }
  if (none !== '') yield absent('hatch', none ?? 'its environments have not been made yet');
}

async function* pipenv(place: Place, folder: string): Found {
  const answer = await tell(place, folder, ['pipenv', '--py']);
  if ('why' in answer) yield absent('pipenv', answer.why);
  else {
    const [python = ''] = answer.lines.slice(-1);
    yield inFolder(path.dirname(path.dirname(python)), 'pipenv', "pipenv's environment", {
      install: 'pipenv install --dev pytest',
    });
  }
}

const absent = (what: string, why: string): PassedOver => ({
  kind: 'passed-over',
  why: `${what}: ${why}`,
});

const onPath = ({ cwd, env }: Place, name: string): boolean =>
  findExecutable(name, { cwd, env }).kind === 'executable';

async function tell(
  place: Place,
  cwd: string,
  command: readonly [string, ...string[]],
): Promise<{ readonly lines: readonly string[] } | { readonly why: string }> {
  if (!onPath(place, command[0])) return { why: `${command[0]} is not in PATH` };
  const end = await runProcess({
    command,
    cwd,
    env: { ...place.env, NO_COLOR: '1' },
    stdin: null,
    limits: { timeMs: 30_000, memoryBytes: null, outputBytes: 64 * 1024 },
    nonce: createNonce(),
    signal: place.signal,
  });
  if (end.kind !== 'exited' || end.code !== 0) {
    return { why: `\`${command.join(' ')}\` failed: ${whyNot(end)}` };
  }
  const lines = Buffer.concat([end.stdout.head, end.stdout.tail])
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => path.isAbsolute(line));
  return lines.length === 0 ? { why: 'it has made no environment yet' } : { lines };
}

/** Names below `[tool]`; a file that is not TOML has none, and its owner hears of it elsewhere. */
function toolTables(file: string): ReadonlySet<string> {
  try {
    const { tool } = parse(readFileSync(file, 'utf8'));
    return new Set(typeof tool === 'object' && tool !== null ? Object.keys(tool) : []);
  } catch {
    return new Set();
  }
}
