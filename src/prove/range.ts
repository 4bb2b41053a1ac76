/** Which commits are meant: from what was typed, or from where the branch stands. */
import { headCommit, resolveCommit } from '../git/commit.js';
import {
  countCommits,
  currentBranch,
  emptyTree,
  existingRefs,
  isShallow,
  isShallowEdge,
  mergeBase,
  parentsOf,
  subjectOf,
} from '../git/history.js';
import { dirtyFiles } from '../git/tree.js';
import { err, ok, type Result } from '../result.js';
import { basesOf, DEFAULT_BRANCHES, isDefault, REMOTES } from './default-branch.js';
import {
  gitProblem,
  noAncestor,
  noCommitYet,
  noDefaultBranch,
  noParentHere,
  noSuchCommit,
  nothingAhead,
  nothingBetween,
  sameTree,
  type RangeProblem,
} from './range-problem.js';
import { readRange, shortId, type WrittenRange } from './range-written.js';

/** A change between two states of the tree. */
export interface Range {
  /** As people write it: `main..HEAD`, `uncommitted changes`. */
  readonly text: string;
  /** Commit or tree before it. */
  readonly from: string;
  /** Commit after it; null: the working tree. */
  readonly to: string | null;
  /** How many commits it holds; 0 for uncommitted changes. */
  readonly commits: number;
  /** First line of the last commit's message; null: there is none. */
  readonly subject: string | null;
  /** What was decided on the way, a sentence each. */
  readonly notes: readonly string[];
}

type Found<T> = Result<T, RangeProblem>;

/**
 * @param written null: what this branch is ahead by, else what is not committed yet. `REV`: a
 *   commit against its first parent. `A..B`, `A...B`: what B has since it left A.
 */
export async function resolveRange(dir: string, written: string | null): Promise<Found<Range>> {
  const head = await headCommit(dir);
  if (!head.ok) return err(gitProblem(head.error));
  if (written === null) return ahead(dir, head.value);
  const read = readRange(written);
  return read.kind === 'commit' ? oneCommit(dir, read) : between(dir, read);
}

/** Two whole trees as they are, whatever lies between them. */
export async function exactRange(dir: string, old: string, fresh: string): Promise<Found<Range>> {
  const from = await commitOf(dir, old);
  if (!from.ok) return from;
  const to = await commitOf(dir, fresh);
  if (!to.ok) return to;
  if (from.value === to.value) return err(sameTree(old, fresh));
  return described(dir, { text: `${old}..${fresh}`, from: from.value, to: to.value, notes: [] });
}

async function between(
  dir: string,
  { a, b, text }: Extract<WrittenRange, { kind: 'between' }>,
): Promise<Found<Range>> {
  const left = await commitOf(dir, a);
  if (!left.ok) return left;
  const right = await commitOf(dir, b);
  if (!right.ok) return right;
  const base = await mergeBase(dir, left.value, right.value);
  if (!base.ok) return err(gitProblem(base.error));
  if (base.value === null)
    return err(noAncestor(a, b, (await isShallow(dir)) ? 'shallow clone' : 'whole clone'));
  if (base.value === right.value) {
    const are = left.value === right.value ? 'the same commit' : 'older and newer';
    return err(nothingBetween(a, b, are));
  }
  const notes =
    base.value === left.value
      ? []
      : [`${a} has moved on: taken from ${shortId(base.value)}, where ${b} left it`];
  return described(dir, { text, from: base.value, to: right.value, notes });
}

async function oneCommit(
  dir: string,
  { rev, text }: Extract<WrittenRange, { kind: 'commit' }>,
): Promise<Found<Range>> {
  const commit = await commitOf(dir, rev);
  if (!commit.ok) return commit;
  return againstFirstParent(dir, { commit: commit.value, text, rev });
}

async function againstFirstParent(
  dir: string,
  named: { readonly commit: string; readonly text: string; readonly rev: string },
): Promise<Found<Range>> {
  const { commit, text } = named;
  const parents = await parentsOf(dir, commit);
  if (!parents.ok) return err(gitProblem(parents.error));
  const [first, ...others] = parents.value;
  if (first !== undefined) {
    const notes =
      others.length === 0
        ? []
        : [`${text} is a merge: taken against its first parent ${shortId(first)}`];
    return described(dir, { text, from: first, to: commit, notes });
  }
  if (await isShallowEdge(dir, commit))
    return err(noParentHere(named, process.env['GITHUB_REF'] ?? ''));
  const empty = await emptyTree(dir);
  if (!empty.ok) return err(gitProblem(empty.error));
  const notes = [`${text} is a root commit: everything in it is new`];
  return described(dir, { text, from: empty.value, to: commit, notes });
}

async function ahead(dir: string, head: string | null): Promise<Found<Range>> {
  if (head === null) return err(noCommitYet);
  const bases = await basesOf(dir, head);
  if (!bases.ok) return err(gitProblem(bases.error));
  const nearest = bases.value.toSorted((a, b) => a.ahead - b.ahead)[0];
  if (nearest !== undefined && nearest.ahead > 0) {
    const text = `${nearest.name}..HEAD`;
    return described(dir, { text, from: nearest.commit, to: head, notes: [] });
  }
  const branch = await currentBranch(dir);
  const isLost = nearest === undefined && !isDefault(branch);
  if (nearest === undefined && branch === null) {
    const merged = await checkedOutMerge(dir, head);
    if (merged !== null) return merged;
  }
  const dirty = await dirtyFiles(dir);
  if (!dirty.ok) return err(gitProblem(dirty.error));
  if (dirty.value.changed.length + dirty.value.untracked.length > 0) {
    const notes = isLost ? ['no default branch is here, so commits were not looked at'] : [];
    const text = 'uncommitted changes';
    return ok({ text, from: head, to: null, commits: 0, subject: null, notes });
  }
  return err(isLost ? noDefaultBranch(DEFAULT_BRANCHES) : nothingAhead(nearest?.name ?? null));
}

/** What CI checks out for a pull request: the merge alone, on no branch; null: it is none. */
async function checkedOutMerge(dir: string, head: string): Promise<Found<Range> | null> {
  const parents = await parentsOf(dir, head);
  const isMerge = parents.ok && parents.value.length > 1;
  if (!isMerge && !(await isShallowEdge(dir, head))) return null;
  const merged = await againstFirstParent(dir, { commit: head, text: 'HEAD', rev: 'HEAD' });
  return merged.ok
    ? ok({ ...merged.value, notes: ['no default branch is here', ...merged.value.notes] })
    : merged;
}

async function described(
  dir: string,
  range: Pick<Range, 'text' | 'from' | 'notes'> & { readonly to: string },
): Promise<Found<Range>> {
  const isCommit = (await resolveCommit(dir, range.from)).ok;
  const commits = await countCommits(dir, isCommit ? range.from : null, range.to);
  if (!commits.ok) return err(gitProblem(commits.error));
  const subject = await subjectOf(dir, range.to);
  if (!subject.ok) return err(gitProblem(subject.error));
  return ok({ ...range, commits: commits.value, subject: subject.value });
}

async function commitOf(dir: string, rev: string): Promise<Found<string>> {
  const found = await resolveCommit(dir, rev);
  if (found.ok) return found;
  if (found.error.kind !== 'no-revision') return err(gitProblem(found.error));
  const remote = await existingRefs(
    dir,
    REMOTES.map((name) => `refs/remotes/${name}/${rev}`),
  );
  const [there] = remote.ok ? [...remote.value.keys()] : [];
  return err(noSuchCommit(rev, found.error.hint, there));
}
