/** What stands between what was typed and a range, in words, with what to type instead. */
import type { GitProblem } from '../git/run.js';
import { gitWords } from '../git/words.js';

export interface RangeProblem {
  /** `nothing`: there is nothing to prove. `unusable`: what was typed, or the clone, does not do. */
  readonly kind: 'nothing' | 'unusable';
  readonly message: string;
  /** What to type; null: nothing would help. */
  readonly hint: string | null;
}

const PROVE = 'counterproof prove';

export const noCommitYet: RangeProblem = {
  kind: 'nothing',
  message: 'Nothing to prove: there is no commit yet.',
  hint: null,
};

export const sameTree = (old: string, fresh: string): RangeProblem => ({
  kind: 'nothing',
  message: `${old} and ${fresh} are the same commit.`,
  hint: null,
});

/** @param base the default branch that there is; null: there is none but the one that is checked out */
export const nothingAhead = (base: string | null): RangeProblem => ({
  kind: 'nothing',
  message: `Nothing to prove: nothing ahead${base === null ? '' : ` of ${base}`}, and nothing uncommitted.`,
  hint: `${PROVE} HEAD`,
});

/** `b` has nothing that `a` has not. */
export const nothingBetween = (
  a: string,
  b: string,
  are: 'the same commit' | 'older and newer',
): RangeProblem => ({
  kind: 'nothing',
  message:
    are === 'the same commit'
      ? `Nothing to prove: ${a} and ${b} are the same commit.`
      : `Nothing to prove: ${a} has everything that ${b} has.`,
  hint: `${PROVE} ${b}`,
});

export const noDefaultBranch = (names: readonly string[]): RangeProblem => ({
  kind: 'unusable',
  message: `There is no default branch to compare with: no ${names.slice(0, 2).join(' or ')}, here or on a remote.`,
  hint: `${PROVE} HEAD (the last commit), or ${PROVE} BRANCH..HEAD`,
});

/**
 * @param ref what GitHub says is checked out (`GITHUB_REF`): the merge of a pull request is on no
 *   branch, so it must be named
 */
export function noParentHere(
  { text, rev, commit }: { readonly text: string; readonly rev: string; readonly commit: string },
  ref: string,
): RangeProblem {
  const isPullRequest = rev === 'HEAD' && /^refs\/pull\/\d+\/merge$/.test(ref);
  return {
    kind: 'unusable',
    message: `The clone is shallow: what ${text} was made from is not here.`,
    hint: `git fetch --depth=2 origin ${isPullRequest ? ref : commit} && ${PROVE} ${rev}`,
  };
}

export const noAncestor = (
  a: string,
  b: string,
  clone: 'shallow clone' | 'whole clone',
): RangeProblem =>
  clone === 'shallow clone'
    ? {
        kind: 'unusable',
        message: `The clone is shallow: where ${b} left ${a} is not here.`,
        hint: `git fetch --unshallow && ${PROVE} ${a}..${b}`,
      }
    : {
        kind: 'unusable',
        message: `${a} and ${b} have no common ancestor.`,
        hint: `${PROVE} --arms ${a} ${b}`,
      };

/** @param remote full ref of a branch of that name on a remote: the likeliest thing to have been meant */
export const noSuchCommit = (
  rev: string,
  hint: string,
  remote: string | undefined,
): RangeProblem => ({
  kind: 'unusable',
  message: `There is no commit ${rev} here.`,
  hint: remote === undefined ? hint : `write ${remote.replace('refs/remotes/', '')}`,
});

export const gitProblem = (problem: GitProblem): RangeProblem => ({
  kind: 'unusable',
  message: `There is no history to read a fix from: ${gitWords(problem)}`,
  hint: problem.kind === 'no-repository' ? 'counterproof try FILE:LINE' : null,
});
