/** What is not committed yet, as a mutation of what is. */
import { posix } from 'node:path';
import { headCommit } from '../git/commit.js';
import type { GitProblem } from '../git/run.js';
import { gitWords } from '../git/words.js';
import { changesOf } from '../prove/changes.js';
import type { ClassifyRules } from '../prove/classify.js';
import { type Change, pathOf } from '../prove/fix.js';
import { readFix } from '../prove/read-fix.js';
import { takeBack } from '../prove/take.js';
import { err, ok, type Result } from '../result.js';
import type { FileEdit } from '../spec/model.js';
import { complete } from './complete.js';
import { NOWHERE } from './mutation.js';
import type { TryOrder } from './trying.js';

export interface Uncommitted {
  /** The commit that is checked out. */
  readonly commit: string;
  /** From that commit's source to the one that lies on disk; paths relative to the root. */
  readonly edits: readonly FileEdit[];
  /** Source files that differ, relative to the tree. */
  readonly sources: readonly string[];
  /** Test files that differ, relative to the tree: they are the same in every step. */
  readonly tests: readonly string[];
  /** What else is the same in every step, though it is not committed; a phrase each. */
  readonly stays: readonly string[];
  /**
   * Completes the commit, laid out in this folder, to what the mutation is one of: every change
   * that is none of source. Says which file has no place there.
   */
  readonly complete: (folder: string) => Promise<Result<null, string>>;
}

export interface NothingToTry {
  /** `nothing`: there is no such change. `unusable`: git does not tell. */
  readonly kind: 'nothing' | 'unusable';
  readonly message: string;
}

/**
 * Splits what is not committed into source, which is the mutation, and the rest, which stays.
 *
 * The commit's source is what is measured first, and it never lies over the working tree: that
 * holds somebody's only copy of what they changed.
 *
 * @param root relative to the tree
 */
export async function uncommittedChanges(
  tree: string,
  root: string,
  rules: ClassifyRules,
): Promise<Result<Uncommitted, NothingToTry>> {
  const head = await headCommit(tree);
  if (!head.ok) return err({ kind: 'unusable', message: gitText(head.error) });
  if (head.value === null) return nothing('there is no commit yet to compare with.');
  const range = { text: 'uncommitted changes', commits: 0, subject: null, notes: [] };
  const fix = await readFix(tree, { ...range, from: head.value, to: null });
  if (!fix.ok) return err({ kind: 'unusable', message: gitText(fix.error) });
  const { files } = fix.value;
  if (files.length === 0) return nothing('everything is committed.');
  const changes = changesOf(files, rules);
  const source = changes.filter(isMutated);
  const stays = changes.filter((change) => !isMutated(change)).map(stayText);
  if (source.length === 0)
    return nothing(`what is not committed is no source: ${listText(stays)}.`);
  const taken = takeBack(source);
  return ok({
    commit: head.value,
    edits: taken.map(({ path, before, after }) => ({
      kind: 'bytes',
      file: posix.relative(root, path),
      within: [],
      where: NOWHERE,
      before: after,
      after: before,
    })),
    sources: [...new Set(source.flatMap(({ parts }) => parts.map(({ file }) => file.path)))],
    tests: changes.filter((change) => change.class === 'test').map(pathOf),
    stays,
    complete: (folder) => complete(tree, folder, files, taken),
  });
}

const isMutated = (change: Change): boolean =>
  change.class === 'source' && change.obstacle === null && hasBytes(change);

/** What is neither in the commit nor on disk a regular file, such as a link that git does not track, has none. */
const hasBytes = ({ parts }: Change): boolean =>
  parts.some(({ file }) => file.before !== null || file.now !== null);

const nothing = (why: string): Result<never, NothingToTry> =>
  err({ kind: 'nothing', message: `Nothing to try: ${why}` });

/** `tests/test_a.py (named like test_*.py)`. */
function stayText(change: Change): string {
  const why = hasBytes(change) ? (change.obstacle ?? change.why) : 'no regular file';
  return `${pathOf(change)} (${why})`;
}

/** Names three, counts the rest. */
const listText = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');

function gitText(problem: GitProblem): string {
  const text = `git does not tell what is not committed: ${gitWords(problem)}`;
  return problem.kind === 'no-git' || problem.kind === 'no-repository'
    ? `${text}\nName a file and line: counterproof try FILE:LINE`
    : text;
}

/** What the report says of it beside the proof. */
export const uncommittedTexts = ({
  commit,
  stays,
}: Uncommitted): Pick<TryOrder, 'notes' | 'gaps'> => ({
  notes: [
    `commit ${commit.slice(0, 10)} laid out apart; the edit is the source that is not committed`,
  ],
  gaps: stays.length === 0 ? [] : [`not committed, but the same in every step: ${listText(stays)}`],
});
