import { relative, sep } from 'node:path';
import { pythonFilesOf, pythonNamesOf } from '../adhoc/nearest-lane.js';
import type { ClassifyRules } from '../prove/classify.js';
import { classifyRules } from '../prove/rules.js';
import type { OpenedProject } from './project.js';

/** What counts as test code, whichever lane is asked. */
export function rulesIn(project: OpenedProject): ClassifyRules {
  const { tree, root, config } = project;
  const patterns = config.lanes.flatMap((lane) => pythonFilesOf(lane, root));
  return classifyRules({
    ...project,
    root: relative(tree, root).replaceAll(sep, '/') || '.',
    configured: config.prove,
    pythonFiles: [...new Set(patterns)],
    pythonNames: pythonNamesOf(config.lanes, root),
    lanes: config.lanes,
  });
}
