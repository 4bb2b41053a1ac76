import { lockTree } from '../workspace/lock.js';
import { leaveStateFolders } from '../workspace/state-folder.js';
import { unbuiltLanes } from '../workspace/unbuilt.js';
import { buildLeft, unbuiltText } from './build-left.js';
import { CommandError, EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import { findPlace } from './project.js';
import { recoverTree, recoveryText } from './put-back.js';

const options = everywhere;

/** `counterproof recover`: put a tree back after a killed run. */
export const recoverCommand = command({
  usage: 'recover',
  describe: 'Put the tree back after a run that was killed',
  positionals: {},
  options,
  epilogue:
    'Exit code: 0 restored or nothing to do, 4 somebody had written into a mutated file (kept aside), a file could not be put back, git keeps a mutant that somebody gave to it, or a lane could not be built anew, 2 another run works on this tree.',
  run,
});

async function run(args: Parsed<typeof options>): Promise<number> {
  const { tree } = await findPlace(args);
  const lock = await lockTree({ tree, command: args.commandLine, onCompromised: () => undefined });
  if (!lock.ok) {
    const { kind, message } = lock.error;
    const more = kind === 'held' ? '\nIt puts the tree back by itself.' : '';
    throw new CommandError(`${message}${more}`);
  }
  try {
    const outcome = await recoverTree(tree);
    const text = recoveryText(outcome);
    printResult(outcome.kind === 'nothing' ? `Nothing to put back in ${tree}.\n${text}` : text);
    const unbuilt =
      outcome.kind === 'failed' ? await unbuiltLanes(tree) : await buildLeft(tree, args);
    for (const lane of unbuilt) printResult(unbuiltText(tree, lane));
    const isBack = outcome.kind === 'nothing' || outcome.kind === 'restored';
    return isBack && unbuilt.length === 0 && outcome.inGit.length === 0
      ? EXIT.proven
      : EXIT.notRestored;
  } finally {
    await leaveStateFolders(tree);
    await lock.value.release();
  }
}
