/** The run that shows which tests get to an edit: the baseline with a raise above it. */
import { err, ok, type Result } from '../result.js';
import type { LocatedEdit } from './edit.js';
import { placeOfEdit, toLocatedEdit } from './located.js';
import { isPythonPath } from './python.js';
import { REACH_STATEMENT, raiseAtLine } from './raise.js';

/**
 * The same baseline file with the recorder's raise at the head of the innermost function that
 * holds the edit's first changed line.
 *
 * @returns `why` where no function can be named; what reaches the edit is then unknown.
 */
export function raiseAt(located: LocatedEdit): Result<LocatedEdit, { readonly why: string }> {
  const { path, before, after } = located;
  if (before === null) return err({ why: `${path} does not exist in the baseline` });
  if (after === null) return err({ why: `${path} is deleted whole` });
  if (!isPythonPath(path)) return err({ why: `${path} is not Python source` });
  const place = placeOfEdit(before, after);
  if (place === null) return err({ why: `${path} cannot be read as Python source` });
  if (place.path.length === 0)
    return err({ why: 'the edit is at module level, outside any function' });
  const raised = raiseAtLine(place.lines, place.index, REACH_STATEMENT);
  return raised.ok ? ok(toLocatedEdit(path, before, raised.value)) : err({ why: raised.error });
}
