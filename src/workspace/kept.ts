/** Somebody's work, found where a mutation stood: moved aside, named, never deleted by us. */
import { appendFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, look, syncFolder } from './durable.js';
import { OWN_FOLDER } from './names.js';
import { prepareOwnFolder } from './own-folder.js';
import type { KeptWork } from './workspace.js';

export interface Keeper {
  /** Moves a file, link or folder aside. `path`: tree-relative, under which it is reported. */
  keep(from: string, path: string): Promise<KeptWork>;
  /** Writes down that a file had been deleted: there are no bytes to keep, and still it is said. */
  keepDeletion(path: string): Promise<KeptWork>;
}

/**
 * `<tree>/.counterproof/kept/<time>/<path>`: in the dotted folder, where no test runner looks
 * for tests. A folder a run; a second file of one path gets a folder of its own.
 */
export function keeper(tree: string): Keeper {
  const stamp = `${new Date().toISOString().replaceAll(':', '')}-${process.pid}`;
  const top = join(tree, OWN_FOLDER, 'kept');

  async function placeFor(path: string): Promise<string> {
    const own = await prepareOwnFolder(tree);
    if (!own.ok) throw new Error(own.error);
    let place = join(top, stamp, path);
    for (let n = 2; (await look(place)) !== null; n++) place = join(top, `${stamp}-${n}`, path);
    await mkdir(dirname(place), { recursive: true });
    return place;
  }

  return {
    async keep(from, path) {
      const keptAs = await placeFor(path);
      try {
        await rename(from, keptAs);
      } catch (error) {
        // A mount or a subvolume below the tree.
        if (codeOf(error) !== 'EXDEV') throw error;
        await cp(from, keptAs, {
          recursive: true,
          preserveTimestamps: true,
          verbatimSymlinks: true,
        });
        await rm(from, { recursive: true });
      }
      await syncFolder(dirname(keptAs));
      return { path, keptAs };
    },
    async keepDeletion(path) {
      const keptAs = await placeFor('deleted.txt');
      const text = `${path} had been deleted while a mutation stood in it; the original was put back.\n`;
      await appendFile(keptAs, text);
      return { path, keptAs };
    },
  };
}
