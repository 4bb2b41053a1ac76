/** A lane's last runs in one slot, and what they void. */
import type { StepEvidence } from '../proof/evidence.js';
import { closingVoids, openProof } from '../proof/plan.js';
import { isAsBaseline, type MeasuredLane } from '../proof/stability.js';
import type { RunContext } from './context.js';
import type { Draft } from './draft.js';

export interface Closing {
  /**
   * Notes the whole lane's run on the restored tree, and repeats it where it differs from the
   * baseline. May be done again: it takes the place of the one before, but what that one has
   * voided stays so until it is measured anew.
   *
   * @param ran measured since the lane was last closed
   * @param repeat null: it was not to be had
   */
  readonly close: (
    ran: readonly Draft[],
    first: StepEvidence,
    repeat: () => Promise<StepEvidence | null>,
  ) => Promise<void>;
  readonly hasVoided: (draft: Draft) => boolean;
  /** None, one, or one and its repeat. */
  readonly runs: () => readonly StepEvidence[];
}

export function createClosing(
  { emit }: Pick<RunContext, 'emit'>,
  lane: MeasuredLane & { readonly name: string },
): Closing {
  let runs: readonly StepEvidence[] = [];
  const voidedBefore = new Set<Draft>();

  return {
    async close(ran, first, repeat) {
      const open = ran.filter((draft) => !voidedBefore.has(draft));
      // Stands where the repeat does not come to its end: a difference that nobody looked into.
      for (const draft of open) draft.closing = { first, again: null };
      runs = [first];
      const again = isAsBaseline(lane, first) ? null : await repeat();
      if (again !== null) runs = [first, again];
      const facts = { first, again };
      const { voided, why } = closingVoids(open.map(openProof), lane, facts);
      const concerned = new Set(voided);
      for (const draft of open) {
        const isVoid = concerned.has(draft.mutation.id);
        draft.closing = why === 'none' || isVoid ? facts : null;
        if (isVoid) voidedBefore.add(draft);
      }
      if (voided.length === 0) return;
      emit({
        type: 'notice',
        level: 'warning',
        lane: lane.name,
        id: null,
        text: `the closing run differs from the baseline; it voids ${voided.length} of ${ran.length} verdicts`,
      });
    },
    hasVoided: (draft) => voidedBefore.has(draft),
    runs: () => runs,
  };
}
