import { onCommit as onLaidOut, type LaidOut as There } from '../adhoc/laid-out.js';
import type { LaneConfig } from '../spec/model.js';
import { CommandError } from './exit.js';
import type { OpenedProject } from './project.js';

export type LaidOut = Omit<There, 'place'> & { readonly project: OpenedProject };

/** @throws CommandError where the commit cannot be laid out, or another run is at work */
export async function onCommit<T>(
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
  work: (there: LaidOut) => Promise<T>,
): Promise<T> {
  const done = await onLaidOut({ ...request, place: project }, ({ place, ...there }) =>
    work({ ...there, project: { ...project, ...place } }),
  );
  if (!done.ok) throw new CommandError(done.error);
  return done.value;
}
