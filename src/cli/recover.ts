import { lockTree } from '../workspace/lock.js';
import { leaveStateFolders } from '../workspace/state-folder.js';
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
    'Exit code: 0 restored or nothing to do, 4 somebody had written into a mutated file (kept aside), or a file could not be put back, 2 another run works on this tree.',
  run,
});

async function run(args: Parsed<typeof options>): Promise<number> {
  const { tree } = await findPlace(args);
  const lock = await lockTree({ tree, command: args.commandLine, onCompromised: () => undefined });
  if (!lock.ok) throw new CommandError(`${lock.error.message}\nIt puts the tree back by itself.`);
  try {
    const outcome = await recoverTree(tree);
    const text = recoveryText(outcome);
    printResult(outcome.kind === 'nothing' ? `Nothing to put back in ${tree}.\n${text}` : text);
    return outcome.kind === 'kept' || outcome.kind === 'failed' ? EXIT.notRestored : EXIT.proven;
  } finally {
    await leaveStateFolders(tree);
    await lock.value.release();
  }
}
