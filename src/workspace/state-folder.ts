/** Where the second copy of a journal lies: outside the tree, where no `git clean` reaches. */
import { access, constants, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolders, stateHome } from '../home-folder.js';
import { sha256, shortSum } from './checksum.js';
import { look, reasonOf } from './durable.js';

export interface StateFolders {
  /** Every folder in which an earlier run may have left this tree's journal, best first. */
  readonly candidates: readonly string[];
  /** Makes a candidate, and says why it cannot be used; null: it can. */
  problem(candidate: string): Promise<string | null>;
}

/**
 * `$XDG_STATE_HOME/counterproof/<hash of the tree's path>/`, by default under `~/.local/state`;
 * where that cannot be written, the same under the folder for temporary files.
 */
export function stateFolders(
  tree: string,
  environment: NodeJS.ProcessEnv = process.env,
): StateFolders {
  const key = shortSum(sha256(Buffer.from(tree)));
  const user = process.getuid?.() ?? 'user';
  const candidates = [
    join(stateHome(environment), 'counterproof', key),
    // Anybody can write there, so the name holds the user and the owner is looked at.
    join(tmpdir(), `counterproof-state-${user}`, key),
  ];
  return {
    candidates,
    problem: (candidate) => unusable(candidate, tree),
  };
}

/**
 * Whether a folder that is there is the user's own: in a shared place it may be anybody's, and
 * where it lies may not even be looked into.
 */
export async function isOwn(folder: string): Promise<boolean> {
  const there = await look(folder).catch(closedIsNull);
  if (there === null || !there.isDirectory()) return false;
  return process.getuid === undefined || there.uid === BigInt(process.getuid());
}

function closedIsNull(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return null;
  throw error;
}

/** Takes away what a tree no longer needs: nobody is to find an empty folder in their home. */
export async function leaveStateFolders(
  tree: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  for (const folder of stateFolders(tree, environment).candidates) {
    try {
      await rmdir(folder);
      await rmdir(dirname(folder));
    } catch {
      // It is not there, or something still lies in it.
    }
  }
}

async function unusable(folder: string, tree: string): Promise<string | null> {
  if (`${folder}/`.startsWith(`${tree}/`)) return 'it lies inside the tree';
  try {
    await makeFolders(folder, 0o700);
    if (!(await isOwn(folder))) return 'it belongs to somebody else';
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
