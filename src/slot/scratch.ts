/** Folders outside the tree in which steps keep what is theirs alone, and how they go. */
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeMark } from '../lane/process.js';

/** Short on purpose: a Unix socket that a test opens below TMPDIR has 108 bytes for its path. */
const prefixOf = (tree: string): string => `cp-${treeMark(tree)}-`;

/**
 * An empty folder, at the path of the one before where that is free: a path that changed from
 * step to step would be in messages of tests, and in what a warm interpreter remembers.
 */
export async function makeScratch(tree: string, before: string | null): Promise<string> {
  if (before !== null) {
    const made = await mkdir(before, { mode: 0o700 }).then(
      () => true,
      () => false,
    );
    if (made) return before;
  }
  return mkdtemp(join(tmpdir(), prefixOf(tree)));
}

/** Tests leave read-only folders behind, which `rm` refuses for an ordinary user. */
export async function removeScratch(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    await makeWritable(folder);
    await rm(folder, { recursive: true, force: true }).catch(ignore);
  }
}

/** Removes what slots that were killed have left. Only where no slot works on this tree. */
export async function removeScratchOf(tree: string): Promise<void> {
  const entries = await readdir(tmpdir(), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isDirectory() && entry.name.startsWith(prefixOf(tree)))
      await removeScratch(join(tmpdir(), entry.name));
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(ignore);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}

const ignore = (): void => undefined;
