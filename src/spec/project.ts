/** Where a project starts: the folder that paths are relative to, and its configuration. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { sourceLanguage, type SourceLanguage } from './source-language.js';
import { hasTomlTable } from './toml-table.js';

export interface Project {
  /** Absolute. */
  readonly root: string;
  /** Absolute; null: there is no configuration. */
  readonly configFile: string | null;
}

const CONFIG_NAMES = ['counterproof.yaml', 'counterproof.yml'] as const;
export const PYTHON_PROJECT_FILES: readonly string[] = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  'pytest.ini',
];
export const RUST_PROJECT_FILES: readonly string[] = ['Cargo.toml'];
const PROJECT_FILES: readonly string[] = [...PYTHON_PROJECT_FILES, ...RUST_PROJECT_FILES, '.git'];

const FILES_OF: { readonly [L in SourceLanguage]: readonly string[] } = {
  python: PYTHON_PROJECT_FILES,
  rust: RUST_PROJECT_FILES,
};

/**
 * Finds the project that a folder belongs to: the folder of the nearest configuration upwards,
 * else of the nearest project file, else the folder itself. The search ends at the top of the
 * git tree: a root above it could not be isolated or restored.
 * @param explicitConfig a configuration that was named; its folder is the root, existing or not
 */
export function findProject(startDir: string, explicitConfig?: string): Project {
  const start = resolve(startDir);
  if (explicitConfig !== undefined) {
    const configFile = resolve(start, explicitConfig);
    return { root: dirname(configFile), configFile };
  }
  return search(start, []);
}

/**
 * The project that a source file belongs to: as `findProject` from the file's folder, but a
 * project file of the file's own language, however far up, counts before any other.
 */
export function findProjectOf(file: string): Project {
  const language = sourceLanguage(file);
  return search(dirname(resolve(file)), language === null ? [] : [FILES_OF[language]]);
}

function search(start: string, preferred: readonly (readonly string[])[]): Project {
  const folders = upwards(start);
  for (const folder of folders) {
    const configFile = configIn(folder);
    if (configFile !== null) return { root: folder, configFile };
  }
  for (const files of [...preferred, PROJECT_FILES]) {
    const root = folders.find((folder) => files.some((file) => existsSync(join(folder, file))));
    if (root !== undefined) return { root, configFile: null };
  }
  return { root: start, configFile: null };
}

function upwards(start: string): readonly string[] {
  const folders = [start];
  for (let here = start; !existsSync(join(here, '.git')); here = dirname(here)) {
    if (dirname(here) === here) break;
    folders.push(dirname(here));
  }
  return folders;
}

function configIn(folder: string): string | null {
  for (const name of CONFIG_NAMES) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
  }
  const toml = join(folder, 'pyproject.toml');
  return hasTomlTable(toml) ? toml : null;
}

/** A path as diagnostics and records name it: relative to the root, with forward slashes. */
export const nameFrom = (root: string, path: string): string =>
  relative(root, path).split(sep).join('/') || '.';
