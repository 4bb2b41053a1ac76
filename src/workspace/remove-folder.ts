/** Takes a folder away, whatever was done to its modes. */
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Tests leave read-only folders behind, and the kernel a work folder without any mode: `rm`
 * refuses both for an ordinary user. What cannot be removed stays; the next start tries again.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    await makeWritable(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(ignore);
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(ignore);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}

const ignore = (): void => undefined;
