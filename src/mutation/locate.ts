/** From what a spec says to exact bytes: every edit lands in the one place that it means, or none does. */
import type { NoRevision, NoSuchFile } from '../git/commit.js';
import type { GitProblem } from '../git/run.js';
import { err, ok, type Result, unreachable } from '../result.js';
import type { EditSpec } from '../spec/model.js';
import type { LocatedEdit, NotApplied } from './edit.js';
import { type Lines, splitLines, startOf, terminatorNear, terminatorOf } from './lines.js';
import { languageOf } from './language.js';
import { toLocatedEdit } from './located.js';
import { applyPatch } from './patch.js';
import { noChange, noFile, refused } from './problem.js';
import { replaceText } from './replace.js';
import { type Places, resolveTarget, type Target } from './target.js';
import { type LineRange, narrow } from './within.js';

export interface LocateContext extends Places {
  readonly git: {
    /** A tree-relative file as it was in a revision. */
    showFile(
      rev: string,
      path: string,
    ): Promise<Result<Buffer, GitProblem | NoRevision | NoSuchFile>>;
  };
}

interface Standing {
  readonly original: Buffer | null;
  readonly current: Buffer | null;
}

/**
 * Turns the edits of one mutation into one located edit for each file, in the order in which
 * the files are first named. Edits of the same file follow each other: each must be unique in
 * what the ones before it left. Nothing is written.
 *
 * @returns the first reason why an edit does not land; then none of them may be applied.
 */
export async function locateMutation(
  edits: readonly EditSpec[],
  context: LocateContext,
): Promise<Result<readonly LocatedEdit[], NotApplied>> {
  const files = new Map<string, Standing>();
  for (const edit of edits) {
    const target = await resolveTarget(context, edit.file);
    if (!target.ok) return target;
    const { path } = target.value;
    const standing = files.get(path) ?? {
      original: target.value.bytes,
      current: target.value.bytes,
    };
    const after = await editedBytes(edit, { ...target.value, bytes: standing.current }, context);
    if (!after.ok) return after;
    files.set(path, { ...standing, current: after.value });
  }
  const located = [];
  for (const [path, { original, current }] of files) {
    if (sameBytes(original, current)) return noChange(path, 'the edits together');
    located.push(toLocatedEdit(path, original, current));
  }
  return clash(located) ?? ok(located);
}

const sameBytes = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);

/** A created file cannot lie under a path that another edit creates as a file. */
function clash(located: readonly LocatedEdit[]): Result<never, NotApplied> | null {
  for (const { path, before } of located) {
    const above = located.find((other) => path.startsWith(`${other.path}/`));
    if (before === null && above !== undefined) {
      return refused(path, `lies under ${above.path}, which is a file`);
    }
  }
  return null;
}

async function editedBytes(
  edit: EditSpec,
  target: Target,
  context: LocateContext,
): Promise<Result<Buffer | null, NotApplied>> {
  const { path, bytes } = target;
  if (edit.kind === 'create') return created(edit, target);
  if (edit.kind === 'bytes') {
    return sameBytes(bytes, edit.before)
      ? ok(edit.after)
      : refused(path, 'is not what it was when the edit was made');
  }
  if (bytes === null) return noFile(path);
  if (edit.kind === 'delete') {
    return edit.within.length > 0
      ? refused(path, '`within` says nothing beside `delete`')
      : ok(null);
  }
  const lines = splitLines(bytes);
  const range = narrow(lines, path, edit.within);
  if (!range.ok) return range;
  switch (edit.kind) {
    case 'patch':
      return applyPatch(lines, path, edit.patch, edit.within.length > 0 ? range.value : null);
    case 'replace':
      return replaceText(lines, path, edit, range.value);
    case 'raise':
      return raised(edit.within, lines, path, range.value);
    case 'from':
      return fromRevision(edit, lines, path, range.value, context);
    default:
      return unreachable(edit);
  }
}

function created(
  edit: EditSpec & { readonly kind: 'create' },
  { path, bytes }: Target,
): Result<Buffer, NotApplied> {
  if (edit.within.length > 0) return refused(path, '`within` says nothing beside `create`');
  return bytes === null ? ok(Buffer.from(edit.content, 'utf8')) : err({ kind: 'exists', path });
}

function raised(
  within: readonly string[],
  lines: Lines,
  path: string,
  range: LineRange,
): Result<Buffer, NotApplied> {
  if (within.length === 0) return refused(path, '`raise` needs `within`: name the function');
  const language = languageOf(path);
  if (language === null) return refused(path, '`raise` knows functions of Python and Rust only');
  const result = language.raiseAtLine(lines, range.from, 'raise');
  return result.ok ? result : refused(path, `nowhere to raise: ${result.error}`);
}

async function fromRevision(
  edit: EditSpec & { readonly kind: 'from' },
  lines: Lines,
  path: string,
  range: LineRange,
  context: LocateContext,
): Promise<Result<Buffer, NotApplied>> {
  const shown = await context.git.showFile(edit.rev, path);
  if (!shown.ok) return withoutRevision(shown.error, edit.rev, path);
  if (isLfsPointer(shown.value) && !isLfsPointer(lines.bytes)) {
    return refused(
      path,
      `is kept by Git LFS, and ${edit.rev} gives its pointer alone: git lfs fetch`,
    );
  }
  const result =
    edit.within.length === 0
      ? ok(shown.value)
      : spliceRange(lines, range, splitLines(shown.value), path, edit);
  if (!result.ok) return result;
  const what = edit.within.length === 0 ? 'the file' : 'the part that `within` names';
  return result.value.equals(lines.bytes)
    ? noChange(path, `${what} is the same in ${edit.rev}`)
    : result;
}

const isLfsPointer = (bytes: Buffer): boolean =>
  bytes.subarray(0, 43).equals(Buffer.from('version https://git-lfs.github.com/spec/v1\n'));

/** Only the named range comes from the revision, in which the same lines must name one as well. */
function spliceRange(
  lines: Lines,
  range: LineRange,
  other: Lines,
  path: string,
  edit: EditSpec & { readonly kind: 'from' },
): Result<Buffer, NotApplied> {
  const there = narrow(other, path, edit.within);
  if (!there.ok) {
    const { error } = there;
    const inRevision = 'what' in error ? { ...error, what: `${error.what} in ${edit.rev}` } : error;
    return err(inRevision);
  }
  const taken = other.bytes.subarray(
    startOf(other, there.value.from),
    startOf(other, there.value.to),
  );
  const isTerminated = terminatorOf(other, there.value.to - 1) !== '';
  const mustEnd = range.to < lines.count && !isTerminated;
  return ok(
    Buffer.concat([
      lines.bytes.subarray(0, startOf(lines, range.from)),
      taken,
      Buffer.from(mustEnd ? terminatorNear(lines, range.to - 1) : ''),
      lines.bytes.subarray(startOf(lines, range.to)),
    ]),
  );
}

function withoutRevision(
  error: GitProblem | NoRevision | NoSuchFile,
  rev: string,
  path: string,
): Result<never, NotApplied> {
  switch (error.kind) {
    case 'no-revision':
      return err({ kind: 'no-revision', rev, hint: error.hint });
    case 'no-file':
      return refused(path, `cannot be taken from ${rev}: ${error.why}`);
    case 'no-git':
      return err({ kind: 'no-revision', rev, hint: 'git is not installed' });
    case 'no-repository':
      return err({ kind: 'no-revision', rev, hint: `${error.dir} is in no git repository` });
    case 'untrusted':
      return err({
        kind: 'no-revision',
        rev,
        hint: `the repository belongs to another user: ${error.hint}`,
      });
    case 'failed':
      return err({ kind: 'no-revision', rev, hint: `git failed: ${error.message}` });
    default:
      return unreachable(error);
  }
}
