/** Checksums of files of the tree, as they are on disk now. */
import { join } from 'node:path';
import { checksum } from './checksum.js';
import { codeOf } from './durable.js';

/** null: there is no file. */
export async function sumsOf(
  tree: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const sums = new Map<string, string | null>();
  for (const path of paths) {
    try {
      sums.set(path, await checksum(join(tree, path)));
    } catch (error) {
      // A folder stands where the file was: the file is absent.
      if (codeOf(error) !== 'EISDIR') throw error;
      sums.set(path, null);
    }
  }
  return sums;
}
