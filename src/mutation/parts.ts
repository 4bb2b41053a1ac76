/** From what git says of a changed file to its parts, each with its place on disk. */
import type { LineRun } from '../git/changed.js';
import type { FileStates, Part } from './file-change.js';
import { placeSpans } from './place.js';

/**
 * What happened to the file as a whole, then its changed lines in order; empty where it is no
 * regular file on either side.
 *
 * @param runs its runs of changed lines; empty: the file changed as a whole
 */
export function partsOf(
  file: FileStates,
  { runs, isBinary }: { readonly runs: readonly LineRun[]; readonly isBinary: boolean },
): readonly Part[] {
  const { path, oldPath, before, after, now } = file;
  if (before === null && after === null) return [];
  if (before === null) return [{ kind: 'created', file, isThere: now !== null }];
  if (after === null) return [{ kind: 'deleted', file, isThere: now === null }];
  const renamed: readonly Part[] =
    oldPath === path ? [] : [{ kind: 'renamed', file, isThere: now !== null }];
  if (isBinary || (runs.length === 0 && renamed.length === 0)) {
    const isThere = now !== null && after.equals(now);
    return [...renamed, { kind: 'replaced', file, isThere }];
  }
  const fresh = runs.map((run) => run.fresh);
  const spans = now === null ? [] : placeSpans(after, now, fresh);
  return [
    ...renamed,
    ...runs.map((run, index): Part => ({
      kind: 'lines',
      file,
      old: run.old,
      fresh: run.fresh,
      now: spans[index] ?? null,
    })),
  ];
}
