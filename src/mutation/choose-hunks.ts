/** Which files and runs of changed lines of a commit are meant by `paths` and `hunks`. */
import { posix } from 'node:path';
import type { ChangedFile, LineRun } from '../git/changed.js';
import { ok, type Result } from '../result.js';
import type { CommitEdit, HunkName } from '../spec/model.js';
import { matchesPath } from '../spec/path-pattern.js';
import type { CommitChanges } from './commit-changes.js';
import type { NotApplied } from './edit.js';
import { notInCommit } from './problem.js';

export interface ChosenFile {
  readonly change: ChangedFile;
  /** The runs that are meant, in the order of the file. */
  readonly runs: readonly LineRun[];
  /** Whether nothing of the file was left out: then it is renamed, too. */
  readonly isWhole: boolean;
}

type Found<T> = Result<T, NotApplied>;

export const nameOf = ({ path, oldPath }: ChangedFile): string => path ?? oldPath ?? '';

/**
 * In the order of the paths; at least one. A file that was made, deleted or is binary has one
 * hunk: all of it.
 *
 * @param root relative to the tree, in which the commit's own paths are
 */
export function chooseFiles(
  { paths, hunks }: Pick<CommitEdit, 'paths' | 'hunks'>,
  changes: CommitChanges,
  root: string,
): Found<readonly ChosenFile[]> {
  const files = changes.files.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const picked = pickFiles(paths, { ...changes, files }, root);
  if (!picked.ok) return picked;
  if (hunks.length > 0) return pickHunks(hunks, picked.value, changes.name, root);
  return ok(picked.value.map((change) => ({ change, runs: change.runs, isWhole: true })));
}

function pickFiles(
  paths: readonly string[],
  { files, name, notUtf8 }: CommitChanges,
  root: string,
): Found<readonly ChangedFile[]> {
  const shown = files.map((file) => shownFile(file, root));
  const inTree = (path: string): string => posix.normalize(posix.join(root, path));
  const holds = (path: string, file: ChangedFile): boolean =>
    [file.path, file.oldPath].some((own) => own !== null && matchesPath(inTree(path), own));
  const out = paths.filter((path) => path.startsWith('!')).map((path) => path.slice(1));
  const wanted = paths.filter((path) => !path.startsWith('!'));
  const vain = paths.find((path) => !files.some((file) => holds(path.replace(/^!/, ''), file)));
  if (vain !== undefined)
    return notInCommit(
      name,
      `\`paths\` has ${vain}, and it changes no such file`,
      shown.map((file) => `it changes ${file}`),
      'correct `paths`, which are relative to the root',
    );
  if (wanted.length === 0 && notUtf8 > 0)
    return notInCommit(
      name,
      `it changes ${notUtf8 === 1 ? 'a file whose name is' : `${notUtf8} files whose names are`} not UTF-8, which no edit can change`,
      [],
      'name the others in `paths`',
    );
  const picked = files.filter(
    (file) =>
      (wanted.length === 0 || wanted.some((path) => holds(path, file))) &&
      !out.some((path) => holds(path, file)),
  );
  if (picked.length > 0) return ok(picked);
  return files.length === 0
    ? notInCommit(name, 'it changes no file', [], 'name a commit that changes one')
    : notInCommit(name, '`paths` leaves none of its files', [], 'leave fewer out');
}

function pickHunks(
  hunks: readonly HunkName[],
  files: readonly ChangedFile[],
  name: string,
  root: string,
): Found<readonly ChosenFile[]> {
  const chosen = new Map<ChangedFile, Set<number>>();
  for (const hunk of hunks) {
    const found =
      hunk.kind === 'number'
        ? byNumber(hunk.number, files, name, root)
        : byLine(hunk, files, name, root);
    if (!found.ok) return found;
    const { file, index } = found.value;
    chosen.set(file, (chosen.get(file) ?? new Set()).add(index));
  }
  return ok(
    files.flatMap((change) => {
      const own = chosen.get(change);
      if (own === undefined) return [];
      const runs = change.runs.filter((_, index) => own.has(index));
      return [{ change, runs, isWhole: isOneHunk(change) }];
    }),
  );
}

const isOneHunk = ({ path, oldPath, isBinary }: ChangedFile): boolean =>
  path === null || oldPath === null || isBinary;

const countOf = (file: ChangedFile): number => (isOneHunk(file) ? 1 : file.runs.length);

interface Hunk {
  readonly file: ChangedFile;
  /** From 0. */
  readonly index: number;
}

function byNumber(
  number: number,
  files: readonly ChangedFile[],
  name: string,
  root: string,
): Found<Hunk> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0)
    return notInCommit(
      name,
      `hunk ${number} could be in one of ${files.length} files`,
      files.map((one) => `${shownFile(one, root)} has ${hunksText(countOf(one))}`),
      'write FILE:LINE in `hunks`, or name one file in `paths`',
    );
  if (number <= countOf(file)) return ok({ file, index: number - 1 });
  return notInCommit(
    name,
    `${shownFile(file, root)} has ${hunksText(countOf(file))}, and no hunk ${number}`,
    placesIn(file, root),
    'correct `hunks`',
  );
}

function byLine(
  { path, line }: HunkName & { readonly kind: 'line' },
  files: readonly ChangedFile[],
  name: string,
  root: string,
): Found<Hunk> {
  const inTree = posix.normalize(posix.join(root, path));
  const file = files.find((one) => nameOf(one) === inTree);
  if (file === undefined)
    return notInCommit(
      name,
      `\`hunks\` has ${path}:${line}, and it changes no such file, or \`paths\` leaves it out`,
      files.map((one) => `it changes ${shownFile(one, root)}`),
      'correct `hunks`, whose paths are relative to the root',
    );
  if (isOneHunk(file)) return ok({ file, index: 0 });
  const index = file.runs.findIndex(({ fresh }) => {
    // Lines that were only taken away stood before the line that is there now.
    const last = Math.max(fresh.to, fresh.from + 1);
    return line > fresh.from && line <= last;
  });
  if (index >= 0) return ok({ file, index });
  return notInCommit(
    name,
    `${path}:${line} lies in none of its hunks`,
    placesIn(file, root),
    'write a line of the file as the commit left it',
  );
}

const hunksText = (count: number): string => `${count} hunk${count === 1 ? '' : 's'}`;

const shownFile = (file: ChangedFile, root: string): string =>
  posix.relative(root, nameOf(file)) || nameOf(file);

/** `hunk 1 is src/a.py:12  +2 -1`, a line for each. */
function placesIn(file: ChangedFile, root: string): readonly string[] {
  if (isOneHunk(file)) return [];
  return file.runs.map(
    ({ old, fresh }, index) =>
      `hunk ${index + 1} is ${shownFile(file, root)}:${fresh.from + 1}  +${fresh.to - fresh.from} -${old.to - old.from}`,
  );
}
