/** What a commit changed, or a range of them: two states of the tree, and the files that differ. */
import { type ChangedFile, changedFiles } from '../git/changed.js';
import { resolveCommit } from '../git/commit.js';
import { emptyTree, isShallow, isShallowEdge, mergeBase, parentsOf } from '../git/history.js';
import type { GitProblem } from '../git/run.js';
import { err, ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { withoutRevision } from './git-problem.js';
import { notInCommit } from './problem.js';

export interface CommitChanges {
  /** As people read it: long ids are cut. */
  readonly name: string;
  /** Commit or tree before it. */
  readonly from: string;
  readonly to: string;
  readonly files: readonly ChangedFile[];
  /** How many files were left out, because their names are not UTF-8. */
  readonly notUtf8: number;
}

type Ends = Pick<CommitChanges, 'from' | 'to'>;
type Found<T> = Result<T, NotApplied>;

const short = (id: string): string => id.slice(0, 12);

/** `4f2a91c07be1`, `4f2a91c07be1..8c11d0e2a5b3`, and tags as they are written. */
export const shownRange = (range: string): string =>
  range
    .split('..')
    .map((end) => (/^[0-9a-f]{13,}$/i.test(end) ? short(end) : end))
    .join('..');

/**
 * @param range a commit, against its first parent; or `A..B`: what B has since it left A
 */
export async function readCommitChanges(dir: string, range: string): Promise<Found<CommitChanges>> {
  const [a = '', b] = range.split('..');
  const ends = b === undefined ? await oneCommit(dir, a) : await between(dir, a, b);
  if (!ends.ok) return ends;
  const name = shownRange(range);
  const changed = await changedFiles(dir, ends.value.from, ends.value.to);
  return changed.ok ? ok({ name, ...ends.value, ...changed.value }) : failed(changed.error, name);
}

const failed = (problem: GitProblem, name: string): Found<never> => withoutRevision(problem, name);

async function oneCommit(dir: string, rev: string): Promise<Found<Ends>> {
  const commit = await commitOf(dir, rev);
  if (!commit.ok) return commit;
  const to = commit.value;
  const parents = await parentsOf(dir, to);
  if (!parents.ok) return failed(parents.error, rev);
  const [first] = parents.value;
  if (first !== undefined) return ok({ from: first, to });
  if (await isShallowEdge(dir, to))
    return err({
      kind: 'no-revision',
      rev: `${shownRange(rev)}^`,
      hint: `this clone is shallow, and what ${shownRange(rev)} was made from is not here: git fetch --depth=2 origin ${to}`,
    });
  const empty = await emptyTree(dir);
  return empty.ok ? ok({ from: empty.value, to }) : failed(empty.error, rev);
}

async function between(dir: string, a: string, b: string): Promise<Found<Ends>> {
  const left = await commitOf(dir, a);
  if (!left.ok) return left;
  const right = await commitOf(dir, b);
  if (!right.ok) return right;
  const name = shownRange(`${a}..${b}`);
  const base = await mergeBase(dir, left.value, right.value);
  if (!base.ok) return failed(base.error, name);
  if (base.value === null)
    return (await isShallow(dir))
      ? err({
          kind: 'no-revision',
          rev: `where ${shownRange(b)} left ${shownRange(a)}`,
          hint: 'this clone is shallow: git fetch --unshallow',
        })
      : notInCommit(name, 'the two have no common ancestor', [], 'name two commits of one history');
  if (base.value === right.value)
    return notInCommit(
      name,
      `the first has everything that the second has, so there is nothing between them`,
      [],
      `write ${shownRange(`${b}..${a}`)}, or a single commit`,
    );
  return ok({ from: base.value, to: right.value });
}

/** git takes a branch before the id that its name looks like; a spec means the id. */
async function commitOf(dir: string, rev: string): Promise<Found<string>> {
  const found = await resolveCommit(dir, rev);
  if (!found.ok) return withoutRevision(found.error, rev);
  const isId = /^[0-9a-f]+$/i.test(rev);
  if (!isId || found.value.startsWith(rev.toLowerCase())) return found;
  return notInCommit(
    rev,
    `it is no commit id here, but the name of something that leads to ${short(found.value)}`,
    [],
    `write ${short(found.value)}, if that is meant`,
  );
}
