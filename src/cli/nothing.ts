import type { LaneConfig } from '../spec/model.js';
import { carryOut } from './carry-out.js';
import { CommandError, EXIT } from './exit.js';
import type { everywhere, proving } from './options.js';
import { printMessage } from './output.js';
import type { Parsed } from './parsed.js';
import type { OpenedProject } from './project.js';
import { carryOutOptions, provingSettings } from './proving.js';

/**
 * Ends a command that has nothing to prove. Whoever asked for a record gets one of a run in which
 * nothing was there to do.
 *
 * @param why in whole sentences, the way out below them
 * @throws CommandError where nobody asked for one
 */
export async function nothingToProve(
  args: Parsed<typeof everywhere & typeof proving>,
  project: OpenedProject,
  why: { readonly message: string; readonly wayOut: string; readonly lanes: readonly LaneConfig[] },
): Promise<number> {
  const text = `${why.message}\n${why.wayOut}`;
  if (!args.json && args.out === undefined && (args.report ?? []).length === 0)
    throw new CommandError(text, EXIT.nothing);
  printMessage(`${text}\n`);
  return carryOut({
    project,
    command: args.commandLine,
    lanes: why.lanes,
    mutations: [],
    settings: provingSettings(args, project.config.defaults, 'no closing run'),
    notVerified: [why.message],
    options: carryOutOptions(args, project),
  });
}
