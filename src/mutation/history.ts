/** The repository's past as edits ask for it; what one mutation asked is kept for the next. */
import { showFile, type NoRevision, type NoSuchFile } from '../git/commit.js';
import type { GitProblem } from '../git/run.js';
import type { Result } from '../result.js';
import { readCommitChanges, type CommitChanges } from './commit-changes.js';
import type { NotApplied } from './edit.js';

export interface History {
  /** A tree-relative file as it was in a revision. */
  showFile(
    rev: string,
    path: string,
  ): Promise<Result<Buffer, GitProblem | NoRevision | NoSuchFile>>;
  /** What a commit, or a range of them, changed. */
  changes(range: string): Promise<Result<CommitChanges, NotApplied>>;
}

/** Mutations of one commit stand side by side in a spec; only its files are worth keeping. */
const MOST_KEPT = 16;

/** @param tree the repository's top folder, absolute */
export function openHistory(tree: string): History {
  const files = keepLast((key: string) => {
    const at = key.indexOf('\0');
    return showFile(tree, key.slice(0, at), key.slice(at + 1));
  });
  return {
    showFile: (rev, path) => files(`${rev}\0${path}`),
    changes: keepLast((range: string) => readCommitChanges(tree, range)),
  };
}

/** What fails is asked again: somebody may have fetched meanwhile. */
function keepLast<T, E>(
  ask: (key: string) => Promise<Result<T, E>>,
): (key: string) => Promise<Result<T, E>> {
  const kept = new Map<string, Promise<Result<T, E>>>();
  return async (key) => {
    const asked = kept.get(key) ?? ask(key);
    kept.delete(key);
    kept.set(key, asked);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    const answer = await asked;
    if (!answer.ok && kept.get(key) === asked) kept.delete(key);
    return answer;
  };
}
