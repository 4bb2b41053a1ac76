/** Asks a Python interpreter, in one start, what it is and what it has. */
import { err, ok, unreachable, type Result } from '../../../result.js';
import { createNonce, runProcess, type ProcessEnd } from '../../process.js';

export interface Interpreter {
  /** What starts it: one path, or a tool that runs it (`uv run python`). */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path of the interpreter behind it: a shim's target, not the shim. */
  readonly executable: string;
  /** `3.12.3`. */
  readonly version: string;
  /** Distribution → version, of those that matter to a lane and are installed. */
  readonly packages: Readonly<Record<string, string>>;
  /** Folder of its environment. */
  readonly prefix: string;
  /** Where it keeps bytecode, as PYTHONPYCACHEPREFIX says; null: beside the sources. */
  readonly pycachePrefix: string | null;
  /** The system's package manager installs for it, and pip refuses to (PEP 668). */
  readonly isManaged: boolean;
}

export interface Surroundings {
  /** pyenv and its kind choose by the working folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeMs?: number;
}

const MARK = 'COUNTERPROOF-INTERPRETER ';

/**
 * Must be understood by every Python since 2.7, which shall say that it is too old. The
 * working folder leaves the path first: a `json.py` in the project is not ours to run.
 */
const QUESTION = `
import sys
sys.path[:] = [entry for entry in sys.path if entry != '']
import json
import os
packages = {}
if sys.version_info >= (3, 8):
    from importlib import metadata, util
    for name, module in (
        ('pytest', 'pytest'), ('pytest-xdist', 'xdist'), ('hypothesis', 'hypothesis'),
        ('pytest-randomly', 'pytest_randomly'), ('pytest-random-order', 'random_order'),
        ('pytest-timeout', 'pytest_timeout'), ('pytest-asyncio', 'pytest_asyncio'),
        ('pytest-cov', 'pytest_cov'),
    ):
        try:
            if util.find_spec(module) is None:
                continue
            try:
                version = metadata.version(name)
            except metadata.PackageNotFoundError:
                version = getattr(__import__(module), '__version__', None)
            if version is not None:
                packages[name] = str(version)
        except Exception:
            pass
sys.stdout.write('\\n${MARK}' + json.dumps({
    'executable': sys.executable or '',
    'version': '.'.join(str(part) for part in sys.version_info[:3]),
    'packages': packages,
    'prefix': sys.prefix,
    'pycachePrefix': getattr(sys, 'pycache_prefix', None),
    'managed': sys.prefix == getattr(sys, 'base_prefix', sys.prefix) and os.path.exists(
        os.path.join(os.path.dirname(os.__file__), 'EXTERNALLY-MANAGED')),
}) + '\\n')
`;

const ANSWER_MS = 30_000;
const answers = new Map<string, Promise<Result<Interpreter, string>>>();

/**
 * Each interpreter that answers is asked once per process, working folder and environment.
 *
 * @returns or, as the error, why it is of no use, in the form `does not start: …`.
 */
export function askInterpreter(
  argv: readonly [string, ...string[]],
  surroundings: Surroundings,
): Promise<Result<Interpreter, string>> {
  const key = JSON.stringify([argv, surroundings.cwd, surroundings.env]);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = ask(argv, surroundings).then((result) => {
    if (!result.ok) answers.delete(key);
    return result;
  });
  answers.set(key, answer);
  return answer;
}

async function ask(
  argv: readonly [string, ...string[]],
  { cwd, env, signal, timeMs }: Surroundings,
): Promise<Result<Interpreter, string>> {
  const end = await runProcess({
    command: [...argv, '-B', '-c', QUESTION],
    cwd,
    env,
    stdin: null,
    limits: { timeMs: timeMs ?? ANSWER_MS, memoryBytes: null, outputBytes: 256 * 1024 },
    nonce: createNonce(),
    signal: signal ?? new AbortController().signal,
  });
  if (end.kind !== 'exited' || end.code !== 0) return err(`does not start: ${whyNot(end)}`);
  const line = Buffer.concat([end.stdout.head, end.stdout.tail])
    .toString('utf8')
    .split('\n')
    .findLast((text) => text.startsWith(MARK));
  const facts = line === undefined ? null : parse(line.slice(MARK.length));
  return facts === null ? err('is no Python: it did not answer') : ok({ argv, ...facts });
}

/** Why a short command failed, on one line: the last line of its error output says most. */
export function whyNot(end: ProcessEnd): string {
  switch (end.kind) {
    case 'not-started':
      return end.message;
    case 'timeout':
      return `no answer within ${end.limitMs / 1000} s`;
    case 'signalled':
      return end.signal;
    case 'exited':
      return lastLine(end) ?? `exit ${end.code}`;
    case 'stopped':
    case 'cancelled':
    case 'out-of-memory':
      return end.kind;
    default:
      return unreachable(end);
  }
}

function lastLine(end: Extract<ProcessEnd, { kind: 'exited' }>): string | null {
  const lines = Buffer.concat([end.stderr.head, end.stderr.tail])
    .toString('utf8')
    .split('\n')
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim())
    .filter((line) => line !== '');
  // pyenv puts the reason first and advice behind it; Python puts the reason last.
  const line = lines.find((text) => text.startsWith('pyenv: ')) ?? lines.at(-1);
  return line?.slice(0, 200) ?? null;
}

function parse(text: string): Omit<Interpreter, 'argv'> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const { executable, version, packages, prefix, pycachePrefix, managed } = value;
  if (typeof executable !== 'string' || typeof version !== 'string') return null;
  if (typeof prefix !== 'string' || !isRecord(packages)) return null;
  return {
    executable,
    version,
    prefix,
    pycachePrefix: typeof pycachePrefix === 'string' ? pycachePrefix : null,
    isManaged: managed === true,
    packages: Object.fromEntries(
      Object.entries(packages).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
