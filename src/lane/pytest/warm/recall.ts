/** What the last run of a lane taught: the next one's interpreter starts beside its baseline. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { cacheHome, makeFolders } from '../../../home-folder.js';
import { treeMark } from '../../process.js';
import { learned, type Learned } from './learned.js';

const recalled = z.object({
  /** Lane, command and versions, of which all else was true. */
  of: z.string(),
  learned,
  /** Packages that were left to each child. */
  exclude: z.array(z.string()),
});

export interface Recalled {
  readonly learned: Learned;
  readonly exclude: readonly string[];
}

/** A guess, and never more: whoever uses it looks whether this run teaches the same. */
export interface Recall {
  /** Null: nothing is known of this lane as it is now. */
  readonly read: () => Promise<Recalled | null>;
  /** Never throws: what cannot be written is learned anew. */
  readonly write: (taught: Recalled) => Promise<void>;
}

/** Below `$XDG_CACHE_HOME`, one file for each lane of a tree. */
export const recallFile = (
  tree: string,
  lane: string,
  env: Readonly<Record<string, string | undefined>>,
): string => {
  const name = `${encodeURIComponent(lane)}.json`;
  return path.join(cacheHome(env), 'counterproof', treeMark(tree), 'warm', name);
};

/** @param of changes with whatever the interpreter's libraries depend on */
export function recallFrom(file: string, of: string): Recall {
  return {
    async read() {
      try {
        const found = recalled.safeParse(JSON.parse(await readFile(file, 'utf8')));
        return found.success && found.data.of === of ? found.data : null;
      } catch {
        return null;
      }
    },
    async write(taught) {
      try {
        await makeFolders(path.dirname(file), 0o700);
        await writeFileAtomic(file, JSON.stringify({ ...taught, of }));
      } catch {
        // A folder that cannot be written costs the next run half a second.
      }
    },
  };
}
