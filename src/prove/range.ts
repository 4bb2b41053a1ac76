/** Which commits are meant: from what was typed, or from where the branch stands. */
import { type NoRevision, headCommit, resolveCommit } from '../git/commit.js';
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
  symbolicTarget,
} from '../git/history.js';
import type { GitProblem } from '../git/run.js';
import { dirtyFiles } from '../git/tree.js';
import { err, ok, type Result, unreachable } from '../result.js';

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

export interface RangeProblem {
  /** `nothing`: there is nothing to prove. `unusable`: what was typed, or the clone, does not do. */
  readonly kind: 'nothing' | 'unusable';
  readonly message: string;
  /** What to type; null: nothing would help. */
  readonly hint: string | null;
}

type Found<T> = Result<T, RangeProblem>;

const PROVE = 'counterproof prove';
const short = (id: string): string => id.slice(0, 10);

/**
 * @param written null: what this branch is ahead by, else what is not committed yet. `REV`: a
 *   commit against its first parent. `A..B`, `A...B`: what B has since it left A.
 */
export async function resolveRange(dir: string, written: string | null): Promise<Found<Range>> {
  const head = await headCommit(dir);
  if (!head.ok) return err(gitProblem(head.error));
  if (written === null) return ahead(dir, head.value);
  const [, a, dots, b] = /^(.*?)(\.{2,3})(.*)$/s.exec(written) ?? [];
  if (dots === undefined) return oneCommit(dir, written.replace(/\^!$/, ''));
  const from = a === undefined || a === '' ? 'HEAD' : a;
  const to = b === undefined || b === '' ? 'HEAD' : b;
  return between(dir, from, to, `${from}${dots}${to}`);
}

/** Two whole trees as they are, whatever lies between them. */
export async function exactRange(dir: string, old: string, fresh: string): Promise<Found<Range>> {
  const from = await commitOf(dir, old);
  if (!from.ok) return from;
  const to = await commitOf(dir, fresh);
  if (!to.ok) return to;
  if (from.value === to.value)
    return err({
      kind: 'nothing',
      message: `${old} and ${fresh} are the same commit.`,
      hint: null,
    });
  return described(dir, { text: `${old}..${fresh}`, from: from.value, to: to.value, notes: [] });
}

async function between(dir: string, a: string, b: string, text: string): Promise<Found<Range>> {
  const left = await commitOf(dir, a);
  if (!left.ok) return left;
  const right = await commitOf(dir, b);
  if (!right.ok) return right;
  const base = await mergeBase(dir, left.value, right.value);
  if (!base.ok) return err(gitProblem(base.error));
  if (base.value === null) return err(await noAncestor(dir, a, b));
  if (base.value === right.value) {
    const message =
      left.value === right.value
        ? `Nothing to prove: ${a} and ${b} are the same commit.`
        : `Nothing to prove: ${a} has everything that ${b} has.`;
    return err({ kind: 'nothing', message, hint: `${PROVE} ${b}` });
  }
  const notes =
    base.value === left.value
      ? []
      : [`${a} has moved on: taken from ${short(base.value)}, where ${b} left it`];
  return described(dir, { text, from: base.value, to: right.value, notes });
}

async function oneCommit(dir: string, rev: string): Promise<Found<Range>> {
  const commit = await commitOf(dir, rev);
  if (!commit.ok) return commit;
  const text = /^[0-9a-f]{12,}$/.test(rev) ? short(rev) : rev;
  return againstFirstParent(dir, commit.value, text, rev);
}

async function againstFirstParent(
  dir: string,
  commit: string,
  text: string,
  rev: string,
): Promise<Found<Range>> {
  const parents = await parentsOf(dir, commit);
  if (!parents.ok) return err(gitProblem(parents.error));
  const [first, ...others] = parents.value;
  if (first !== undefined) {
    const notes =
      others.length === 0
        ? []
        : [`${text} is a merge: taken against its first parent ${short(first)}`];
    return described(dir, { text, from: first, to: commit, notes });
  }
  if (await isShallowEdge(dir, commit)) {
    return err({
      kind: 'unusable',
      message: `The clone is shallow: what ${text} was made from is not here.`,
      hint: `${deepen(rev, commit)} && ${PROVE}${rev === 'HEAD' ? ' HEAD' : ` ${rev}`}`,
    });
  }
  const empty = await emptyTree(dir);
  if (!empty.ok) return err(gitProblem(empty.error));
  const notes = [`${text} is a root commit: everything in it is new`];
  return described(dir, { text, from: empty.value, to: commit, notes });
}

/** In the checkout of a pull request the merge commit is on no branch, so it must be named. */
function deepen(rev: string, commit: string): string {
  const ref = process.env['GITHUB_REF'] ?? '';
  if (rev === 'HEAD' && /^refs\/pull\/\d+\/merge$/.test(ref))
    return `git fetch --depth=2 origin ${ref}`;
  return `git fetch --depth=2 origin ${commit}`;
}

async function noAncestor(dir: string, a: string, b: string): Promise<RangeProblem> {
  if (await isShallow(dir)) {
    return {
      kind: 'unusable',
      message: `The clone is shallow: where ${b} left ${a} is not here.`,
      hint: `git fetch --unshallow && ${PROVE} ${a}..${b}`,
    };
  }
  return {
    kind: 'unusable',
    message: `${a} and ${b} have no common ancestor.`,
    hint: `${PROVE} --arms ${a} ${b}`,
  };
}

/** Names of the branch that others start from, the likeliest first. */
const DEFAULT_BRANCHES = ['main', 'master', 'trunk', 'develop', 'development', 'devel', 'dev'];
const REMOTES = ['upstream', 'origin'];

interface Base {
  readonly name: string;
  readonly commit: string;
  readonly ahead: number;
}

async function ahead(dir: string, head: string | null): Promise<Found<Range>> {
  if (head === null) {
    return err({
      kind: 'nothing',
      message: 'Nothing to prove: there is no commit yet.',
      hint: null,
    });
  }
  const bases = await basesOf(dir, head);
  if (!bases.ok) return err(gitProblem(bases.error));
  const nearest = bases.value.toSorted((a, b) => a.ahead - b.ahead)[0];
  if (nearest !== undefined && nearest.ahead > 0) {
    return described(dir, {
      text: `${nearest.name}..HEAD`,
      from: nearest.commit,
      to: head,
      notes: [],
    });
  }
  const branch = await currentBranch(dir);
  const parents = await parentsOf(dir, head);
  const isMerge = parents.ok && parents.value.length > 1;
  if (nearest === undefined && branch === null && (isMerge || (await isShallowEdge(dir, head)))) {
    const merged = await againstFirstParent(dir, head, 'HEAD', 'HEAD');
    return merged.ok
      ? ok({ ...merged.value, notes: ['no default branch is here', ...merged.value.notes] })
      : merged;
  }
  const dirty = await dirtyFiles(dir);
  if (!dirty.ok) return err(gitProblem(dirty.error));
  if (dirty.value.changed.length + dirty.value.untracked.length > 0) {
    const notes =
      nearest === undefined && !isDefault(branch)
        ? ['no default branch is here, so commits were not looked at']
        : [];
    return ok({
      text: 'uncommitted changes',
      from: head,
      to: null,
      commits: 0,
      subject: null,
      notes,
    });
  }
  if (nearest === undefined && !isDefault(branch)) {
    return err({
      kind: 'unusable',
      message: `There is no default branch to compare with: no ${DEFAULT_BRANCHES.slice(0, 2).join(' or ')}, here or on a remote.`,
      hint: `${PROVE} HEAD (the last commit), or ${PROVE} BRANCH..HEAD`,
    });
  }
  const what = nearest === undefined ? '' : ` of ${nearest.name}`;
  return err({
    kind: 'nothing',
    message: `Nothing to prove: nothing ahead${what}, and nothing uncommitted.`,
    hint: `${PROVE} HEAD`,
  });
}

const isDefault = (branch: string | null): boolean =>
  branch !== null && DEFAULT_BRANCHES.includes(branch.replace('refs/heads/', ''));

/** The default branch as it is here and on remotes, with how far the commit is ahead of where it left each. */
async function basesOf(dir: string, head: string): Promise<Result<readonly Base[], GitProblem>> {
  const [branch, ...defaults] = await Promise.all([
    currentBranch(dir),
    ...REMOTES.map((remote) => symbolicTarget(dir, `refs/remotes/${remote}/HEAD`)),
  ]);
  const declared = defaults.filter((ref) => ref !== null);
  const names = [
    ...new Set([...declared.map((ref) => ref.split('/').slice(3).join('/')), ...DEFAULT_BRANCHES]),
  ];
  const refs = await existingRefs(dir, [
    ...names.flatMap((name) => REMOTES.map((remote) => `refs/remotes/${remote}/${name}`)),
    ...names.map((name) => `refs/heads/${name}`),
  ]);
  if (!refs.ok) return refs;
  const has = (name: string): boolean =>
    [...refs.value.keys()].some((ref) => ref.endsWith(`/${name}`) && ref !== branch);
  // One default branch, in all the places where it is: `develop` is none where `main` is.
  const name = names.find(has);
  const bases: Base[] = [];
  for (const [ref, commit] of refs.value) {
    if (ref === branch || name === undefined || !ref.endsWith(`/${name}`)) continue;
    const base = await mergeBase(dir, commit, head);
    if (!base.ok) return base;
    if (base.value === null) continue;
    const count = await countCommits(dir, base.value, head);
    if (!count.ok) return count;
    const shown = ref.replace(/^refs\/(heads|remotes)\//, '');
    bases.push({ name: shown, commit: base.value, ahead: count.value });
  }
  return ok(bases);
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
  return err(await unknownRevision(dir, found.error));
}

/** A branch that is only on a remote is the likeliest thing to have been meant. */
async function unknownRevision(dir: string, { rev, hint }: NoRevision): Promise<RangeProblem> {
  const message = `There is no commit ${rev} here.`;
  const remote = await existingRefs(
    dir,
    REMOTES.map((name) => `refs/remotes/${name}/${rev}`),
  );
  const [there] = remote.ok ? [...remote.value.keys()] : [];
  return {
    kind: 'unusable',
    message,
    hint: there === undefined ? hint : `write ${there.replace('refs/remotes/', '')}`,
  };
}

function gitProblem(problem: GitProblem): RangeProblem {
  const unusable = (message: string, hint: string | null): RangeProblem => ({
    kind: 'unusable',
    message,
    hint,
  });
  switch (problem.kind) {
    case 'no-git':
      return unusable('git is not installed: there is no history to read a fix from.', null);
    case 'no-repository':
      return unusable(
        `${problem.dir} is in no git repository: there is no history to read a fix from.`,
        'counterproof try FILE:LINE',
      );
    case 'untrusted':
      return unusable(
        'The repository belongs to another user, and git does not read it.',
        problem.hint,
      );
    case 'failed':
      return unusable(`git failed: ${problem.message}`, null);
    default:
      return unreachable(problem);
  }
}
