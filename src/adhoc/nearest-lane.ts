/** The tests of a lane that are likeliest to notice a change, as a lane of their own. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { dirtyFiles, trackedFiles } from '../git/tree.js';
import { classifyCommand } from '../lane/pytest/command.js';
import { pytestConfigFile } from '../lane/pytest/detect/ini.js';
import { listSettingIn, type ListSetting } from '../lane/pytest/detect/settings.js';
import { importersOf } from '../lane/pytest/importers.js';
import { PYTHON_FILES } from '../prove/classify.js';
import { PYTHON_NAMES, type PythonNames } from '../prove/python-tests.js';
import { matchesPath } from '../spec/path-pattern.js';
import type { LaneConfig, PytestLane } from '../spec/model.js';

export interface NearestRequest {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  readonly root: string;
  readonly lane: LaneConfig;
  /** What changes, relative to the tree; files in which tests stand among them. */
  readonly sources: readonly string[];
  /** Files, relative to the tree, whose tests are asked whatever they import. */
  readonly named: readonly string[];
}

export interface Nearest {
  readonly lane: LaneConfig;
  /** Test files in it, relative to the tree. */
  readonly files: readonly string[];
  /** Test files that the whole lane looks into. */
  readonly of: number;
}

/** From this share of all test files on, the whole lane takes hardly longer. */
const WORTH_IT = 0.7;

/** What a `conftest.py` holds reaches every test below it, whatever that imports. */
const REACHES_ALL = /(^|\/)conftest\.py$/;

/**
 * The same lane with the test files that are named, and those that import what changes. None of
 * them is one that the lane itself would not look into.
 *
 * @returns null: the whole lane is as near, or how it chooses its files is its own affair
 */
export async function nearestLane(request: NearestRequest): Promise<Nearest | null> {
  const { tree, root, lane, sources, named } = request;
  if (lane.runner !== 'pytest' || choosesItself(lane, resolve(root, lane.cwd))) return null;
  if (sources.some((path) => REACHES_ALL.test(path))) return null;
  const cwd = resolve(root, lane.cwd);
  const files = await testFilesOf(lane, { tree, root });
  const wanted = new Set([...named, ...sources]);
  const texts = await Promise.all(
    files.map(async (path) => ({
      path,
      text: await readFile(join(tree, path), 'utf8').catch(() => ''),
    })),
  );
  const importers = importersOf([...new Set(sources)], texts);
  const near = [...new Set([...files.filter((path) => wanted.has(path)), ...importers])];
  if (near.length === 0 || near.length > files.length * WORTH_IT) return null;
  const paths = near.map((path) => relative(cwd, join(tree, path)));
  // Which file pytest takes its settings from depends on the paths that it is given.
  if (configOf(lane, root, paths) !== configOf(lane, root, lane.paths)) return null;
  const narrowed = { ...lane, name: `${lane.name}, nearest tests`, paths };
  return { lane: narrowed, files: near, of: files.length };
}

/** Files or tests that the command itself names would be run beside the nearest ones. */
function choosesItself(lane: PytestLane, cwd: string): boolean {
  const command = lane.command === 'auto' ? [] : lane.command;
  if (command.length > 0 && classifyCommand(command).kind !== 'pytest') return true;
  const start = command.findIndex((word) => /^py\.?test$/.test(basename(word))) + 1;
  return [...command.slice(start), ...lane.args].some(
    (word) => !word.startsWith('-') && existsSync(resolve(cwd, word.split('::')[0] ?? word)),
  );
}

/** Folders that pytest does not look into by itself. */
const PASSED_OVER = ['*.egg', '.*', '_darcs', 'build', 'CVS', 'dist', 'node_modules', 'venv'];

/** The test files that the lane looks into, by their names and places alone. */
async function testFilesOf(
  lane: PytestLane,
  { tree, root }: Pick<NearestRequest, 'tree' | 'root'>,
): Promise<readonly string[]> {
  const cwd = resolve(root, lane.cwd);
  const patterns = pythonFilesOf(lane, root);
  const passedOver = settingOf(lane, root, 'norecursedirs') ?? PASSED_OVER;
  const given = lane.paths.length > 0 ? lane.paths : (testPathsOf(lane, root) ?? ['.']);
  const limits = given.map((path) => relative(tree, resolve(cwd, path)));
  return (await filesIn(tree)).filter((path) => {
    const limit = limits.find((each) => matchesPath(each, path));
    if (limit === undefined || !isTestFile(path, patterns)) return false;
    const below = path.slice(/[*?]/.test(limit) ? path.lastIndexOf('/') : limit.length);
    const folders = below.split('/').slice(0, -1);
    return !folders.some((folder) => passedOver.some((glob) => isNamed(glob, folder)));
  });
}

const isNamed = (glob: string, folder: string): boolean =>
  folder !== '' && matchesPath(glob, folder);

/** pytest follows this setting only where it is started in the folder of its settings. */
function testPathsOf(lane: PytestLane, root: string): readonly string[] | null {
  const config = configOf(lane, root, lane.paths);
  if (config === null || dirname(config) !== resolve(root, lane.cwd)) return null;
  return listSettingIn(config, 'testpaths');
}

const isTestFile = (path: string, patterns: readonly string[]): boolean =>
  path.endsWith('.py') &&
  !/(^|\/)(conftest|__init__)\.py$/.test(path) &&
  patterns.some((glob) => matchesPath(glob, glob.includes('/') ? path : posix.basename(path)));

async function filesIn(tree: string): Promise<readonly string[]> {
  const tracked = await trackedFiles(tree);
  const dirty = await dirtyFiles(tree);
  return [...(tracked.ok ? tracked.value.paths : []), ...(dirty.ok ? dirty.value.untracked : [])];
}

const configOf = (lane: PytestLane, root: string, paths: readonly string[]): string | null =>
  pytestConfigFile(resolve(root, lane.cwd), paths, lane.args);

function settingOf(lane: PytestLane, root: string, name: ListSetting): readonly string[] | null {
  const config = configOf(lane, root, lane.paths);
  return config === null ? null : listSettingIn(config, name);
}

/** What pytest takes for test files in this lane. */
export const pythonFilesOf = (lane: LaneConfig, root: string): readonly string[] =>
  (lane.runner === 'pytest' ? settingOf(lane, root, 'python_files') : null) ?? PYTHON_FILES;

/** What pytest takes for tests in the test files of these lanes. */
export function pythonNamesOf(lanes: readonly LaneConfig[], root: string): PythonNames {
  const own = lanes.filter((lane) => lane.runner === 'pytest');
  if (own.length === 0) return PYTHON_NAMES;
  const all = (name: ListSetting, usual: readonly string[]): readonly string[] => [
    ...new Set(own.flatMap((lane) => settingOf(lane, root, name) ?? usual)),
  ];
  return {
    functions: all('python_functions', PYTHON_NAMES.functions),
    classes: all('python_classes', PYTHON_NAMES.classes),
  };
}
