/** What is isolated, locked and journalled (the tree), and where the project lies in it (the root). */
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';

export interface Tree {
  /** Real, absolute path: the git top level, or the root where there is no git. */
  readonly tree: string;
  /** The project's root, relative to the tree, with forward slashes; `.` where they are the same. */
  readonly root: string;
}

/**
 * Both paths are resolved, because git reports its top level with symlinks resolved and a shell
 * does not. A top level that does not contain the root is not this project's. Throws ENOENT.
 */
export async function findTree(root: string, gitTopLevel: string | null): Promise<Tree> {
  const realRoot = await realpath(root);
  if (gitTopLevel === null) return { tree: realRoot, root: '.' };
  const tree = await realpath(gitTopLevel);
  if (realRoot === tree) return { tree, root: '.' };
  if (!realRoot.startsWith(tree === sep ? sep : `${tree}${sep}`)) {
    return { tree: realRoot, root: '.' };
  }
  return { tree, root: relative(tree, realRoot).split(sep).join('/') };
}
