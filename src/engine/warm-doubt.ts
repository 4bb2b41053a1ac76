/** What the slots of a lane tell each other of warm interpreters. */
export interface WarmDoubt {
  /** Every step starts a new interpreter from now on, in all slots. */
  readonly isCold: () => boolean;
  /** @param tests told otherwise by a warm interpreter than by a new one; empty: something else was */
  readonly raise: (tests: readonly string[]) => void;
  readonly listen: (hear: (tests: readonly string[]) => void) => void;
}

export function createWarmDoubt(): WarmDoubt {
  const listeners: ((tests: readonly string[]) => void)[] = [];
  let cold = false;
  return {
    isCold: () => cold,
    raise(tests) {
      cold = true;
      for (const hear of listeners) hear(tests);
    },
    listen: (hear) => {
      listeners.push(hear);
    },
  };
}
