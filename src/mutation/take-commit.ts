/** `revert` and `apply`: what a commit changed, backwards or once more, in the files as they lie. */
import { posix, relative, sep } from 'node:path';
import type { ChangedFile, EntryKind } from '../git/changed.js';
import { append } from '../lists.js';
import { err, ok, type Result } from '../result.js';
import type { CommitEdit } from '../spec/model.js';
import { chooseFiles, type ChosenFile, nameOf } from './choose-hunks.js';
import type { CommitChanges } from './commit-changes.js';
import type { NotApplied } from './edit.js';
import type { FileStates, Part } from './file-change.js';
import { withoutRevision } from './git-problem.js';
import type { History } from './history.js';
import { isLfsPointer } from './lfs.js';
import { misplaced } from './misplaced.js';
import { partsOf } from './parts.js';
import { noFile, notInCommit, refused } from './problem.js';
import { takePartsBack, type TakenFile } from './take.js';
import type { Target } from './target.js';

export interface TakeContext {
  readonly tree: string;
  readonly root: string;
  readonly git: History;
  /** A root-relative file, as the edits before this one left it. */
  readonly read: (file: string) => Promise<Result<Target, NotApplied>>;
}

type Found<T> = Result<T, NotApplied>;

/** What is taken back: the change itself, or for `apply` the one that would undo it. */
interface Taking extends TakeContext {
  readonly kind: CommitEdit['kind'];
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Every hunk that is meant must stand in exactly one place, with at least a line around it that
 * is the same, and a file that changed as a whole must be what the commit made of it. Modes stay
 * as they are.
 *
 * @returns the files that differ then, in the order of their paths; or why some part cannot go,
 *   and then none does
 */
export async function takeCommit(
  edit: CommitEdit,
  context: TakeContext,
): Promise<Found<readonly TakenFile[]>> {
  const changes = await context.git.changes(edit.range);
  if (!changes.ok) return changes;
  const root = relative(context.tree, context.root).replaceAll(sep, '/');
  const chosen = chooseFiles(edit, changes.value, root);
  if (!chosen.ok) return chosen;
  const taking = takingOf(edit, changes.value, context);
  const parts: Part[] = [];
  for (const file of chosen.value) {
    const found = await partsTaken(edit.kind === 'revert' ? file : reversed(file), taking);
    if (!found.ok) return found;
    append(parts, found.value);
  }
  const taken = takePartsBack(parts);
  if (taken.length > 0) return ok(taken);
  return notInCommit(
    changes.value.name,
    'it changes no byte of a file (modes are left as they are)',
    [],
    'name a commit that changes one',
  );
}

function takingOf(
  { kind }: CommitEdit,
  { name, from, to }: CommitChanges,
  context: TakeContext,
): Taking {
  const ends = kind === 'revert' ? { from, to } : { from: to, to: from };
  return { ...context, kind, name, ...ends };
}

function reversed({ change, runs, isWhole }: ChosenFile): ChosenFile {
  const { path, oldPath, kind, oldKind } = change;
  const swapped = runs.map(({ old, fresh }) => ({ old: fresh, fresh: old }));
  return {
    change: { ...change, path: oldPath, oldPath: path, kind: oldKind, oldKind: kind },
    runs: swapped,
    isWhole,
  };
}

const KINDS: { readonly [K in EntryKind]: string } = {
  file: 'a file',
  link: 'a symbolic link',
  submodule: 'a submodule',
};

async function partsTaken(
  { change, runs, isWhole }: ChosenFile,
  taking: Taking,
): Promise<Found<readonly Part[]>> {
  const odd = [change.kind, change.oldKind].find((kind) => kind === 'link' || kind === 'submodule');
  if (odd !== undefined && odd !== null) {
    const shown = shownPath(nameOf(change), taking);
    return notInCommit(
      taking.name,
      `it changes ${shown}, ${KINDS[odd]}, which no edit can change`,
      [],
      `leave it out: paths: ["!${shown}"]`,
    );
  }
  const file = await statesOf(change, isWhole, taking);
  if (!file.ok) return file;
  const { before, after, path, oldPath } = file.value;
  // A mode alone, or line endings that git does not store.
  if (before !== null && after !== null && path === oldPath && before.equals(after)) return ok([]);
  const parts = partsOf(file.value, { runs, isBinary: change.isBinary });
  for (const part of parts) {
    const obstacle = await obstacleOf(part, { change, runs, isWhole }, taking);
    if (obstacle !== null) return err(obstacle);
  }
  return ok(parts);
}

async function statesOf(
  change: ChangedFile,
  isWhole: boolean,
  taking: Taking,
): Promise<Found<FileStates>> {
  const target = await taking.read(shownPath(nameOf(change), taking));
  if (!target.ok) return target;
  const before = await readFrom(taking.from, change.oldPath, taking);
  if (!before.ok) return before;
  const after = await readFrom(taking.to, change.path, taking);
  if (!after.ok) return after;
  const { path, bytes: now } = target.value;
  const isRenamed =
    change.oldPath !== null && change.path !== null && change.oldPath !== change.path;
  return ok({
    path,
    oldPath: change.oldPath === null ? null : isRenamed && isWhole ? change.oldPath : path,
    before: before.value,
    after: after.value,
    now,
  });
}

async function readFrom(
  rev: string,
  path: string | null,
  { git }: Taking,
): Promise<Found<Buffer | null>> {
  if (path === null) return ok(null);
  const found = await git.showFile(rev, path);
  return found.ok ? found : withoutRevision(found.error, rev.slice(0, 12));
}

/** As specs and commands name it. */
const shownPath = (path: string, { tree, root }: Pick<Taking, 'tree' | 'root'>): string =>
  posix.relative(relative(tree, root).replaceAll(sep, '/'), path);

async function obstacleOf(
  part: Part,
  { change, runs }: ChosenFile,
  taking: Taking,
): Promise<NotApplied | null> {
  const { file } = part;
  const { path, before, after, now } = file;
  if (part.kind === 'lines') {
    if (now === null) return noFile(path).error;
    return part.now === null
      ? misplaced(part, now, { ...taking, runs: runs.map(({ fresh }) => fresh) })
      : null;
  }
  if (path !== nameOf(change)) return refused(path, `${nameOf(change)} is a link to it now`).error;
  switch (part.kind) {
    case 'deleted':
      return now === null ? null : { kind: 'exists', path };
    case 'renamed': {
      if (now === null) return noFile(path).error;
      const old = await taking.read(shownPath(file.oldPath ?? path, taking));
      if (!old.ok) return old.error;
      return old.value.bytes === null ? null : { kind: 'exists', path: old.value.path };
    }
    default:
      break;
  }
  if (now === null) return noFile(path).error;
  const isPointer = before !== null && isLfsPointer(before) && !isLfsPointer(now);
  if (isPointer)
    return refused(path, `is kept by Git LFS, and git gives its pointer alone: git lfs fetch`)
      .error;
  if (after !== null && now.equals(after)) return null;
  const state =
    taking.kind === 'revert'
      ? `no longer what ${taking.name} made of it`
      : `not what it was before ${taking.name}`;
  return refused(path, `it is ${state}, and it would change as a whole`).error;
}
