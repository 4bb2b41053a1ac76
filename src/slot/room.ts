/** Whether the disk had room while tests ran: on a full one they fail for a reason of its own. */
import { statfs } from 'node:fs/promises';
import type { Ending } from '../proof/evidence.js';

export interface RoomWatch {
  /** Takes a last look. One sentence where there was no room at some moment; null: there always was. */
  readonly stop: () => Promise<string | null>;
}

/** Too little for what an ordinary test run writes at once. */
const LEAST_BYTES = 8 * 2 ** 20;
const PERIOD_MS = 200;

/** A look costs some 20 µs; what is freed again between two looks is not seen. */
export function watchRoom(folders: readonly string[], least = LEAST_BYTES): RoomWatch {
  let found: string | null = null;
  const look = async (): Promise<void> => {
    for (const folder of folders) {
      const free = await freeBytes(folder);
      if (free !== null && free < least)
        found ??= `there was no room left on the disk of ${folder}`;
    }
  };
  const timer = setInterval(() => {
    void look();
  }, PERIOD_MS);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      return found;
    },
  };
}

/** For this user; null: not to be found out. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bfree, bsize } = await statfs(folder);
    return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  } catch {
    return null;
  }
}

/** The ending of a run that is no verdict, whatever the tests said. */
export const withoutRoom = (ending: Ending, why: string | null): Ending =>
  why === null || ending.kind === 'cancelled' ? ending : { kind: 'incomplete', why, without: [] };
