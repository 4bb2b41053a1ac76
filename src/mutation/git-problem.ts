/** Why git does not give what an edit is made of, as a reason why that edit does not land. */
import type { NoRevision, NoSuchFile } from '../git/commit.js';
import type { GitProblem } from '../git/run.js';
import { gitWords } from '../git/words.js';
import { err, type Result } from '../result.js';
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
    default:
      return because(gitWords(error));
  }
}
