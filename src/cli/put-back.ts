import { existsSync } from 'node:fs';
import { commitFolder } from '../adhoc/laid-out.js';
import { endOrphansOf } from '../engine/orphans.js';
import { storedMutants } from '../engine/stored-mutants.js';
import { takeAway } from '../git/worktree.js';
import { unreachable } from '../result.js';
import { recover, type RecoverOutcome } from '../workspace/recover.js';
import { forgetUnbuilt, unbuiltLanes } from '../workspace/unbuilt.js';
import { buildText } from './build-left.js';
import { CommandError, EXIT } from './exit.js';
import { printMessage } from './output.js';

/**
 * Puts the tree back after a run that was killed, and ends what that run left running. Call
 * with the tree's lock held.
 *
 * @returns tree-relative files that are back, and those of which a lane may still be built
 * @throws CommandError where somebody's work was kept aside, or a file could not be put back
 */
export async function putBack(tree: string): Promise<readonly string[]> {
  const outcome = await recoverTree(tree);
  const text = recoveryText(outcome);
  if (outcome.kind === 'nothing' || outcome.kind === 'restored') {
    const files = outcome.kind === 'nothing' ? [] : outcome.files.map(({ path }) => path);
    if (files.length > 0) printMessage(`An earlier run was killed. ${text}`);
    else if (text !== '') printMessage(text);
    const built = (await unbuiltLanes(tree)).flatMap(({ paths }) => paths);
    return [...new Set([...files, ...built])];
  }
  throw new CommandError(
    `An earlier run was killed. ${text.trimEnd()}\nNothing was run. Look at this first, then start again.`,
    EXIT.notRestored,
  );
}

export type Recovered = RecoverOutcome & {
  /** One sentence for each mutant that somebody gave to git while it stood in the tree. */
  readonly inGit: readonly string[];
};

export async function recoverTree(tree: string): Promise<Recovered> {
  const outcome = await recoverOne(tree);
  await takeLeftCommit(tree);
  return { ...outcome, inGit: await givenToGit(tree, outcome) };
}

async function givenToGit(tree: string, outcome: RecoverOutcome): Promise<readonly string[]> {
  const undone = outcome.kind === 'nothing' ? [] : outcome.undone;
  if (undone.length === 0) return [];
  const startedAt = new Date(Math.min(...undone.map(({ at }) => at.getTime())));
  return storedMutants(
    { tree, project: 'unknown', startedAt },
    undone.map(({ label, files }) => ({
      mutation: { id: label },
      files: files.map(({ path, after }) => ({ path, mutated: after })),
    })),
  );
}

/**
 * Takes away the commit that a killed run had laid out, once whatever still works on it is ended.
 * Call with the lock of the tree held.
 */
export async function takeLeftCommit(tree: string): Promise<void> {
  const folder = commitFolder(tree);
  if (!existsSync(folder)) return;
  await recoverOne(folder);
  for (const lane of await unbuiltLanes(folder)) {
    printMessage(
      `Lane ${lane.lane} was built there, maybe of a mutant: what it installed elsewhere comes back by ${buildText(lane)}\n`,
    );
    await forgetUnbuilt(folder, { ...lane, lanes: new Set([lane.lane]) });
  }
  await takeAway(tree, folder);
  printMessage(`Took away the commit that an earlier run had laid out: ${folder}\n`);
}

async function recoverOne(tree: string): Promise<RecoverOutcome> {
  return recover(tree, {
    onWait: ({ pid }) => {
      printMessage(`Waiting for process ${pid} of an earlier run to put the tree back …\n`);
    },
    async onAlone() {
      for (const { pid, command } of await endOrphansOf(tree))
        printMessage(`Ended process ${pid}, which an earlier run had left: ${command}\n`);
    },
  });
}

/** What was done, in whole sentences with a line break at the end; empty: nothing was to do. */
export function recoveryText(outcome: Recovered): string {
  const notes = [...outcome.notes, ...outcome.inGit].map((note) => `${note}\n`).join('');
  switch (outcome.kind) {
    case 'nothing':
      return notes;
    case 'restored':
      return `${restoredText(outcome.files)}${notes}`;
    case 'kept':
      return (
        restoredText(outcome.files) +
        outcome.kept
          .map(
            ({ path, keptAs }) => `Somebody had written into ${path}: that is kept as ${keptAs}\n`,
          )
          .join('') +
        notes
      );
    case 'failed':
      return (
        `${outcome.path} could not be put back: ${outcome.why}\n` +
        `Its original is kept in ${outcome.original}\n${notes}`
      );
    default:
      return unreachable(outcome);
  }
}

function restoredText(files: readonly { readonly path: string }[]): string {
  if (files.length === 0) return '';
  return `Back as before the run that was killed: ${files.map(({ path }) => path).join(', ')}\n`;
}
