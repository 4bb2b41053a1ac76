/** The working tree as git sees it. Nothing here writes into the repository. */
import { isUtf8 } from 'node:buffer';
import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { git, type GitProblem, splitNames } from './run.js';

/** The absolute path of the working tree that holds `dir`. */
export async function topLevel(dir: string): Promise<Result<string, GitProblem>> {
  const found = await git(dir, ['rev-parse', '--show-toplevel']);
  return found.ok ? ok(found.value.toString('utf8').replace(/\n$/, '')) : found;
}

/** Names relative to the tree; those that are not UTF-8 apart, as bytes. */
export interface Names {
  readonly paths: readonly string[];
  readonly notUtf8: readonly Buffer[];
}

function toNames(raw: readonly Buffer[]): Names {
  const paths = raw.filter((name) => isUtf8(name)).map((name) => name.toString('utf8'));
  const notUtf8 = raw.filter((name) => !isUtf8(name));
  return { paths: [...new Set(paths)].toSorted(), notUtf8 };
}

/** The files that git tracks, existing or not; submodules are named as folders. */
export async function trackedFiles(tree: string): Promise<Result<Names, GitProblem>> {
  const listed = await git(tree, ['ls-files', '-z', '--cached']);
  return listed.ok ? ok(toNames(splitNames(listed.value))) : listed;
}

/** What differs from the last commit; ignored files are left out. */
export interface DirtyFiles {
  /** Tracked files that were changed, added or deleted, staged or not. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}

export async function dirtyFiles(tree: string): Promise<Result<DirtyFiles, GitProblem>> {
  const listed = await git(tree, [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=all',
  ]);
  if (!listed.ok) return listed;
  const changed: string[] = [];
  const untracked: string[] = [];
  for (const entry of splitNames(listed.value)) {
    const name = entry.subarray(3);
    const path = name.toString(isUtf8(name) ? 'utf8' : 'latin1');
    (entry.toString('latin1', 0, 2) === '??' ? untracked : changed).push(path);
  }
  return ok({ changed: changed.toSorted(), untracked: untracked.toSorted() });
}

/**
 * The id of the git tree that a commit of everything would have now: tracked files as they lie
 * on disk, and the untracked ones that are not ignored. Two runs with the same id tested the
 * same files.
 *
 * The index is a copy, and new objects go into a temporary folder, so that neither the user's
 * index nor the repository gets new content. (git renews the time of an object that it would
 * write and finds there. Without sight of the old objects it could not tell which files are
 * kept with CRLF, and the id would be wrong.) Unchanged files are not read again.
 */
export async function treeId(tree: string): Promise<Result<string, GitProblem>> {
  const paths = await git(tree, ['rev-parse', '--git-path', 'index', '--git-path', 'objects']);
  if (!paths.ok) return paths;
  const [index = '', objects = ''] = paths.value
    .toString('utf8')
    .split('\n')
    .map((path) => absolute(tree, path));
  const scratch = await mkdtemp(join(tmpdir(), 'counterproof-tree-'));
  try {
    const env = {
      GIT_INDEX_FILE: join(scratch, 'index'),
      GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects),
    };
    await mkdir(env.GIT_OBJECT_DIRECTORY);
    await seedIndex(index, env.GIT_INDEX_FILE);
    const added = await git(
      tree,
      ['-c', 'core.safecrlf=false', '-c', 'advice.addEmbeddedRepo=false', 'add', '--all'],
      env,
    );
    if (!added.ok) return added;
    const written = await git(tree, ['write-tree'], env);
    return written.ok ? ok(written.value.toString('latin1').trim()) : written;
  } catch (error) {
    return err({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const absolute = (tree: string, path: string): string =>
  path.startsWith('/') ? path : join(tree, path);

/** The variable is a list divided by colons; git reads a quoted entry with its escapes. */
const quoted = (path: string): string => (/[:"]/.test(path) ? JSON.stringify(path) : path);

/**
 * git takes an entry for unchanged by size and time, except where the file is as young as the
 * index. A copy with a time of its own would hide edits made in the same second, so it gets
 * the original's, rounded down.
 */
async function seedIndex(from: string, to: string): Promise<void> {
  const original = await stat(from).catch(() => null);
  if (original === null) return;
  await copyFile(from, to);
  const seconds = Math.floor(original.mtimeMs / 1000);
  await utimes(to, seconds, seconds);
}
