/** From what a spec says to exact bytes: every edit lands in the one place that it means, or none does. */
import { err, ok, type Result, unreachable } from '../result.js';
import type { EditSpec, FileEdit } from '../spec/model.js';
import type { LocatedEdit, NotApplied } from './edit.js';
import { withoutRevision } from './git-problem.js';
import type { History } from './history.js';
import { isLfsPointer } from './lfs.js';
import { type Lines, splitLines, startOf, terminatorNear, terminatorOf } from './lines.js';
import { languageOf } from './language.js';
import { toLocatedEdit } from './located.js';
import { applyPatch } from './patch.js';
import { noChange, noFile, refused } from './problem.js';
import { replaceText } from './replace.js';
import { takeCommit } from './take-commit.js';
import type { TakenFile } from './take.js';
import { type Places, resolveTarget, type Target } from './target.js';
import { type LineRange, narrow } from './within.js';

export interface LocateContext extends Places {
  readonly git: History;
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
  const steps = await locateSteps(edits, context);
  if (!steps.ok) return steps;
  const files = new Map<string, { readonly original: Buffer | null; current: Buffer | null }>();
  for (const { path, before, after } of steps.value.flat()) {
    const known = files.get(path);
    if (known === undefined) files.set(path, { original: before, current: after });
    else known.current = after;
  }
  const located = [];
  for (const [path, { original, current }] of files) {
    if (sameBytes(original, current)) return noChange(path, 'the edits together');
    located.push(toLocatedEdit(path, original, current));
  }
  return clash(located) ?? ok(located);
}

/** What each edit does to which files, one after another: several where it is a commit. */
export async function locateSteps(
  edits: readonly EditSpec[],
  context: LocateContext,
): Promise<Result<readonly (readonly TakenFile[])[], NotApplied>> {
  const standing = new Map<string, Buffer | null>();
  const read = async (file: string): Promise<Result<Target, NotApplied>> => {
    const target = await resolveTarget(context, file);
    const bytes = target.ok ? standing.get(target.value.path) : undefined;
    return target.ok && bytes !== undefined ? ok({ ...target.value, bytes }) : target;
  };
  const steps: (readonly TakenFile[])[] = [];
  for (const edit of edits) {
    const step =
      'range' in edit
        ? await takeCommit(edit, { ...context, read })
        : await editOneFile(edit, context, read);
    if (!step.ok) return step;
    for (const { path, after } of step.value) standing.set(path, after);
    steps.push(step.value);
  }
  return ok(steps);
}

async function editOneFile(
  edit: FileEdit,
  context: LocateContext,
  read: (file: string) => Promise<Result<Target, NotApplied>>,
): Promise<Result<readonly TakenFile[], NotApplied>> {
  const target = await read(edit.file);
  if (!target.ok) return target;
  const { path, bytes } = target.value;
  const after = await editedBytes(edit, target.value, context);
  return after.ok ? ok([{ path, before: bytes, after: after.value }]) : after;
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
  edit: FileEdit,
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
  edit: FileEdit & { readonly kind: 'create' },
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
  edit: FileEdit & { readonly kind: 'from' },
  lines: Lines,
  path: string,
  range: LineRange,
  context: LocateContext,
): Promise<Result<Buffer, NotApplied>> {
  const shown = await context.git.showFile(edit.rev, path);
  if (!shown.ok) return withoutRevision(shown.error, edit.rev);
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
    ? noChange(path, 'the edit', `${what} is the same in ${edit.rev}`)
    : result;
}

/** Only the named range comes from the revision, in which the same lines must name one as well. */
function spliceRange(
  lines: Lines,
  range: LineRange,
  other: Lines,
  path: string,
  edit: FileEdit & { readonly kind: 'from' },
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
