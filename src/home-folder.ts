/** The user's own folders outside the tree: where they lie, and how they are made. */
import { mkdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute } from 'node:path';

/** `HOME`, or what the system knows: a relative one would lie wherever we happen to stand. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const home = environment['HOME'];
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch {
    // A container's user may have no name, and no home.
    return '/';
  }
}

/**
 * Makes a folder and those above it. Node's own way to do so never ends where the system says
 * ENOENT of a folder in one that exists, as it does below `/proc`.
 *
 * @throws what the system says
 */
export async function makeFolders(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder) throw error;
    await makeFolders(above, mode);
    await makeOne(folder, mode);
  }
}

/** Another process may have been faster. */
async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isThere = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
