/** The end of a slot's process when nobody asks for it: its coordinator is gone, or a signal came. */
import type { KeptWork } from '../workspace/workspace.js';
import type { Worker } from './worker.js';

/**
 * Puts the tree back, builds it anew, and takes away what is beside it. Whatever fails, what comes
 * after it is done all the same, except that nothing is built where a file is not back.
 *
 * @param last the call that is being answered
 * @param say told of each failure, in whole lines
 * @param keepWord told of somebody's work that was set aside: nobody else will be
 * @returns the exit code: 1 where something failed
 */
export async function leaveSlot(
  { handlers }: Pick<Worker, 'handlers'>,
  last: Promise<void>,
  say: (text: string) => void,
  keepWord: (kept: readonly KeptWork[]) => Promise<void>,
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
  if (outcome?.kind === 'kept') await attempt(keepWord(outcome.kept));
  if (outcome?.kind === 'failed') fail(`${outcome.path} is not back: ${outcome.why}`);
  else if (outcome !== null)
    for (const { lane, why } of (await attempt(handlers.rebuild(null, ignore))) ?? [])
      fail(`lane ${lane}: ${why}`);
  await attempt(handlers.close(null, ignore));
  return code;
}

const ignore = (): void => undefined;
