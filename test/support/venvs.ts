/** Virtual environments with a real pytest, made once and kept under `.cache/venvs`. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const FOLDER = fileURLToPath(new URL('../../.cache/venvs', import.meta.url));
const VERSIONS = ['3.9', '3.10', '3.11', '3.12', '3.13'] as const;

export type PythonVersion = (typeof VERSIONS)[number];

interface Recipe {
  readonly python: PythonVersion | 'newest';
  readonly packages: readonly string[];
}

/** `newest`: the newest interpreter that is there. */
const RECIPES = {
  default: { python: 'newest', packages: ['pytest==9.0.3'] },
  plugins: {
    python: 'newest',
    packages: ['pytest==9.0.3', 'pytest-xdist', 'hypothesis', 'pytest-rerunfailures', 'pytest-cov'],
  },
  '3.9-7.2.1': { python: '3.9', packages: ['pytest==7.2.1'] },
  '3.10-7.4.4': { python: '3.10', packages: ['pytest==7.4.4'] },
  '3.11-9.0.3': { python: '3.11', packages: ['pytest==9.0.3'] },
  '3.12-8.3.5': { python: '3.12', packages: ['pytest==8.3.5'] },
  '3.13-9.0.3': { python: '3.13', packages: ['pytest==9.0.3'] },
} as const satisfies Readonly<Record<string, Recipe>>;

/** The oldest and newest pytest that we support, spread over the interpreters that we support. */
const MATRIX = ['3.9-7.2.1', '3.10-7.4.4', '3.11-9.0.3', '3.12-8.3.5', '3.13-9.0.3'] as const;

export type VenvName = keyof typeof RECIPES;

export interface Venv {
  readonly name: VenvName;
  readonly folder: string;
  /** Absolute path of the interpreter. */
  readonly python: string;
  /** Absolute path of the `pytest` script. */
  readonly pytest: string;
}

/** The interpreters that are there: on PATH as `pythonX.Y`, or as a version of pyenv's. */
export function availablePythons(): ReadonlyMap<PythonVersion, string> {
  const found = new Map<PythonVersion, string>();
  for (const version of VERSIONS) {
    const python = inPyenv(version) ?? onPath(version);
    if (python !== null) found.set(version, python);
  }
  return found;
}

/** The recipes with an own interpreter version whose interpreter is there. */
export function availableMatrix(): readonly VenvName[] {
  const there = availablePythons();
  return MATRIX.filter((name) => there.has(RECIPES[name].python));
}

/**
 * Makes the environment, or takes the one that is there. Two processes may ask at once: one
 * builds, the other waits for it; a builder that died is noticed by its pid.
 */
export async function venv(name: VenvName): Promise<Venv> {
  const ready = path.join(FOLDER, name, 'ready');
  while (!existsSync(ready)) {
    if (!(await build(name))) await setTimeout(250);
  }
  const bin = path.join(FOLDER, name, 'bin');
  return {
    name,
    folder: path.join(FOLDER, name),
    python: path.join(bin, 'python'),
    pytest: path.join(bin, 'pytest'),
  };
}

/** False: somebody else is at it. */
async function build(name: VenvName): Promise<boolean> {
  await mkdir(FOLDER, { recursive: true });
  const lock = path.join(FOLDER, `${name}.lock`);
  if (!(await take(lock))) return false;
  try {
    const folder = path.join(FOLDER, name);
    if (existsSync(path.join(folder, 'ready'))) return true;
    await rm(folder, { recursive: true, force: true });
    const { python, packages } = RECIPES[name];
    // Scripts name their interpreter by its absolute path, so it is built in its own place.
    await run(interpreter(python), ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
    await run(path.join(folder, 'bin', 'python'), pip);
    await writeFile(path.join(folder, 'ready.new'), packages.join('\n'));
    await rename(path.join(folder, 'ready.new'), path.join(folder, 'ready'));
    return true;
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  const own = await mkdtemp(`${lock}-`);
  await writeFile(path.join(own, 'pid'), String(process.pid));
  try {
    await rename(own, lock);
    return true;
  } catch {
    await rm(own, { recursive: true, force: true });
  }
  const holder = Number(await readFile(path.join(lock, 'pid'), 'utf8').catch(() => '0'));
  if (holder !== 0 && !isAlive(holder)) await rm(lock, { recursive: true, force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function interpreter(version: PythonVersion | 'newest'): string {
  const there = availablePythons();
  const wanted = version === 'newest' ? [...there.values()].at(-1) : there.get(version);
  if (wanted === undefined) throw new Error(`No Python ${version} is here: see availablePythons()`);
  return wanted;
}

function inPyenv(version: string): string | null {
  const home = process.env['PYENV_ROOT'];
  const versions = home === undefined ? null : path.join(home, 'versions');
  if (versions === null || !existsSync(versions)) return null;
  const name = readdirSync(versions).find((entry) => entry.startsWith(`${version}.`));
  const python = path.join(versions, name ?? '', 'bin', 'python');
  return name !== undefined && existsSync(python) ? python : null;
}

/** A shim of pyenv's stands on PATH for versions that are not there, so those do not count. */
function onPath(version: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const shims = path.join(process.env['PYENV_ROOT'] ?? '\0', 'shims');
  const found = folders
    .filter((folder) => folder !== '' && folder !== shims)
    .map((folder) => path.join(folder, `python${version}`));
  return found.find((file) => existsSync(file)) ?? null;
}
