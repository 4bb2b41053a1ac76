/** The user's own folders outside the tree: where they lie, and how they are made. */
import { mkdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** `HOME`, or what the system knows: a relative one would lie wherever we happen to stand. */
export function homeFolder(environment: Environment): string {
  const home = environment['HOME'];
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch {
    // A container's user may have no name, and no home.
    return '/';
  }
}

/** What can be made again lies below it: `$XDG_CACHE_HOME`, by default `~/.cache`. */
export const cacheHome = (environment: Environment): string =>
  configured(environment['XDG_CACHE_HOME']) ?? join(homeFolder(environment), '.cache');

/** What must outlive a run lies below it: `$XDG_STATE_HOME`, by default `~/.local/state`. */
export const stateHome = (environment: Environment): string =>
  configured(environment['XDG_STATE_HOME']) ?? join(homeFolder(environment), '.local', 'state');

/** The specification of these folders says to ignore a relative path. */
const configured = (path: string | undefined): string | null =>
  path !== undefined && isAbsolute(path) ? path : null;

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
