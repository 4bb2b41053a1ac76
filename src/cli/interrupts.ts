import { EXIT } from './exit.js';
import type { Interrupts } from '../engine/run.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Takes signals over for a run: none of them ends this process any more, each is passed on
 * to whoever registered. `release` gives them back.
 */
export function catchSignals(): Interrupts & {
  readonly release: () => void;
} {
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

/** For commands that change nothing: a signal ends what runs, and then the command. */
export function cancelOnSignal(): {
  readonly signal: AbortSignal;
  readonly exitCode: () => number;
} {
  const controller = new AbortController();
  const interrupts = catchSignals();
  interrupts.onSignal(() => {
    controller.abort();
  });
  return {
    signal: controller.signal,
    exitCode: () => (interrupts.received() === 'SIGINT' ? EXIT.interrupted : EXIT.terminated),
  };
}
