/** How commits hang together, as far as a range of them asks for it. */
import { readFile } from 'node:fs/promises';
import { ok, type Result } from '../result.js';
import { git, type GitProblem } from './run.js';

const text = (output: Buffer): string => output.toString('utf8').trim();
const linesOf = (output: Buffer): readonly string[] =>
  text(output)
    .split('\n')
    .filter((line) => line !== '');

/** Ids of a commit's parents, the first one first; empty for a root, and for the edge of a shallow clone. */
export async function parentsOf(
  dir: string,
  commit: string,
): Promise<Result<readonly string[], GitProblem>> {
  const found = await git(dir, ['rev-list', '--parents', '--max-count=1', commit]);
  return found.ok ? ok(text(found.value).split(' ').slice(1)) : found;
}

/** Whether history ends at this commit only because the clone is shallow. */
export async function isShallowEdge(dir: string, commit: string): Promise<boolean> {
  const found = await git(dir, ['rev-parse', '--path-format=absolute', '--git-path', 'shallow']);
  if (!found.ok) return false;
  const edges = await readFile(text(found.value), 'utf8').catch(() => '');
  return edges.split('\n').includes(commit);
}

export async function isShallow(dir: string): Promise<boolean> {
  const found = await git(dir, ['rev-parse', '--is-shallow-repository']);
  return found.ok && text(found.value) === 'true';
}

/** The best common ancestor; null: there is none here. */
export async function mergeBase(
  dir: string,
  a: string,
  b: string,
): Promise<Result<string | null, GitProblem>> {
  const found = await git(dir, ['merge-base', a, b]);
  if (found.ok) return ok(linesOf(found.value)[0] ?? null);
  // Without a common ancestor it ends with 1 and says nothing.
  return found.error.kind === 'failed' && !/fatal|error/i.test(found.error.message)
    ? ok(null)
    : found;
}

/** How many commits lead from one to the other. */
export async function countCommits(
  dir: string,
  from: string | null,
  to: string,
): Promise<Result<number, GitProblem>> {
  const range = from === null ? [to] : [`${from}..${to}`];
  const found = await git(dir, ['rev-list', '--count', ...range]);
  return found.ok ? ok(Number(text(found.value))) : found;
}

/** The first line of a commit's message. */
export async function subjectOf(dir: string, commit: string): Promise<Result<string, GitProblem>> {
  const found = await git(dir, ['log', '-1', '--no-show-signature', '--format=%s', commit]);
  return found.ok ? ok(text(found.value)) : found;
}

/** The full name of the branch that is checked out; null: none is. */
export async function currentBranch(dir: string): Promise<string | null> {
  const found = await git(dir, ['symbolic-ref', '--quiet', 'HEAD']);
  return found.ok ? text(found.value) : null;
}

/** What a symbolic reference such as `refs/remotes/origin/HEAD` leads to; null: it is none. */
export async function symbolicTarget(dir: string, ref: string): Promise<string | null> {
  const found = await git(dir, ['symbolic-ref', '--quiet', ref]);
  return found.ok ? text(found.value) : null;
}

/** Those of these full reference names that are here, with their commits. */
export async function existingRefs(
  dir: string,
  names: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, GitProblem>> {
  const found = await git(dir, [
    'for-each-ref',
    '--format=%(refname) %(objectname) %(*objectname)',
    ...names,
  ]);
  if (!found.ok) return found;
  const wanted = new Set(names);
  return ok(
    new Map(
      linesOf(found.value)
        .map((line) => line.split(' '))
        .filter(([name = '']) => wanted.has(name))
        .map(([name = '', id = '', peeled]) => [
          name,
          peeled === undefined || peeled === '' ? id : peeled,
        ]),
    ),
  );
}

/** The id of the tree without any file: what stands before a root commit. */
export async function emptyTree(dir: string): Promise<Result<string, GitProblem>> {
  const found = await git(dir, ['hash-object', '-t', 'tree', '--stdin']);
  return found.ok ? ok(text(found.value)) : found;
}
