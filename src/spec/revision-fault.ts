/** A revision that a spec may not name, with the id to write in its place. */
import { type Check, faultAt } from './check.js';
import { checkStoredRevision, type RevisionProblem } from './revision.js';
import type { Path } from './written.js';

/** @param text all that stands at the path */
export function faultAtRevision(
  check: Check,
  path: Path,
  text: string,
  { message, hint, unpinned }: RevisionProblem,
): void {
  const hinted = unpinned === null ? text : text.split('..').map(pinned).join('..');
  faultAt(
    check,
    path,
    message,
    hinted === text ? hint : `Write \`${hinted}\`, which is what it means now.`,
  );

  function pinned(rev: string): string {
    return checkStoredRevision(rev).ok ? rev : (check.idOf?.(rev) ?? rev);
  }
}
