/** What git keeps beside its commits: the index, and stashes. */
import { git, splitNames } from './run.js';

const names = (output: Buffer): readonly string[] =>
  splitNames(output).map((name) => name.toString('utf8'));

/** Paths that are staged otherwise than in the commit that is checked out; empty also without one. */
export async function stagedPaths(dir: string): Promise<readonly string[]> {
  const found = await git(dir, ['diff', '--cached', '--name-only', '--no-renames', '-z', 'HEAD']);
  return found.ok ? names(found.value) : [];
}

/**
 * A file as a checkout of the index would write it; null: there is none in it. `unknown`: git
 * does not say, as where it stands in conflict.
 */
export async function stagedFile(dir: string, path: string): Promise<Buffer | null | 'unknown'> {
  const listed = await git(dir, ['ls-files', '-s', '-z', '--', `:(top,literal)${path}`]);
  if (!listed.ok) return 'unknown';
  if (names(listed.value).length === 0) return null;
  const found = await git(dir, ['cat-file', '--filters', `:0:${path}`]);
  return found.ok ? found.value : 'unknown';
}

/** Whether that commit was made at that moment or later. */
export async function committedSince(dir: string, commit: string, since: Date): Promise<boolean> {
  const found = await git(dir, ['rev-list', '--max-count=1', '--timestamp', commit]);
  return found.ok && Number.parseInt(found.value.toString('latin1'), 10) >= secondsOf(since);
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Paths of a commit, or of nothing where the revision names none. */
export async function pathsIn(dir: string, rev: string): Promise<readonly string[]> {
  const found = await git(dir, ['ls-tree', '-r', '-z', '--full-tree', '--name-only', rev]);
  return found.ok ? names(found.value) : [];
}

/** More were not made while one run was under way. */
const MOST_STASHES = 10;

/** Commits of stashes that were made at that moment or later, the newest first. */
export async function stashesSince(dir: string, since: Date): Promise<readonly string[]> {
  const found = await git(dir, [
    'log',
    '--walk-reflogs',
    `--max-count=${MOST_STASHES}`,
    '--format=%H %ct',
    'refs/stash',
    '--',
  ]);
  if (!found.ok) return [];
  const seconds = secondsOf(since);
  return found.value
    .toString('latin1')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, time]) => Number(time) >= seconds)
    .flatMap(([commit = '']) => (commit === '' ? [] : [commit]));
}
