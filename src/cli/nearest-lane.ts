import { readFile } from 'node:fs/promises';
import { join, posix, relative, resolve } from 'node:path';
import { dirtyFiles, trackedFiles } from '../git/tree.js';
import { pytestConfigFile } from '../lane/pytest/detect/ini.js';
import { pythonFilesIn } from '../lane/pytest/detect/python-files.js';
import { classifyFile, PYTHON_FILES, type ClassifyRules } from '../prove/classify.js';
import { type Change, pathOf } from '../prove/fix.js';
import { importersOf } from '../prove/nearest.js';
import { matchesPath } from '../spec/path-pattern.js';
import type { LaneConfig } from '../spec/model.js';
import type { OpenedProject } from './project.js';

export interface NearestRequest {
  readonly project: OpenedProject;
  readonly lane: LaneConfig;
  readonly rules: ClassifyRules;
  readonly changes: readonly Change[];
}

/** From this share of all test files on, the whole lane takes hardly longer. */
const WORTH_IT = 0.7;

/**
 * The same lane with the test files that are likeliest to notice: those of the range, and those
 * that import what it changed.
 *
 * @returns null: the whole lane is as near
 */
export async function nearestLane(request: NearestRequest): Promise<LaneConfig | null> {
  const { project, lane, rules, changes } = request;
  if (lane.runner !== 'pytest') return null;
  const { tree, root } = project;
  const cwd = resolve(root, lane.cwd);
  const files = (await filesIn(tree)).filter((path) => isTestFile(path, rules));
  const limits = lane.paths.map((path) => relative(tree, resolve(cwd, path)));
  if (lane.paths.some((path) => path.includes('::'))) return null;
  const inLane = files.filter(
    (path) => limits.length === 0 || limits.some((limit) => matchesPath(limit, path)),
  );
  const changed = new Set(
    changes.filter((change) => change.class === 'test').map((change) => pathOf(change)),
  );
  const sources = changes
    .filter((change) => change.class === 'source')
    .flatMap(({ parts }) => parts.map(({ file }) => file.path));
  const texts = await Promise.all(
    inLane.map(async (path) => ({
      path,
      text: await readFile(join(tree, path), 'utf8').catch(() => ''),
    })),
  );
  const importers = importersOf([...new Set(sources)], texts);
  const near = [...new Set([...inLane.filter((path) => changed.has(path)), ...importers])];
  if (near.length === 0 || near.length > inLane.length * WORTH_IT) return null;
  const paths = near.map((path) => relative(cwd, join(tree, path)));
  // Which file pytest takes its settings from depends on the paths that it is given.
  if (pytestConfigFile(cwd, paths, lane.args) !== pytestConfigFile(cwd, lane.paths, lane.args))
    return null;
  return { ...lane, name: `${lane.name}, nearest tests`, paths };
}

async function filesIn(tree: string): Promise<readonly string[]> {
  const tracked = await trackedFiles(tree);
  const dirty = await dirtyFiles(tree);
  return [...(tracked.ok ? tracked.value.paths : []), ...(dirty.ok ? dirty.value.untracked : [])];
}

const isTestFile = (path: string, rules: ClassifyRules): boolean =>
  path.endsWith('.py') &&
  !/(^|\/)(conftest|__init__)\.py$/.test(path) &&
  (classifyFile(path, rules).class === 'test' ||
    rules.pythonFiles.some((glob) => matchesPath(glob, posix.basename(path))));

/** What pytest takes for test files in this lane. */
export function pythonFilesOf(
  lane: LaneConfig,
  { root }: Pick<OpenedProject, 'root'>,
): readonly string[] {
  if (lane.runner !== 'pytest') return PYTHON_FILES;
  const config = pytestConfigFile(resolve(root, lane.cwd), lane.paths, lane.args);
  return (config === null ? null : pythonFilesIn(config)) ?? PYTHON_FILES;
}
