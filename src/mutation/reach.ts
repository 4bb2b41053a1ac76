/** The run that shows which tests get to an edit: the baseline with a raise above it. */
import { err, ok, type Result } from '../result.js';
import type { LocatedEdit } from './edit.js';
import { languageOf } from './language.js';
import { placeOfEdit, toLocatedEdit } from './located.js';

/**
 * The same baseline file with a raise, which says who came by, at the head of the innermost
 * function that holds the edit's first changed line.
 *
 * @returns `why` where no function can be named; what reaches the edit is then unknown.
 */
export function raiseAt(located: LocatedEdit): Result<LocatedEdit, { readonly why: string }> {
  const { path, before, after } = located;
  if (before === null) return err({ why: `${path} does not exist in the baseline` });
  if (after === null) return err({ why: `${path} is deleted whole` });
  const language = languageOf(path);
  if (language === null) return err({ why: `${path} is neither Python nor Rust source` });
  const place = placeOfEdit(language, before, after);
  if (place === null) return err({ why: `${path} cannot be read as ${language.name} source` });
  if (place.path.length === 0)
    return err({ why: 'the edit is at module level, outside any function' });
  const raised = language.raiseAtLine(place.lines, place.index, 'reach');
  return raised.ok ? ok(toLocatedEdit(path, before, raised.value)) : err({ why: raised.error });
}
