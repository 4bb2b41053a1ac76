/** Commits, and what a file was in one of them. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { git, type GitProblem, splitNames } from './run.js';

/** A revision that names no commit here, with what would bring it. */
export interface NoRevision {
  readonly kind: 'no-revision';
  readonly rev: string;
  readonly hint: string;
}

/** The commit is here, but it has no such file to give. */
export interface NoSuchFile {
  readonly kind: 'no-file';
  readonly rev: string;
  readonly path: string;
  readonly why: string;
}

/** The id of the commit that is checked out; null before the first commit. */
export async function headCommit(dir: string): Promise<Result<string | null, GitProblem>> {
  const found = await git(dir, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (found.ok) return ok(found.value.toString('latin1').trim());
  if (found.error.kind !== 'failed') return found;
  // `--quiet` fails without a word before the first commit; make sure that there is a repository.
  const repository = await git(dir, ['rev-parse', '--git-dir']);
  return repository.ok ? ok(null) : repository;
}

/** The full id of the commit that a revision names: a tag, a branch, an id or its beginning. */
export async function resolveCommit(
  dir: string,
  rev: string,
): Promise<Result<string, GitProblem | NoRevision>> {
  const lead = /^[-^]+/.exec(rev)?.[0];
  // git reads `^main` as what is not in main, and says that it is there.
  if (lead !== undefined) return err({ kind: 'no-revision', rev, hint: leadHint(rev, lead) });
  const found = await git(dir, ['rev-parse', '--verify', '--end-of-options', `${rev}^{commit}`]);
  const id = found.ok ? found.value.toString('latin1').trim() : '';
  if (WHOLE_ID.test(id)) return ok(id);
  if (found.ok) return err({ kind: 'no-revision', rev, hint: 'write a single commit' });
  if (found.error.kind !== 'failed') return found;
  return err({ kind: 'no-revision', rev, hint: await hintFor(dir, rev, found.error.message) });
}

const WHOLE_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

function leadHint(rev: string, lead: string): string {
  const rest = rev.slice(lead.length);
  const instead = rest === '' ? 'a commit' : rest;
  return `a revision does not begin with ${lead.charAt(0)}: write ${instead}`;
}

/** `HEAD:folder` is here, but is no commit; null: it is not here, or one. */
async function kindHint(dir: string, rev: string): Promise<string | null> {
  const found = rev === '' ? null : await git(dir, ['cat-file', '-t', rev]);
  const kind = found?.ok === true ? found.value.toString('latin1').trim() : '';
  if (kind === 'blob') return 'it is the content of a file (blob): write a commit';
  if (kind === 'tree') return 'it is the content of a folder (tree): write a commit';
  return null;
}

async function hintFor(dir: string, rev: string, message: string): Promise<string> {
  if (/is ambiguous/.test(message))
    return `several objects begin with ${rev}: write more of the id`;
  const kind = await kindHint(dir, rev);
  if (kind !== null) return kind;
  const shallow = await git(dir, ['rev-parse', '--is-shallow-repository']);
  const isShallow = shallow.ok && shallow.value.toString('latin1').trim() === 'true';
  const isWholeId = WHOLE_ID.test(rev);
  if (isShallow) {
    return isWholeId
      ? `this clone is shallow: git fetch --depth=1 origin ${rev}`
      : 'this clone is shallow: git fetch --unshallow --tags';
  }
  if (isWholeId) return `git fetch origin ${rev}`;
  return /^[0-9a-f]{4,}$/.test(rev) ? 'git fetch --all' : 'git fetch --all --tags';
}

const LINK = '120000';
const SUBMODULE = '160000';

/**
 * A file as a checkout of that revision would write it: the repository's end-of-line and
 * filter settings are applied, because the file on disk went through them too.
 *
 * @param dir the repository's top folder.
 * @param path relative to it.
 */
export async function showFile(
  dir: string,
  rev: string,
  path: string,
): Promise<Result<Buffer, GitProblem | NoRevision | NoSuchFile>> {
  const commit = await resolveCommit(dir, rev);
  if (!commit.ok) return commit;
  const listed = await git(dir, [
    '--literal-pathspecs',
    'ls-tree',
    '-z',
    '--full-tree',
    commit.value,
    '--',
    path,
  ]);
  if (!listed.ok) return missingObject(listed.error, rev);
  const [mode, type] = listed.value.toString('latin1').split(/[ \t]/);
  const none = (why: string): Result<never, NoSuchFile> => err({ kind: 'no-file', rev, path, why });
  if (mode === undefined || mode === '') return none(`${path} does not exist in ${rev}`);
  if (mode === LINK) return none(`${path} is a symbolic link in ${rev}`);
  if (mode === SUBMODULE || type !== 'blob') return none(`${path} is a folder in ${rev}`);
  const shown = await git(dir, ['cat-file', '--filters', `${commit.value}:${path}`]);
  return shown.ok ? shown : missingObject(shown.error, rev);
}

/** A partial clone has the commit, but not its files. */
function missingObject(error: GitProblem, rev: string): Result<never, GitProblem | NoRevision> {
  if (error.kind !== 'failed') return err(error);
  const isMissing = /missing|could not|cannot|bad object|unable to/i.test(error.message);
  if (!isMissing) return err(error);
  return err({
    kind: 'no-revision',
    rev,
    hint: `this clone is partial and lacks files of ${rev} (${error.message}): git fetch --refetch --filter=blob:limit=1g origin`,
  });
}

/** Beyond this, something else is going on than a test that writes what was there. */
const MOST_COMPARED = 200;

/**
 * Which of some files hold, byte for byte and executable or not, what a commit holds for them.
 * Of files that git converts (end of line, filters) it is not known, nor is it of links.
 *
 * @param paths relative to the repository's top folder
 */
export async function sameAsCommit(
  dir: string,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const same = new Set<string>();
  const modes = await regularFiles(dir, paths);
  if (modes.size === 0 || modes.size > MOST_COMPARED) return same;
  const names = [...modes.keys()];
  const [listed, hashed] = await Promise.all([
    git(dir, ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', ...names]),
    git(dir, ['hash-object', '--no-filters', '--', ...names]),
  ]);
  if (!listed.ok || !hashed.ok) return same;
  const ids = hashed.value.toString('latin1').trim().split('\n');
  const now = new Map(names.map((name, index) => [name, `${modes.get(name)} blob ${ids[index]}`]));
  for (const entry of splitNames(listed.value)) {
    const [facts = '', name = ''] = entry.toString('utf8').split('\t');
    if (now.get(name) === facts) same.add(name);
  }
  return same;
}

/** Their modes, as git writes them; those that are no regular files, or gone, left out. */
async function regularFiles(
  dir: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const modes = new Map<string, string>();
  for (const path of paths) {
    const found = await lstat(join(dir, path)).catch(() => null);
    if (found?.isFile() === true) modes.set(path, found.mode & 0o100 ? '100755' : '100644');
  }
  return modes;
}
