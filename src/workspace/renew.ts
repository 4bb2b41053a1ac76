/** A time of its own for a file that came back, where a build tells by times what it must do. */
import { lstat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { look, seconds } from './durable.js';
import { unbuiltLanes } from './unbuilt.js';

/**
 * Cargo compares a file's time with that of its last build. Whoever else builds in this tree (an
 * editor that checks as files change) may have built the mutant while it stood, and would keep
 * it for good beside an original that has its old time. So the files of crates get the time at
 * which they came back, unless their own lies later still; and so do all files of a tree with a
 * lane whose build was made of the mutant, since `make` and its like go by times too.
 *
 * @param path tree-relative; what stands there was verified to be the original
 */
export async function renewTime(tree: string, path: string): Promise<void> {
  const isBuilt = (await unbuiltLanes(tree)).length > 0;
  if (!isBuilt && !(await liesInCrate(tree, path))) return;
  const file = join(tree, path);
  const there = await lstat(file, { bigint: true });
  // The clock of files goes finer than this one.
  const now = BigInt(Date.now() + 1) * 1_000_000n;
  if (!there.isFile() || there.mtimeNs >= now) return;
  await utimes(file, seconds(there.atimeNs), seconds(now));
}

async function liesInCrate(tree: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((await look(join(tree, folder, 'Cargo.toml')))?.isFile() === true) return true;
    if (folder === '.') return false;
  }
}
