/** `revert` and `apply`: a commit or range that means the same tomorrow, and which parts of it. */
import { type Check, faultAt, faultAtKey, whereIs } from './check.js';
import { listOf } from './fields.js';
import type { CommitEdit, HunkName } from './model.js';
import { checkPath } from './paths.js';
import { checkStoredRange } from './revision.js';
import { faultAtRevision } from './revision-fault.js';
import type { EditInput, EditKind } from './spec-schema.js';
import type { Path } from './written.js';

export const isCommitKind = (kind: EditKind): kind is CommitEdit['kind'] =>
  kind === 'revert' || kind === 'apply';

export function commitEditOf(
  check: Check,
  input: EditInput,
  path: Path,
  kind: CommitEdit['kind'],
): CommitEdit | null {
  const before = check.faults.length;
  const written = input[kind] ?? '';
  refuseBeside(check, input, path, kind);
  const range = checkStoredRange(written);
  if (!range.ok) faultAtRevision(check, [...path, kind], written, range.error);
  const paths = entriesOf(check, input.paths, [...path, 'paths'], pathOf);
  const hunks = entriesOf(check, input.hunks, [...path, 'hunks'], hunkOf);
  if (check.faults.length > before) return null;
  return { kind, range: written, paths, hunks, where: whereIs(check, [...path, kind], 'key') };
}

/** A commit says itself which files it changes, and where in them. */
function refuseBeside(
  check: Check,
  { file, within }: EditInput,
  path: Path,
  kind: CommitEdit['kind'],
): void {
  if (file !== undefined)
    faultAtKey(
      check,
      [...path, 'file'],
      `\`file\` stands beside \`${kind}\`, which names its files itself`,
      `To take one of them, write: paths: [${JSON.stringify(file)}]`,
    );
  if (within !== undefined)
    faultAtKey(
      check,
      [...path, 'within'],
      `\`within\` stands beside \`${kind}\`, which knows its places itself`,
      'To take a part of it, name its hunks: hunks: ["FILE:LINE"]',
    );
}

/** Each entry of a list, or what stands alone in its place; faults at the entry. */
function entriesOf<I, T>(
  check: Check,
  written: I | readonly I[] | undefined,
  path: Path,
  read: (check: Check, entry: I, path: Path) => T | null,
): readonly T[] {
  const entries = listOf(written);
  if (written !== undefined && entries.length === 0)
    faultAt(check, path, 'the list is empty', 'Leave it out where all is meant.');
  return entries.flatMap((entry, index) => {
    const found = read(check, entry, Array.isArray(written) ? [...path, index] : path);
    return found === null ? [] : [found];
  });
}

/** A folder may be meant, so the path is looked at as that of a file in it. */
function pathOf(check: Check, written: string, path: Path): string | null {
  const [, not = '', plain = ''] = /^(!?)(.*?)\/*$/s.exec(written) ?? [];
  if (plain === '') {
    faultAt(check, path, written.startsWith('/') ? 'the path is absolute' : 'the path is empty');
    return null;
  }
  const checked = checkPath(`${plain}/-`, check.bounds);
  if (checked.ok) return not + (checked.value === '-' ? '.' : checked.value.slice(0, -2));
  faultAt(check, path, checked.error.message, checked.error.hint);
  return null;
}

function hunkOf(check: Check, written: string | number, path: Path): HunkName | null {
  if (typeof written === 'number') return { kind: 'number', number: written };
  const [, file, line] = /^(.+):([1-9]\d*)$/s.exec(written) ?? [];
  if (file === undefined) {
    faultAt(
      check,
      path,
      `\`${written}\` names no hunk`,
      'Write FILE:LINE, a line of the hunk in the file as the commit left it; or its number, where there is one file.',
    );
    return null;
  }
  const checked = checkPath(file, check.bounds);
  if (checked.ok) return { kind: 'line', path: checked.value, line: Number(line) };
  faultAt(check, path, checked.error.message, checked.error.hint);
  return null;
}
