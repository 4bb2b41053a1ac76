/** What is not committed yet, as a mutation of what is. */
import { chmod, copyFile, lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { headCommit } from '../git/commit.js';
import type { GitProblem } from '../git/run.js';
import { changesOf } from '../prove/changes.js';
import type { ClassifyRules } from '../prove/classify.js';
import { type Change, pathOf } from '../prove/fix.js';
import type { PythonNames } from '../prove/python-tests.js';
import { readFix, type RangeFile } from '../prove/read-fix.js';
import type { TakenFile } from '../mutation/take.js';
import { takeBack } from '../prove/take.js';
import { err, ok, type Result, unreachable } from '../result.js';
import type { FileEdit, ProveConfig } from '../spec/model.js';
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
   * that is none of source, tests first.
   */
  readonly complete: (folder: string) => Promise<void>;
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

async function complete(
  tree: string,
  folder: string,
  files: readonly RangeFile[],
  taken: readonly TakenFile[],
): Promise<void> {
  const isTaken = new Set(taken.map(({ path }) => path));
  for (const { change } of files) {
    const { oldPath, path, kind } = change;
    if (path !== null && kind !== 'submodule' && !isTaken.has(path))
      await carry(join(tree, path), join(folder, path));
    if (oldPath !== null && oldPath !== path && !isTaken.has(oldPath))
      await rm(join(folder, oldPath), { force: true });
  }
  for (const { path, after } of taken) {
    const place = join(folder, path);
    if (after === null) await rm(place, { force: true });
    else {
      await put(place, () => writeFile(place, after));
      const entry = await lstat(join(tree, path)).catch(() => null);
      if (entry?.isFile() === true) await chmod(place, entry.mode);
    }
  }
}

/** The mode goes along. A link stays one: where it leads to may be part of what is tested. */
async function carry(from: string, to: string): Promise<void> {
  const entry = await lstat(from).catch(() => null);
  await rm(to, { recursive: true, force: true });
  if (entry?.isSymbolicLink() === true) {
    const target = await readlink(from);
    await put(to, () => symlink(target, to));
  } else if (entry?.isFile() === true) await put(to, () => copyFile(from, to));
}

async function put(place: string, write: () => Promise<void>): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await write();
}

function gitText(problem: GitProblem): string {
  switch (problem.kind) {
    case 'no-git':
      return 'git is not installed: nothing tells what is not committed. Name a file and line: counterproof try FILE:LINE';
    case 'no-repository':
      return `${problem.dir} is in no git repository: nothing tells what is not committed. Name a file and line: counterproof try FILE:LINE`;
    case 'untrusted':
      return `The repository belongs to another user: ${problem.hint}`;
    case 'failed':
      return `git does not tell what is not committed: ${problem.message}`;
    default:
      return unreachable(problem);
  }
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

/** Paths of the configuration are meant from the root; all others from the tree. */
export const rulesIn = (
  root: string,
  { testPaths, sourcePaths }: ProveConfig,
  pythonFiles: readonly string[],
  pythonNames: PythonNames,
): ClassifyRules => ({
  testPaths: testPaths.map((path) => posix.join(root, path)),
  sourcePaths: sourcePaths.map((path) => posix.join(root, path)),
  pythonFiles,
  pythonNames,
});
