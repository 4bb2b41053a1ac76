/** The edits of a mutation: exactly one kind each, on a file inside the tree. */
import { resolve } from 'node:path';
import { type Check, faultAt, faultAtKey, whereIs } from './check.js';
import { listOf } from './fields.js';
import { commitEditOf, isCommitKind } from './commit-edit.js';
import type { EditSpec, FileEdit } from './model.js';
import { hasHunk, patchTarget } from './patch-header.js';
import { checkPath } from './paths.js';
import { checkStoredRevision } from './revision.js';
import { faultAtRevision } from './revision-fault.js';
import { EDIT_KINDS, type EditInput, type EditKind, type MutationInput } from './spec-schema.js';
import type { Path } from './written.js';

const BESIDE = ['file', 'within', 'paths', 'hunks'] as const;
const KINDS = `${EDIT_KINDS.slice(0, -1).join(', ')} or ${String(EDIT_KINDS.at(-1))}`;

export function editsOf(check: Check, input: MutationInput, path: Path): readonly EditSpec[] {
  if (input.edits === undefined) return compact([editOf(check, input, path, [...path, 'id'])]);
  const other = [...EDIT_KINDS, ...BESIDE].find((key) => input[key] !== undefined);
  if (other !== undefined)
    faultAtKey(
      check,
      [...path, other],
      `\`${other}\` stands beside \`edits\``,
      'Put it into an entry of `edits`: each has its own file and its own edit.',
    );
  if (input.edits.length === 0)
    faultAt(
      check,
      [...path, 'edits'],
      'the list of edits is empty',
      `Each entry has a file, and one of ${KINDS}.`,
    );
  return compact(
    input.edits.map((edit, index) => {
      const here = [...path, 'edits', index];
      return editOf(check, edit, here, here);
    }),
  );
}

const compact = (edits: readonly (EditSpec | null)[]): readonly EditSpec[] =>
  edits.filter((edit) => edit !== null);

function editOf(check: Check, input: EditInput, path: Path, self: Path): EditSpec | null {
  const [kind, second] = EDIT_KINDS.filter((key) => input[key] !== undefined);
  if (kind === undefined) {
    faultAt(check, self, 'no edit is declared', `Add one of ${KINDS}.`);
    return null;
  }
  if (second !== undefined) {
    faultAtKey(
      check,
      [...path, second],
      `\`${kind}\` and \`${second}\` are two edits`,
      'Keep one of them, or list both under `edits:`.',
    );
    return null;
  }
  if (isCommitKind(kind)) return commitEditOf(check, input, path, kind);
  const stray = (['paths', 'hunks'] as const).find((key) => input[key] !== undefined);
  if (stray !== undefined) {
    faultAtKey(
      check,
      [...path, stray],
      `\`${stray}\` says nothing beside \`${kind}\``,
      'It goes with `revert` and `apply`, which take a commit of several files.',
    );
    return null;
  }
  const file = fileOf(check, input, path, kind);
  const content = contentOf(check, input, path, kind);
  if (file === null || content === null) return null;
  const where = whereIs(check, [...path, kind], 'key');
  return { file, within: listOf(input.within), where, ...content };
}

function fileOf(check: Check, input: EditInput, path: Path, kind: EditKind): string | null {
  const target = input.patch === undefined ? { kind: 'none' as const } : patchTarget(input.patch);
  const patchPath = [...path, 'patch'];
  if (target.kind === 'several') {
    faultAt(
      check,
      patchPath,
      `the patch is for several files: ${target.paths.join(', ')}`,
      'List one patch for each file under `edits:`.',
    );
    return null;
  }
  if (target.kind === 'refused') {
    faultAt(check, patchPath, target.why, target.hint);
    return null;
  }
  if (
    target.kind === 'file' &&
    input.file !== undefined &&
    !isSameFile(target.path, input.file, check)
  ) {
    faultAt(
      check,
      [...path, 'file'],
      `the patch is for another file: ${target.path}`,
      `Write \`file: ${target.path}\`, or take the lines \`---\` and \`+++\` out of the patch.`,
    );
    return null;
  }
  const written = input.file ?? (target.kind === 'file' ? target.path : null);
  if (written === null) {
    faultAtKey(
      check,
      [...path, kind],
      'the edit names no file',
      'Add `file:` with the path of the file to edit.',
    );
    return null;
  }
  const checked = checkPath(written, check.bounds);
  if (checked.ok) return checked.value;
  const at = input.file === undefined ? patchPath : [...path, 'file'];
  faultAt(check, at, checked.error.message, checked.error.hint);
  return null;
}

/** git names files from the top of the tree; a diff by hand may be from the root. */
function isSameFile(inPatch: string, file: string, { bounds: { root, tree } }: Check): boolean {
  const named = resolve(root, file);
  return [root, tree].some((folder) =>
    [inPatch, inPatch.replace(/^[ab]\//, '')].some((path) => resolve(folder, path) === named),
  );
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Content = DistributiveOmit<FileEdit, 'file' | 'within' | 'where'>;

function contentOf(check: Check, input: EditInput, path: Path, kind: EditKind): Content | null {
  if ((kind === 'create' || kind === 'delete') && input.within !== undefined) {
    faultAtKey(
      check,
      [...path, 'within'],
      `\`${kind}\` takes a whole file, so \`within\` has no meaning`,
    );
    return null;
  }
  if (input.patch !== undefined) {
    if (hasHunk(input.patch)) return { kind: 'patch', patch: input.patch };
    faultAt(
      check,
      [...path, 'patch'],
      'the patch changes nothing: no line starts with `@@`, or none with `+` or `-`',
      'Write a hunk: a line `@@`, then the lines with ` `, `-` or `+` before them.',
    );
    return null;
  }
  if (input.replace !== undefined) {
    const { find, with: replacement, count } = input.replace;
    if (find !== replacement)
      return { kind: 'replace', find, with: replacement, count: count ?? 1 };
    faultAt(check, [...path, 'replace', 'with'], '`find` and `with` are the same text');
    return null;
  }
  if (input.raise !== undefined) {
    if (listOf(input.within).length > 0) return { kind: 'raise' };
    faultAtKey(
      check,
      [...path, 'raise'],
      '`raise` needs a function',
      'Add `within: "def NAME"`, the line that starts the function.',
    );
    return null;
  }
  if (input.create !== undefined) return { kind: 'create', content: input.create };
  if (input.from !== undefined) {
    const rev = checkStoredRevision(input.from);
    if (rev.ok) return { kind: 'from', rev: rev.value };
    faultAtRevision(check, [...path, 'from'], input.from, rev.error);
    return null;
  }
  return { kind: 'delete' };
}
