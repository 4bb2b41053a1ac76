/** Which revisions a stored spec may name: those that mean the same tomorrow. */
import { err, ok, type Result } from '../result.js';
import type { PathProblem } from './paths.js';

const COMMIT = /^[0-9a-f]{7,64}$/i;
const TAG = /^refs\/tags\/[^\s~^:?*[\\\p{Cc}]+$/u;
const PINNED = 'Write a commit id (git rev-parse --short=12 REV), or refs/tags/NAME for a tag.';

export interface RevisionProblem extends PathProblem {
  /** What would have to be a commit id instead; null: that is not what is wrong. */
  readonly unpinned: string | null;
}

type Checked = Result<string, RevisionProblem>;

const problem = (message: string, hint: string): Checked => err({ message, hint, unpinned: null });

/**
 * A commit id, or a tag by its full name. A tag can be moved as well; but whoever publishes one
 * does not, and a spec that names it says that it rests on that.
 */
export function checkStoredRevision(text: string): Checked {
  const moving = (message: string, hint = PINNED): Checked =>
    err({ message, hint, unpinned: text });
  if (COMMIT.test(text)) return ok(text);
  if (/^[0-9a-f]{1,6}$/i.test(text) && /\d/.test(text))
    return moving(`\`${text}\` is too short for a commit id`, 'Write at least 7 digits of it.');
  if (text.includes('..'))
    return problem(
      'a range is no revision',
      'Write the one commit whose version of the file is meant.',
    );
  if (/[~^]|@\{/.test(text) || text === '@' || text === 'HEAD' || text.endsWith('/HEAD'))
    return moving(`\`${text}\` means another commit tomorrow`);
  if (TAG.test(text) && !text.includes('..') && !text.endsWith('/') && !text.endsWith('.lock'))
    return ok(text);
  if (text.startsWith('refs/')) return moving(`\`${text}\` is no tag, and may move`);
  return moving(`\`${text}\` could be a branch, which moves`);
}

/** One revision, or the two ends of `A..B`. */
export function checkStoredRange(text: string): Checked {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,})(.*)$/s.exec(text) ?? [];
  if (dots === undefined) return checkStoredRevision(text);
  if (dots.length > 2)
    return problem('a range has two dots', 'Write A..B: what B has since it left A.');
  if (from === '' || to === '')
    return problem(
      'an end of the range is missing, which would mean `HEAD`',
      'Write both ends of A..B.',
    );
  const wrong = [from, to].map(checkStoredRevision).find((end) => !end.ok);
  return wrong ?? ok(text);
}
