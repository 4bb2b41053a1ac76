/** The wording of every verdict: a sentence of reason, facts, and what to do next. */
import { unreachable } from '../result.js';
import type { Verdict } from './verdict.js';
import { baselineRedText, notSelectedText } from './wording/baseline.js';
import { brokenText, incompleteText, outOfMemoryText, timeoutText } from './wording/endings.js';
import {
  caughtElsewhereText,
  controlMovedText,
  movedOtherwiseText,
  partialText,
  pinnedText,
  survivedText,
} from './wording/moved.js';
import { notAppliedText, notRestoredText, treeTouchedText } from './wording/tree.js';
import { deadLaneText, flakyText, notLoadedText, unsettledText } from './wording/trust.js';
import { sentence, type Found, type VerdictText } from './wording/words.js';

export type { VerdictText } from './wording/words.js';

/** Words one verdict. Everything that a report shows comes from the verdict itself. */
export function explain(verdict: Verdict): VerdictText {
  const text = textOf(verdict);
  return { ...text, reason: sentence(text.reason.replace(/\.$/, '')) };
}

function textOf(verdict: Verdict): VerdictText {
  switch (verdict.code) {
    case 'not-restored':
      return notRestoredText(verdict);
    case 'not-applied':
      return notAppliedText(verdict.problem);
    case 'not-selected':
      return notSelectedText(verdict);
    case 'baseline-red':
      return baselineRedText(verdict);
    case 'broken':
      return brokenText(verdict);
    case 'timeout':
      return timeoutText(verdict);
    case 'out-of-memory':
      return outOfMemoryText(verdict);
    case 'tree-touched':
      return treeTouchedText(verdict);
    case 'incomplete':
      return incompleteText(verdict.run, verdict.gap);
    case 'not-loaded':
      return notLoadedText(verdict.problem);
    case 'flaky':
      return flakyText(verdict);
    case 'unsettled':
      return unsettledText(verdict);
    case 'dead-lane':
      return deadLaneText(verdict);
    case 'survived':
      return survivedText(verdict);
    case 'partial':
      return partialText(verdict);
    case 'moved-otherwise':
      return movedOtherwiseText(verdict);
    case 'caught-elsewhere':
      return caughtElsewhereText(verdict);
    case 'control-moved':
      return controlMovedText(verdict);
    case 'stale-acceptance':
      return staleAcceptanceText(verdict);
    case 'pinned':
      return pinnedText(verdict);
    default:
      return unreachable(verdict);
  }
}

function staleAcceptanceText(verdict: Found<'stale-acceptance'>): VerdictText {
  const { accepted, because, found } = verdict;
  const inner = explain(found);
  return {
    reason: `The spec accepts ${accepted}, but the verdict is now ${found.code}: ${inner.reason}`,
    facts: [`accepted because: ${because}`, ...inner.facts],
    next: ['take `accept` out of the spec, or accept what is found now', ...inner.next],
  };
}
