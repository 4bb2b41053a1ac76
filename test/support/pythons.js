// @ts-check
/**
 * Which Python interpreters work here. Plain JavaScript without packages, because the demo asks
 * before anything is installed.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withoutPythonSettings } from './environment.js';

const run = promisify(execFile);

/** The oldest minor version of Python 3 that the pytest lane supports. */
const OLDEST = 9;

/**
 * @typedef {object} Python
 * @property {string} path absolute path of the interpreter itself, never of a shim
 * @property {string} version `3.12.1`
 * @property {number} minor 12
 * @property {boolean} canVenv whether `-m venv` can give an environment its pip; Debian takes
 *   `ensurepip` out of its own interpreter
 */

const QUESTION = `
import json, sys
try:
    import ensurepip, venv
    can = True
except ImportError:
    can = False
v = sys.version_info
print(json.dumps({
    "path": getattr(sys, "_base_executable", None) or sys.executable,
    "version": "%d.%d.%d" % v[:3], "major": v[0], "minor": v[1],
    "final": v[3] == "final", "canVenv": can,
}))
`;

/**
 * Every interpreter that starts, is a release, and is not too old; the newest first, of equal
 * ones the one that stands first on PATH. Each is asked, because a file's name proves nothing:
 * pyenv's shims stand on PATH for versions that are switched off.
 *
 * @returns {Promise<readonly Python[]>}
 */
export async function findPythons() {
  const found = await Promise.all(candidates().map(ask));
  /** @type {Map<string, Python>} */
  const byPath = new Map();
  for (const python of found) {
    if (python !== null && !byPath.has(python.path)) byPath.set(python.path, python);
  }
  return [...byPath.values()].toSorted((a, b) => compareVersions(b.version, a.version));
}

/** @returns {readonly string[]} */
function candidates() {
  const folders = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((f) => path.isAbsolute(f));
  const pyenvs = [
    process.env['PYENV_ROOT'],
    path.join(os.homedir(), '.pyenv'),
    // Shims start only where PYENV_ROOT is right; the interpreters behind them always do.
    ...folders.filter((folder) => path.basename(folder) === 'shims').map((f) => path.dirname(f)),
  ].filter((root) => root !== undefined && existsSync(path.join(root, 'versions')));
  const shims = new Set(pyenvs.map((root) => path.join(root ?? '', 'shims')));
  const files = [
    ...folders.filter((folder) => !shims.has(folder)).flatMap(pythonsIn),
    ...pyenvs.flatMap((root) => {
      const versions = path.join(root ?? '', 'versions');
      return names(versions).flatMap((name) => pythonsIn(path.join(versions, name, 'bin')));
    }),
  ];
  /** @type {Map<string, string>} */
  const unique = new Map();
  for (const file of files) {
    const real = realPath(file);
    if (real !== null && !unique.has(real)) unique.set(real, file);
  }
  return [...unique.values()];
}

/** @param {string} folder */
const pythonsIn = (folder) =>
  names(folder)
    .filter((name) => /^python3(\.\d+)?$/.test(name))
    .map((name) => path.join(folder, name));

/** @param {string} folder */
function names(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} file */
function realPath(file) {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

/**
 * @param {string} file
 * @returns {Promise<Python | null>}
 */
async function ask(file) {
  try {
    const { stdout } = await run(file, ['-I', '-c', QUESTION], {
      env: withoutPythonSettings(process.env),
      timeout: 60_000,
    });
    const said = JSON.parse(stdout);
    return said.major === 3 && said.minor >= OLDEST && said.final ? said : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function compareVersions(a, b) {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  return left.map((part, i) => part - (right[i] ?? 0)).find((part) => part !== 0) ?? 0;
}
