/** From a test case to its result. */
import { unreachable } from '../../result.js';
import type { Outcome, TestResult } from '../../proof/outcome.js';
import { brokenBy, type TargetNames } from './broken.js';
import { messageOf } from './message.js';
import type { JunitCase, Mark } from './report.js';

export interface ResultContext {
  readonly id: string;
  readonly targets: TargetNames;
  /** `path:line` of the failure that lies in the tree; null: none does. */
  readonly placeIn: (text: string) => string | null;
}

export function resultOf(found: JunitCase, { id, targets, placeIn }: ResultContext): TestResult {
  const outcome = outcomeOf(found);
  const mark = found.marks.find((each) => each.kind !== 'flaky') ?? null;
  const isRed = mark !== null && mark.kind !== 'skipped';
  return {
    id,
    outcome,
    phase: null,
    at: isRed ? placeIn(mark.text) : null,
    message: mark === null ? null : messageOf(mark),
    durationMs: durationOf(found.time),
    broken: isRed ? brokenBy(mark, targets) : null,
  };
}

/**
 * A skip stands above a failure: Node reports both for a test that is still to be done, and
 * does not fail over it. What failed first and passed when it was run again has passed.
 */
function outcomeOf({ marks, status }: JunitCase): Outcome {
  const skip = marks.find(({ kind }) => kind === 'skipped');
  if (skip !== undefined) return skip.type === 'pytest.xfail' ? 'xfailed' : 'skipped';
  const failures = marks.filter(({ kind }) => kind === 'failure');
  if (failures.length > 0) return failures.every(isNotItsOwn) ? 'error' : 'failed';
  if (marks.some(({ kind }) => kind === 'error')) return 'error';
  return status === null ? 'passed' : outcomeOfStatus(status);
}

/**
 * Node's words for a test that did not run, or not to its end, because of something around it.
 * Other runners write `<error>` or `<skipped>` there.
 */
const isNotItsOwn = ({ type }: Mark): boolean =>
  type === 'cancelledByParent' || type === 'hookFailed';

/** googletest marks a disabled test by its status alone, CTest writes an element as well. */
function outcomeOfStatus(status: string): Outcome {
  const word = status.toLowerCase();
  if (['notrun', 'disabled', 'suppressed', 'skipped', 'ignored'].includes(word)) return 'skipped';
  if (['fail', 'failed', 'failure'].includes(word)) return 'failed';
  return word === 'error' ? 'error' : 'passed';
}

/** Seconds, also as `1,234.5`, which surefire writes for a thousand and more. */
export function durationOf(time: string | null): number {
  const seconds = Number((time ?? '0').replaceAll(',', ''));
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1e6) / 1e3 : 0;
}

export function isRedMark({ kind }: Mark): boolean {
  switch (kind) {
    case 'failure':
    case 'error':
      return true;
    case 'skipped':
    case 'flaky':
      return false;
    default:
      return unreachable(kind);
  }
}
