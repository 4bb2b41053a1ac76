/** Why git does not give what an edit is made of, as a reason why that edit does not land. */
import type { NoRevision, NoSuchFile } from '../git/commit.js';
import type { GitProblem } from '../git/run.js';
import { err, type Result, unreachable } from '../result.js';
import type { NotApplied } from './edit.js';
import { refused } from './problem.js';

export function withoutRevision(
  error: GitProblem | NoRevision | NoSuchFile,
  rev: string,
): Result<never, NotApplied> {
  const because = (hint: string): Result<never, NotApplied> =>
    err({ kind: 'no-revision', rev, hint });
  switch (error.kind) {
    case 'no-revision':
      return because(error.hint);
    case 'no-file':
      return refused(error.path, `cannot be taken from ${rev}: ${error.why}`);
    case 'no-git':
      return because('git is not installed');
    case 'no-repository':
      return because(`${error.dir} is in no git repository`);
    case 'untrusted':
      return because(`the repository belongs to another user: ${error.hint}`);
    case 'failed':
      return because(`git failed: ${error.message}`);
    default:
      return unreachable(error);
  }
}
