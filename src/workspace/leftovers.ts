/** What a test run wrote into the tree: it may decide a later run, so it is at least named. */
import { lookAtAll, walkAll } from './walk.js';

/**
 * Untracked files with what tells a rewritten one: path → size and change of content. Folders,
 * with a slash at their end, are in it too: an empty one is a usual lock, as making it is atomic.
 */
export type UntrackedSnapshot = ReadonlyMap<string, string>;

export interface LeftoverOptions {
  /** The tree's top: absolute. */
  readonly tree: string;
  /** Tree-relative; null: there is no git, and every file counts. */
  readonly tracked: ReadonlySet<string> | null;
}

/**
 * A cheap listing (names, sizes, times; no content). Bytecode, virtual environments, caches and
 * our own files are left out: they are dealt with elsewhere, or nobody's concern.
 */
export async function untrackedSnapshot(options: LeftoverOptions): Promise<UntrackedSnapshot> {
  const { tree, tracked } = options;
  const { files, folders } = await walkAll(tree);
  const paths = files.filter((path) => tracked?.has(path) !== true);
  const listed = new Map<string, string>(folders.map((folder) => [folder, 'folder']));
  await lookAtAll(tree, paths, (path, stats) => {
    if (stats !== null) listed.set(path, `${stats.size} ${stats.mtimeNs}`);
  });
  return listed;
}

/** Tree-relative paths of untracked files that are new, rewritten or gone since, sorted. */
export async function leftoversSince(
  before: UntrackedSnapshot,
  options: LeftoverOptions,
): Promise<string[]> {
  const now = await untrackedSnapshot(options);
  const differing = [...now].filter(([path, state]) => before.get(path) !== state);
  const gone = [...before.keys()].filter((path) => !now.has(path));
  return [...differing.map(([path]) => path), ...gone].toSorted();
}
