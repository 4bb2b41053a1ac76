import { onCommit, type LaidOut } from '../adhoc/laid-out.js';
import type { LaneConfig } from '../spec/model.js';
import { CommandError } from './exit.js';
import { catchSignals, exitCodeOf } from './interrupts.js';
import { printMessage } from './output.js';
import type { OpenedProject } from './project.js';
import { takeLeftCommit } from './put-back.js';

export type LaidOutProject = Omit<LaidOut, 'place'> & { readonly project: OpenedProject };

/**
 * A signal that comes while the commit is laid out ends the command once that is taken away again.
 *
 * @returns the exit code
 * @throws CommandError where the commit cannot be laid out, or another run is at work
 */
export async function workOnCommit(
  {
    project,
    ...request
  }: {
    readonly project: OpenedProject;
    readonly commit: string;
    readonly lane: LaneConfig;
    readonly python: string | null;
    readonly command: readonly string[];
  },
  work: (there: LaidOutProject) => Promise<number>,
): Promise<number> {
  const interrupts = catchSignals();
  const ended = (signal: NodeJS.Signals): number => {
    printMessage(`Ended by ${signal} before anything was measured.\n`);
    return exitCodeOf(signal);
  };
  try {
    const done = await onCommit(
      {
        ...request,
        place: project,
        onAlone: () => takeLeftCommit(project.tree),
        onLockLost: (why) => {
          printMessage(`counterproof: ${why}\n`);
        },
      },
      async ({ place, ...there }) => {
        const signal = interrupts.received();
        if (signal !== null) return ended(signal);
        return work({ ...there, project: { ...project, ...place } });
      },
    );
    if (done.ok) return done.value;
    // A signal from the keyboard reaches git too, which then fails.
    const signal = interrupts.received();
    if (signal !== null) return ended(signal);
    throw new CommandError(done.error);
  } finally {
    interrupts.release();
  }
}
