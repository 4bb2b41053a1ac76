import { relative, sep } from 'node:path';
import { uncommittedChanges, uncommittedTexts } from '../adhoc/uncommitted.js';
import { namedEdits } from '../adhoc/asked.js';
import { chosenLane } from './chosen-lane.js';
import { CommandError } from './exit.js';
import { nothingToProve } from './nothing.js';
import { workOnCommit } from './laid-out.js';
import { interpreterOption, openProject } from './project.js';
import type { TryArgs } from './try-options.js';
import { rulesIn } from './try-rules.js';
import { checkSaved, meant, measure, mutationOf, save, type Tried } from './try-work.js';

/** The source that is not committed, as a mutation of the last commit. */
export async function tryUncommitted(args: TryArgs): Promise<number> {
  const [named] = namedEdits(args);
  if (named !== undefined)
    throw new CommandError(
      `${named} goes with a file: counterproof try FILE:LINE ${named} …\nWithout one, what is not committed is tried.`,
    );
  const project = await openProject(args);
  const { tree, root, config } = project;
  const rules = rulesIn(project);
  const inTree = relative(tree, root).replaceAll(sep, '/') || '.';
  const found = await uncommittedChanges(tree, inTree, rules);
  if (!found.ok) {
    const { kind, message } = found.error;
    if (kind === 'unusable') throw new CommandError(message);
    return nothingToProve(args, project, { message, wayOut: WAY_OUT, lanes: config.lanes });
  }
  const { commit, edits, sources, tests, complete } = found.value;
  const lane = chosenLane(
    args,
    project,
    edits.map(({ file }) => file),
  );
  const mutation = mutationOf(args, { id: 'uncommitted', lane, edits });
  await checkSaved(args, mutation, project);
  const python = interpreterOption(args.python, project);
  const laying = { project, commit, lane, python, command: args.commandLine };
  let tried: Tried | null = null;
  const exitCode = await workOnCommit(laying, async (there) => {
    meant(await complete(there.project.tree));
    const { python: own, from } = there;
    tried = await measure(
      args,
      { home: project, project: there.project, python: own, from },
      {
        tree: there.project.tree,
        root: there.project.root,
        lane: there.lane,
        planned: { spec: mutation, pulledIn: false, notApplied: null },
        sources,
        tests,
        extent: args.full ? 'whole lane' : 'nearest first',
        ...uncommittedTexts(found.value),
      },
    );
    return tried.exitCode;
  });
  await save(args, mutation, project, tried ?? { exitCode, flipped: [] });
  return exitCode;
}

const WAY_OUT =
  'Name a line: counterproof try FILE:LINE. What commits changed: counterproof prove.';
