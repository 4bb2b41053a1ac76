/** How long a run may take mutations up: it ends in good order, and says what it left out. */

export interface Budget {
  /**
   * Whether nothing further is to be taken up.
   *
   * @param neededMs for what would be taken up, and to close the lane after it
   */
  readonly isSpent: (neededMs: number) => boolean;
  /** Since the run began, in milliseconds: what counts against the budget, whether there is one or not. */
  readonly spentMs: () => number;
  /** Why mutations were left out; null: none were. */
  readonly reason: () => string | null;
}

/**
 * @param budget as the person wrote it, and in milliseconds; null: there is none
 * @param now by a clock that only grows
 */
export function createBudget(
  budget: { readonly text: string; readonly ms: number } | null,
  now: () => number = () => performance.now(),
): Budget {
  const started = now();
  const spentMs = (): number => now() - started;
  let reason: string | null = null;
  return {
    isSpent(neededMs) {
      if (budget === null) return false;
      if (reason === null && spentMs() + neededMs > budget.ms)
        reason = `the budget of ${budget.text} is used up`;
      return reason !== null;
    },
    spentMs,
    reason: () => reason,
  };
}
