import type { Interrupts } from '../engine/run.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Takes signals over for a run: none of them ends this process any more, each is passed on
 * to whoever registered. `release` gives them back.
 */
export function catchSignals(): Interrupts & { readonly release: () => void } {
  const reactions: ((signal: NodeJS.Signals, count: number) => void)[] = [];
  let first: NodeJS.Signals | null = null;
  let count = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    first ??= signal;
    count += 1;
    for (const react of reactions) react(signal, count);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    received: () => first,
    onSignal(react) {
      reactions.push(react);
      if (first !== null) react(first, count);
    },
    release() {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    },
  };
}
