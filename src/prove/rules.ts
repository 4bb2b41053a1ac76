/** What counts as test code and as source, from the command line and the configuration. */
import { posix, relative, resolve, sep } from 'node:path';
import type { LaneConfig } from '../spec/model.js';
import type { ClassifyRules } from './classify.js';
import type { PythonNames } from './python-tests.js';

type PathRules = Pick<ClassifyRules, 'testPaths' | 'sourcePaths'>;

export interface RuleInput {
  /** Absolute. */
  readonly tree: string;
  /** Absolute folder in which the person stands: options are meant from there. */
  readonly cwd: string;
  /** Root of the project relative to the tree: the configuration is meant from there. */
  readonly root: string;
  /** Left out: the command has none. */
  readonly options?: PathRules;
  readonly configured: PathRules;
  readonly pythonFiles: readonly string[];
  readonly pythonNames: PythonNames;
  readonly lanes: readonly LaneConfig[];
}

const NONE: PathRules = { testPaths: [], sourcePaths: [] };

export function classifyRules(input: RuleInput): ClassifyRules {
  const { tree, cwd, root, options = NONE, configured, pythonFiles, pythonNames, lanes } = input;
  const fromHere = (path: string): string =>
    relative(tree, resolve(cwd, path)).replaceAll(sep, '/') || '.';
  const fromRoot = (path: string): string => posix.join(root, path);
  const both = (kind: keyof PathRules): readonly string[] => [
    ...options[kind].map(fromHere),
    ...configured[kind].map(fromRoot),
  ];
  return {
    testPaths: both('testPaths'),
    sourcePaths: both('sourcePaths'),
    pythonFiles,
    pythonNames,
    runsDoctests: lanes.some((lane) => lane.runner === 'cargo' && lane.targets.includes('doc')),
  };
}
