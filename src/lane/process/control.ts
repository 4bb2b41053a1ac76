/** The life of one run: how it is ended early, and what ended it. */
import type { Members } from './members.js';
import { register } from './registry.js';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000;
/** After SIGKILL. A process in uninterruptible sleep (a dead network mount) outlasts it. */
const LAST_WAIT_MS = 10_000;
export type Cause =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'out-of-memory'; readonly bytes: number }
  | { readonly kind: 'stopped'; readonly why: string }
  | { readonly kind: 'cancelled' };

export interface Status {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunControl {
  readonly ended: Promise<Status>;
  /** Aborted once nothing shall be given time to end by itself. */
  readonly hurry: AbortSignal;
  /** null: it ended by itself. */
  readonly cause: () => Cause | null;
  readonly end: (why: Cause) => void;
  /** To be called when nothing of the run is left. */
  readonly forget: () => void;
}

/** The life of one run: the first cause that ends it early wins, and only while it is alive. */
export function controlRun(
  members: Members,
  onExit: (settle: (status: Status) => void) => void,
): RunControl {
  const hurry = new AbortController();
  let cause: Cause | null = null;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let resolveEnded: ((status: Status) => void) | null = null;
  const ended = new Promise<Status>((resolve) => {
    resolveEnded = resolve;
  });
  const settle = (status: Status): void => {
    over = true;
    clearTimeout(timer);
    resolveEnded?.(status);
  };
  onExit(settle);

  const kill = (): void => {
    hurry.abort();
    members.signal('SIGKILL');
    timer = setTimeout(() => settle({ code: null, signal: 'SIGKILL' }), LAST_WAIT_MS);
  };
  const forget = register({
    members,
    abandon: () => {
      if (!over) cause ??= { kind: 'cancelled' };
      hurry.abort();
    },
  });
  return {
    ended,
    hurry: hurry.signal,
    cause: () => cause,
    forget,
    end: (why: Cause): void => {
      // Ended by itself already: its status stands, but nothing is given more time.
      if (over) hurry.abort();
      if (over || cause !== null) return;
      cause = why;
      if (why.kind === 'out-of-memory') {
        kill();
        return;
      }
      members.signal('SIGTERM');
      // A stopped process takes no SIGTERM before it goes on.
      members.signal('SIGCONT');
      timer = setTimeout(kill, GRACE_MS);
    },
  };
}
