/** A run that ended between two rounds: what the first of them measured is no answer yet. */
import { judge } from '../proof/judge.js';
import type { Draft } from './draft.js';
import type { Rounds } from './run.js';

/**
 * To be called before the drafts of a run that ended early are judged for good: one whose tests
 * say nothing of the edit, where others were to be asked, is marked so that it says no more.
 *
 * @param today ISO date by which an acceptance may have run out
 */
export function noteCutShort(
  drafts: readonly Draft[],
  rounds: Pick<Rounds, 'isInterim'> | undefined,
  today: string,
): void {
  for (const draft of drafts) {
    const measured = { evidence: draft, judgement: judge(draft, { today }) };
    if ((rounds?.isInterim?.(measured) ?? null) !== null) draft.cutShort = true;
  }
}
