/** The end of a slot's process when nobody asks for it: its coordinator is gone, or a signal came. */
import type { KeptWork } from '../workspace/workspace.js';
import type { Unbuilt } from './protocol.js';
import type { Worker } from './worker.js';

export interface Leaving {
  /** The coordinator had it build, and knows what came of it: a build that was ended is not begun again. */
  readonly isClosed: boolean;
  /** Told of somebody's work that was set aside: nobody else will be. */
  readonly kept: (kept: readonly KeptWork[]) => Promise<void>;
  /** Told that all lanes were built anew, but for these. */
  readonly built: (unbuilt: readonly Unbuilt[]) => Promise<void>;
}

/**
 * Puts the tree back, builds it anew, and takes away what is beside it. Whatever fails, what comes
 * after it is done all the same, except that nothing is built where a file is not back.
 *
 * @param last the call that is being answered
 * @param say told of each failure, in whole lines
 * @returns the exit code: 1 where something failed
 */
export async function leaveSlot(
  { handlers }: Pick<Worker, 'handlers'>,
  last: Promise<void>,
  say: (text: string) => void,
  { isClosed, kept, built }: Leaving,
): Promise<0 | 1> {
  let code: 0 | 1 = 0;
  const fail = (text: string): null => {
    say(`${text}\n`);
    code = 1;
    return null;
  };
  const attempt = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) =>
      fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );

  await attempt(last);
  const outcome = await attempt(handlers.takeBack(null, ignore));
  if (outcome?.kind === 'kept') await attempt(kept(outcome.kept));
  if (outcome?.kind === 'failed') fail(`${outcome.path} is not back: ${outcome.why}`);
  else if (outcome !== null && !isClosed) {
    const unbuilt = await attempt(handlers.rebuild(null, ignore));
    for (const { lane, why } of unbuilt ?? []) fail(`lane ${lane}: ${why}`);
    if (unbuilt !== null) await attempt(built(unbuilt));
  }
  await attempt(handlers.close(null, ignore));
  return code;
}

const ignore = (): void => undefined;
