/** The environment of a step: the user's own, the lane's over it, and ours over both. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../../package-folder.js';
import { hashSeed } from '../hash-seed.js';
import { temporaryFolder, temporaryVariables } from '../temporary-folder.js';

/** The plugin ships as source. */
const PLUGIN_FOLDER = path.join(PACKAGE_FOLDER, 'src/lane/pytest/plugin');

const PLUGIN_FILES = [
  'counterproof_pytest.py',
  '_counterproof_asks.py',
  '_counterproof_blame.py',
  '_counterproof_forked.py',
  '_counterproof_imports.py',
  '_counterproof_learn.py',
  '_counterproof_orders.py',
  '_counterproof_places.py',
  '_counterproof_recorder.py',
  '_counterproof_surroundings.py',
  '_counterproof_warm.py',
  'sitecustomize.py',
];

/** The plugin's files by name. */
export type PluginFiles = ReadonlyMap<string, Buffer>;

/**
 * Read once for each lane, before anything is mutated, and laid out afresh for every step: so
 * a mutation of the plugin itself meets the tests of the plugin, and not the run that judges it.
 */
export const readPlugin = (): PluginFiles =>
  new Map(PLUGIN_FILES.map((name) => [name, readFileSync(path.join(PLUGIN_FOLDER, name))]));

const PLUGIN = 'counterproof_pytest';

export interface StepPlaces {
  readonly scratch: string;
  readonly planFolder: string;
  /** Holds the plugin. */
  readonly library: string;
  readonly nonce: string;
}

/** pytest's own cache: empty in each step. */
export const cacheFolder = (scratch: string): string => path.join(scratch, 'cache');

/**
 * Folders under `scratch` that exist before the lane starts. In a cache folder that is not there
 * pytest lays out a README and what keeps others from it: 2 ms of each step, for nobody.
 */
export const stepFolders = (scratch: string): readonly string[] => [
  temporaryFolder(scratch),
  path.join(scratch, 'hypothesis'),
  cacheFolder(scratch),
];

/**
 * Variables that have to get from a wrapper (tox, nox, a container) to pytest. Without the
 * first four there is no channel at all.
 */
export const PASSED_THROUGH: readonly string[] = [
  'COUNTERPROOF_DIR',
  'COUNTERPROOF_RUN',
  'COUNTERPROOF_SLOT',
  'PYTEST_PLUGINS',
  'PYTHONPATH',
  'PYTEST_ADDOPTS',
  'PYTHONHASHSEED',
  'PYTHONDONTWRITEBYTECODE',
  'HYPOTHESIS_STORAGE_DIRECTORY',
  'TMPDIR',
  'TEMP',
  'TMP',
];

export function stepEnvironment(
  inherited: Readonly<Record<string, string>>,
  lane: Readonly<Record<string, string>>,
  { scratch, planFolder, library, nonce }: StepPlaces,
): Record<string, string> {
  const env: Record<string, string> = { ...inherited, ...lane };
  // Where this program is itself run by a recorded test, its lanes are sessions of their own.
  delete env['COUNTERPROOF_SESSION'];
  delete env['COUNTERPROOF_TEST'];
  // Where a user moved pytest's own temporary folder, it has to move along.
  if (env['PYTEST_DEBUG_TEMPROOT'] !== undefined)
    env['PYTEST_DEBUG_TEMPROOT'] = temporaryFolder(scratch);
  return {
    ...env,
    COUNTERPROOF_DIR: planFolder,
    COUNTERPROOF_RUN: nonce,
    PYTEST_PLUGINS: joined(env['PYTEST_PLUGINS'], PLUGIN),
    // An empty PYTHONPATH must not become an empty entry, which means the working directory.
    PYTHONPATH: env['PYTHONPATH'] ? `${library}${path.delimiter}${env['PYTHONPATH']}` : library,
    // Only stops writing: stale files are still read, so they are purged before every step.
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONHASHSEED: hashSeed(env['PYTHONHASHSEED']),
    HYPOTHESIS_STORAGE_DIRECTORY: path.join(scratch, 'hypothesis'),
    ...temporaryVariables(scratch),
  };
}

const joined = (given: string | undefined, name: string): string =>
  given === undefined || given.trim() === '' ? name : `${given},${name}`;
