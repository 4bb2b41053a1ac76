/** Why git has no answer, in words. */
import { unreachable } from '../result.js';
import type { GitProblem } from './run.js';

/** One phrase, which fits behind a colon. */
export function gitWords(problem: GitProblem): string {
  switch (problem.kind) {
    case 'no-git':
      return 'git is not installed';
    case 'no-repository':
      return `${problem.dir} is in no git repository`;
    case 'untrusted':
      return `the repository belongs to another user: ${problem.hint}`;
    case 'failed':
      return `git failed: ${problem.message}`;
    default:
      return unreachable(problem);
  }
}
