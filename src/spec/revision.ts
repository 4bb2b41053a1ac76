/** Which revisions a stored spec may name: those that mean the same tomorrow. */
import { err, ok, type Result } from '../result.js';
import type { PathProblem } from './paths.js';

const COMMIT = /^[0-9a-f]{7,64}$/i;
const TAG = /^refs\/tags\/[^\s~^:?*[\\\p{Cc}]+$/u;
const PINNED = 'Write a commit id (git rev-parse --short=12 REV), or refs/tags/NAME for a tag.';

const problem = (message: string, hint = PINNED): Result<string, PathProblem> =>
  err({ message, hint });

export function checkStoredRevision(text: string): Result<string, PathProblem> {
  if (COMMIT.test(text)) return ok(text);
  if (/^[0-9a-f]{1,6}$/i.test(text) && /\d/.test(text))
    return problem(`\`${text}\` is too short for a commit id`, 'Write at least 7 digits of it.');
  if (text.includes('..'))
    return problem(
      'a range is no revision',
      'Write the one commit whose version of the file is meant.',
    );
  if (/[~^]|@\{/.test(text) || text === '@' || text === 'HEAD' || text.endsWith('/HEAD'))
    return problem(`\`${text}\` means another commit tomorrow`);
  if (TAG.test(text) && !text.includes('..') && !text.endsWith('/') && !text.endsWith('.lock'))
    return ok(text);
  if (text.startsWith('refs/')) return problem(`\`${text}\` is no tag, and may move`);
  return problem(`\`${text}\` could be a branch, which moves`);
}
