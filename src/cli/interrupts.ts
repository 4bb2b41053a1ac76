import { closeSync } from 'node:fs';
import { codeOfEnding, endingOf } from '../proof/exit-code.js';
import type { Interrupts } from '../engine/run.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What catches signals just now, the innermost last. */
const catching: Interrupts[] = [];

/**
 * Takes signals over for a run: none of them ends this process any more, each is passed on
 * to whoever registered. `release` gives them back. Within another such stretch, what that one
 * has received counts as well: a signal between the two must not be lost.
 */
export function catchSignals(): Interrupts & {
  readonly release: () => void;
} {
  const reactions: ((signal: NodeJS.Signals, count: number) => void)[] = [];
  let first = catching.at(-1)?.received() ?? null;
  let count = first === null ? 0 : 1;
  const onSignal = (signal: NodeJS.Signals): void => {
    first ??= signal;
    count += 1;
    for (const react of reactions) react(signal, count);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.once('SIGHUP', leaveTerminal);
  const interrupts: Interrupts = {
    received: () => first,
    onSignal(react) {
      reactions.push(react);
      if (first !== null) react(first, count);
    },
  };
  catching.push(interrupts);
  return {
    ...interrupts,
    release() {
      catching.splice(catching.indexOf(interrupts), 1);
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

export const exitCodeOf = (signal: NodeJS.Signals | null): number =>
  codeOfEnding(signal === null ? 'SIGTERM' : endingOf(signal));

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
    exitCode: () => exitCodeOf(interrupts.received()),
  };
}
