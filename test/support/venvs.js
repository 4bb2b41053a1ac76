// @ts-check
/**
 * Virtual environments with a real pytest, made once and kept under `.cache/venvs`. Plain
 * JavaScript without packages, because the demo makes one before anything is installed.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withoutPythonSettings } from './environment.js';
import { findPythons } from './pythons.js';

const run = promisify(execFile);

const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));
const FOLDER = path.join(CACHE, 'venvs');

const VERSIONS = ['3.9', '3.10', '3.11', '3.12', '3.13'];

/** pytest 9 needs Python 3.10. */
const PYTEST = [
  'pytest==9.0.3; python_version >= "3.10"',
  'pytest==8.4.2; python_version < "3.10"',
];

/** `newest`: the newest interpreter that is there. */
const RECIPES = {
  default: { python: 'newest', packages: PYTEST },
  plugins: {
    python: 'newest',
    packages: [
      ...PYTEST,
      'pytest-xdist==3.8.0',
      'hypothesis==6.141.1',
      'pytest-rerunfailures==16.0.1',
      'pytest-cov==7.0.0',
      // Shuffles only where it is asked to, unlike pytest-randomly.
      'pytest-random-order==1.2.0',
    ],
  },
  randomly: { python: 'newest', packages: [...PYTEST, 'pytest-randomly==4.0.1'] },
  wrappers: {
    python: 'newest',
    packages: [...PYTEST, 'tox==4.30.3', 'nox==2025.11.12', 'uv==0.9.9'],
  },
  // For `npm run bench` alone.
  scientific: {
    python: 'newest',
    packages: [...PYTEST, 'hypothesis==6.141.1', 'numpy', 'scipy', 'sympy==1.14.0'],
  },
  'cosmic-ray': { python: 'newest', packages: [...PYTEST, 'cosmic-ray==8.7.0'] },
  mutmut: { python: 'newest', packages: [...PYTEST, 'mutmut==3.8.1'] },
  '3.9-7.2.1': { python: '3.9', packages: ['pytest==7.2.1'] },
  '3.10-7.4.4': { python: '3.10', packages: ['pytest==7.4.4'] },
  '3.11-9.0.3': { python: '3.11', packages: ['pytest==9.0.3'] },
  '3.12-8.3.5': { python: '3.12', packages: ['pytest==8.3.5'] },
  '3.13-9.0.3': { python: '3.13', packages: ['pytest==9.0.3'] },
};

/** @typedef {keyof typeof RECIPES} VenvName */

/**
 * The oldest and newest pytest that we support, spread over the interpreters that we support.
 *
 * @type {readonly VenvName[]}
 */
const MATRIX = ['3.9-7.2.1', '3.10-7.4.4', '3.11-9.0.3', '3.12-8.3.5', '3.13-9.0.3'];

/**
 * @typedef {object} Venv
 * @property {VenvName} name
 * @property {string} folder
 * @property {string} python absolute path of the interpreter
 * @property {string} pytest absolute path of the `pytest` script
 */

/** What is missing on this machine, and the way out: a message for people. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError';
}

/**
 * Asked for once, and only where it matters: each interpreter has to start for it.
 *
 * @type {ReturnType<typeof findPythons> | null}
 */
let found = null;
const pythons = () => (found ??= findPythons());

/** @returns {Promise<readonly string[]>} supported versions for which no interpreter is here */
export async function absentPythons() {
  const there = await pythons();
  return VERSIONS.filter((version) => !there.some((one) => one.version.startsWith(`${version}.`)));
}

/**
 * The recipes with an own interpreter version whose interpreter is there.
 *
 * @returns {Promise<readonly VenvName[]>}
 */
export async function availableMatrix() {
  const absent = await absentPythons();
  return MATRIX.filter((name) => !absent.includes(RECIPES[name].python));
}

/** @returns {Promise<readonly VenvName[]>} all that the tests may ask for on this machine */
export async function everyVenv() {
  return ['default', 'plugins', 'randomly', 'wrappers', ...(await availableMatrix())];
}

/**
 * Makes the environment, or takes the one that is there. Two processes may ask at once: one
 * builds, the other waits for it; a builder that died is noticed by its pid.
 *
 * @param {VenvName} name
 * @returns {Promise<Venv>}
 * @throws {SetupError} where Python or a package cannot be had
 */
export async function venv(name) {
  const folder = path.join(FOLDER, name);
  while (!isReady(name)) {
    if (!(await build(name))) await setTimeout(250);
  }
  const bin = path.join(folder, 'bin');
  return { name, folder, python: path.join(bin, 'python'), pytest: path.join(bin, 'pytest') };
}

/**
 * Made by this recipe, in this place, by an interpreter that is still there.
 *
 * @param {VenvName} name
 */
function isReady(name) {
  const folder = path.join(FOLDER, name);
  try {
    return (
      readFileSync(path.join(folder, 'ready'), 'utf8') === readyText(name) &&
      existsSync(path.join(folder, 'bin', 'python'))
    );
  } catch {
    return false;
  }
}

/** @param {VenvName} name */
const readyText = (name) => `${[path.join(FOLDER, name), ...RECIPES[name].packages].join('\n')}\n`;

/**
 * @param {VenvName} name
 * @returns {Promise<boolean>} false: somebody else is at it
 */
async function build(name) {
  const pip = name === 'default' ? null : (await venv('default')).python;
  await mkdir(FOLDER, { recursive: true });
  const lock = path.join(FOLDER, `${name}.lock`);
  if (!(await take(lock))) return false;
  try {
    if (isReady(name)) return true;
    const folder = path.join(FOLDER, name);
    await rm(folder, { recursive: true, force: true });
    // Scripts name their interpreter by its absolute path, so it is built in its own place.
    await makeVenv(folder, await interpreter(name), pip);
    await install(folder, RECIPES[name].packages, pip);
    await writeFile(path.join(folder, 'ready.new'), readyText(name));
    await rename(path.join(folder, 'ready.new'), path.join(folder, 'ready'));
    return true;
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} python
 * @param {string | null} pip an interpreter whose pip serves: a pip of its own costs 10 s
 */
async function makeVenv(folder, python, pip) {
  const without = pip === null ? [] : ['--without-pip'];
  try {
    await run(python, ['-m', 'venv', ...without, folder], { env: pipEnvironment() });
  } catch (error) {
    throw new SetupError(`${python} could not make a virtual environment:\n${said(error)}`, {
      cause: error,
    });
  }
}

/**
 * @param {string} folder
 * @param {readonly string[]} packages
 * @param {string | null} pip
 */
async function install(folder, packages, pip) {
  const python = path.join(folder, 'bin', 'python');
  const into = pip === null ? [] : ['--python', python];
  const args = ['-m', 'pip', '--quiet', ...into, 'install', ...packages];
  try {
    await run(pip ?? python, args, { env: pipEnvironment() });
  } catch (error) {
    throw new SetupError(
      [
        `pip could not install ${packages.join(', ')} into ${folder}:`,
        said(error),
        'If the package index cannot be reached: set PIP_INDEX_URL to a mirror, PIP_PROXY to a',
        'proxy, or PIP_FIND_LINKS to a folder with the wheels, and start this again.',
      ].join('\n'),
      { cause: error },
    );
  }
}

/** The cache lies in the project, so that a home folder is neither needed nor filled. */
const pipEnvironment = () => ({
  ...withoutPythonSettings(process.env),
  PIP_CACHE_DIR: path.join(CACHE, 'pip'),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_ROOT_USER_ACTION: 'ignore',
});

/**
 * @param {unknown} error
 * @returns {string} the last lines that the command wrote
 */
function said(error) {
  const { stderr = '', stdout = '' } = /** @type {{ stderr?: string, stdout?: string }} */ (error);
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? String(error) : lines.slice(-4).join('\n');
}

/**
 * @param {string} lock
 * @returns {Promise<boolean>}
 */
async function take(lock) {
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

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {VenvName} name */
async function interpreter(name) {
  const { python } = RECIPES[name];
  const fitting = (await pythons()).filter(
    (one) => python === 'newest' || one.version.startsWith(`${python}.`),
  );
  // Every other environment borrows the default one's pip.
  const chosen = name === 'default' ? fitting.find((one) => one.canVenv) : fitting[0];
  if (chosen !== undefined) return chosen.path;
  if (fitting[0] === undefined) {
    const wanted = python === 'newest' ? 'Python 3.9 or newer' : `Python ${python}`;
    throw new SetupError(
      `No ${wanted} was found, neither on PATH nor in pyenv.\nInstall it, or put it on PATH as python3.`,
    );
  }
  throw new SetupError(
    `${fitting[0].path} cannot make virtual environments: it comes without ensurepip.\n` +
      'On Debian and Ubuntu: apt-get install python3-venv. Or install another Python, 3.9 or newer.',
  );
}
