/** The files of a range in their three states: before it, after it, and as they lie on disk. */
import { readFileSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changedFiles, type ChangedFile } from '../git/changed.js';
import { showFile } from '../git/commit.js';
import { git, type GitProblem, splitNames } from '../git/run.js';
import { dirtyFiles } from '../git/tree.js';
import { ok, type Result } from '../result.js';
import type { FileStates } from '../mutation/file-change.js';
import { isRust } from './languages.js';
import type { Range } from './range.js';
import { isDeclaredForTests } from './rust-test-module.js';

/** A file of the range with what git says of it. */
export interface RangeFile {
  readonly change: ChangedFile;
  readonly file: FileStates;
  /** Marked `linguist-generated`. */
  readonly isMarkedGenerated: boolean;
  /** A Rust module that is declared for tests alone; null: not known where it is declared. */
  readonly isTestModule: boolean | null;
  /** Why it cannot be read; null: it can. */
  readonly unreadable: string | null;
}

export interface ReadFix {
  readonly files: readonly RangeFile[];
  readonly notUtf8: number;
  /** Files that differ from the commit that is checked out; those of the range itself left out. */
  readonly uncommitted: readonly string[];
}

export async function readFix(tree: string, range: Range): Promise<Result<ReadFix, GitProblem>> {
  const changed = await changedFiles(tree, range.from, range.to);
  if (!changed.ok) return changed;
  const dirty = await dirtyFiles(tree);
  if (!dirty.ok) return dirty;
  const untracked = dirty.value.untracked.filter((path) => !path.endsWith('/'));
  const fresh = range.to === null ? untracked.map(newFile) : [];
  const all = [...changed.value.files, ...fresh].toSorted((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : 1,
  );
  const generated = await markedGenerated(tree, all.map(nameOf));
  const files = await Promise.all(
    all.map((change) => readOne(tree, range, change, generated.has(nameOf(change)))),
  );
  const uncommitted = range.to === null ? [] : [...dirty.value.changed, ...untracked];
  return ok({ files, notUtf8: changed.value.notUtf8, uncommitted });
}

/** What lies on disk, in words: `HEAD + 2 uncommitted files`. */
export function testedText({ uncommitted }: Pick<ReadFix, 'uncommitted'>, range: Range): string {
  if (range.to === null) return 'the working tree';
  const count = uncommitted.length;
  return count === 0 ? 'HEAD' : `HEAD + ${count} uncommitted file${count === 1 ? '' : 's'}`;
}

const nameOf = ({ path, oldPath }: ChangedFile): string => path ?? oldPath ?? '';

/** git does not compare what it does not track. */
const newFile = (path: string): ChangedFile => ({
  oldPath: null,
  path,
  oldKind: null,
  kind: 'file',
  modeChanged: false,
  runs: [],
  isBinary: false,
});

async function readOne(
  tree: string,
  range: Range,
  change: ChangedFile,
  isMarkedGenerated: boolean,
): Promise<RangeFile> {
  const { oldPath, path, oldKind, kind } = change;
  const before =
    oldPath === null || oldKind !== 'file' ? null : await shown(tree, range.from, oldPath);
  const now = await onDisk(tree, nameOf(change));
  const after =
    path === null || kind !== 'file'
      ? null
      : range.to === null
        ? now
        : await shown(tree, range.to, path);
  const failed = [before, after].find((each) => typeof each === 'string');
  return {
    change,
    file: {
      path: nameOf(change),
      oldPath,
      before: bytesOrNull(before),
      after: bytesOrNull(after),
      now,
    },
    isMarkedGenerated,
    isTestModule: isRust(nameOf(change))
      ? isDeclaredForTests(nameOf(change), (name) => contentNow(tree, name))
      : null,
    unreadable: typeof failed === 'string' ? failed : null,
  };
}

const bytesOrNull = (read: Buffer | string | null): Buffer | null =>
  typeof read === 'string' ? null : read;

/** @returns in one phrase why not, as a text */
async function shown(tree: string, rev: string, path: string): Promise<Buffer | string> {
  const found = await showFile(tree, rev, path);
  if (found.ok) return found.value;
  switch (found.error.kind) {
    case 'no-revision':
      return found.error.hint;
    case 'no-file':
      return found.error.why;
    case 'failed':
      return found.error.message;
    default:
      return found.error.kind;
  }
}

async function onDisk(tree: string, path: string): Promise<Buffer | null> {
  try {
    const absolute = join(tree, path);
    return (await lstat(absolute)).isFile() ? await readFile(absolute) : null;
  } catch {
    return null;
  }
}

function contentNow(tree: string, path: string): Buffer | null {
  try {
    return readFileSync(join(tree, path));
  } catch {
    return null;
  }
}

/** What `.gitattributes` marks as made by a program; such files are folded away in reviews. */
async function markedGenerated(
  tree: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const asked = await git(tree, ['check-attr', '-z', 'linguist-generated', '--', ...paths]);
  if (!asked.ok) return new Set();
  const fields = splitNames(asked.value).map((field) => field.toString('utf8'));
  const found = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (['set', 'true'].includes(fields[at + 2] ?? '')) found.add(fields[at] ?? '');
  return found;
}
