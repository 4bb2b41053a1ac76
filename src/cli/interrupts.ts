import { closeSync } from 'node:fs';
import { EXIT } from './exit.js';
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
  process.once('SIGHUP', leaveTerminal);
  return {
    received: () => first,
    onSignal(react) {
      reactions.push(react);
      if (first !== null) react(first, count);
    },
    release() {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
      process.removeListener('SIGHUP', leaveTerminal);
    },
  };
}

/**
 * Node gives a terminal its settings back when it exits, and aborts (SIGABRT in the place of our
 * exit code) where that fails, as it does on one that hung up. It passes over what is closed.
 */
function leaveTerminal(): void {
  process.once('exit', () => {
    for (const fd of [0, 1, 2]) {
      try {
        closeSync(fd);
      } catch {
        // It was closed from the start.
      }
    }
  });
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
