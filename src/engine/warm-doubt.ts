import type { RunEvent } from '../record/events.js';
import type { Draft } from './draft.js';

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

/** What is in doubt in one slot, until it is measured anew. */
export interface Doubted {
  readonly isAny: () => boolean;
  /** The tests in doubt, which are so no more; empty: all of them are. */
  readonly take: () => readonly string[];
}

export function createDoubted(doubt: Pick<WarmDoubt, 'listen'>): Doubted {
  let tests: ReadonlySet<string> | null = null;
  doubt.listen((heard) => {
    // Where one difference was not in a test, no test is above doubt.
    const isEach = heard.length === 0 || tests?.size === 0;
    tests = new Set(isEach ? [] : [...(tests ?? []), ...heard]);
  });
  return {
    isAny: () => tests !== null,
    take() {
      const taken = [...(tests ?? [])];
      tests = null;
      return taken;
    },
  };
}

/** @param tests in doubt; empty: all of them are */
export const restsOn = (tests: readonly string[], concerns: readonly string[]): boolean =>
  tests.length === 0 || concerns.some((test) => tests.includes(test));

/** @param again what is measured anew */
export const doubtNotice = (
  lane: string,
  tests: readonly string[],
  again: readonly Pick<Draft, 'mutation'>[],
): RunEvent => ({
  type: 'notice',
  level: 'warning',
  lane,
  id: null,
  text: `a warm interpreter told ${tests[0] ?? 'a step'} otherwise than a new one: every step starts a new one from now on, and measures again ${again.map(({ mutation }) => mutation.id).join(', ')} (\`warm: off\` in the lane keeps it so)`,
});
