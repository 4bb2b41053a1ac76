/** Where the layers of overlay slots lie: in the user's cache folder, never in or above the tree. */
import { access, constants, mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheHome, makeFolders } from '../../home-folder.js';
import { err, ok, type Result } from '../../result.js';
import { sha256, shortSum } from '../checksum.js';
import { reasonOf } from '../durable.js';
import { prepareOwnFolder } from '../own-folder.js';
import { removeFolder } from '../remove-folder.js';
import { isOwn } from '../state-folder.js';
import { makeUpper } from './upper.js';

/** Names in the folder of one slot; plain, so that none needs quoting in mount options. */
export const LAYER_NAMES = {
  /** The real tree, under a name that no overlay covers. */
  lower: 'lower',
  /** No file at all: an overlay without an upper layer needs two lower ones. */
  empty: 'empty',
  /** Where the layers below the upper one are mounted to be looked at alone. */
  below: 'below',
  requests: 'requests',
  answers: 'answers',
} as const;

/** In our own folder in the tree: what a worker replaces in its overlay, to see whether that works. */
export const TRIED_FOLDER = 'overlay';
export const TRIED_FILE = 'file';

/** Every folder in which layers of this tree may lie, best first; absolute. */
export function layerFolders(
  tree: string,
  environment: NodeJS.ProcessEnv = process.env,
): readonly string[] {
  const key = shortSum(sha256(Buffer.from(tree)));
  const user = process.getuid?.() ?? 'user';
  return [
    join(cacheHome(environment), 'counterproof', key, 'layers'),
    // Anybody can write there, so the name holds the user and the owner is looked at.
    join(tmpdir(), `counterproof-cache-${user}`, key, 'layers'),
  ];
}

/** Makes a folder of `layerFolders`, and says why layers cannot lie there; null: they can. */
export async function layerFolderProblem(folder: string, tree: string): Promise<string | null> {
  // An upper layer below its own lower one mounts, but not a second lower one (ELOOP).
  if (`${folder}/`.startsWith(`${tree}/`) || tree === '/') return `${folder} lies inside the tree`;
  try {
    await makeFolders(folder, 0o700);
    if (!(await isOwn(folder))) return `${folder} belongs to somebody else`;
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `${folder} cannot be written: ${reasonOf(error)}`;
  }
}

/**
 * Makes all that the first process of a slot and its worker expect: `OVERLAY_SCRIPT` mounts `u0`
 * over the tree, and the worker tries it in our own folder there.
 *
 * @param layers absolute; does not exist yet
 */
export async function prepareSlotLayers(
  layers: string,
  tree: string,
): Promise<Result<void, string>> {
  const own = await prepareOwnFolder(tree);
  if (!own.ok) return own;
  try {
    const tried = join(own.value, TRIED_FOLDER);
    await mkdir(tried, { recursive: true });
    await writeFile(join(tried, TRIED_FILE), '');
    await mkdir(layers, { recursive: true, mode: 0o700 });
    for (const name of [LAYER_NAMES.lower, LAYER_NAMES.empty, LAYER_NAMES.below])
      await mkdir(join(layers, name));
    await makeUpper(layers, { upper: 'u0', work: 'w0' }, tree);
    return ok(undefined);
  } catch (error) {
    return err(`layers cannot be made in ${layers}: ${reasonOf(error)}`);
  }
}

/** Removes what earlier runs on this tree left. Call with the tree's lock held, before a slot is started. */
export async function removeLayersOf(
  tree: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  for (const folder of layerFolders(tree, environment)) {
    if (!(await isOwn(folder))) continue;
    for (const name of await readdir(folder)) await removeFolder(join(folder, name));
  }
}
