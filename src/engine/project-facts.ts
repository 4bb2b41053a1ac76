import { relative, sep } from 'node:path';
import { headCommit } from '../git/commit.js';
import { dirtyFiles, treeId } from '../git/tree.js';
import type { RunRecord } from '../record/schema.js';

/** Facts of the project that are taken before anything is written. */
export type ProjectFacts = RunRecord['project'];

export async function projectFacts(tree: string, root: string): Promise<ProjectFacts> {
  const [commit, id, dirty] = await Promise.all([headCommit(tree), treeId(tree), dirtyFiles(tree)]);
  return {
    root: relative(tree, root).replaceAll(sep, '/') || '.',
    commit: commit.ok ? commit.value : null,
    tree: id.ok ? id.value : null,
    dirty: dirty.ok ? [...dirty.value.changed, ...dirty.value.untracked] : [],
  };
}
