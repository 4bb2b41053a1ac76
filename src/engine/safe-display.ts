import type { RunEvent } from '../record/events.js';

/** How a run shows itself while it runs. */
export interface Display {
  readonly emit: (event: RunEvent) => void;
  readonly close: () => void;
}

export interface SafeDisplay extends Display {
  /** The first thing that went wrong with it; null: nothing. */
  readonly problem: () => string | null;
}

/** A display that fails must not cost the run its tree: it is switched off. */
export function safeDisplay(display: Display): SafeDisplay {
  let problem: string | null = null;
  const attempt = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error);
    }
  };
  return {
    emit(event) {
      if (problem !== null) return;
      attempt(() => {
        display.emit(event);
      });
    },
    close() {
      attempt(display.close);
    },
    problem: () => problem,
  };
}
