/** Looks at the event stream while pytest runs: progress, and the limits that the process has not. */
import { setTimeout } from 'node:timers/promises';
import type { LaneProgress } from '../lane.js';
import type { OwnStop } from './ending.js';
import type { PytestEvent } from './events.js';
import type { TestResult } from '../../proof/outcome.js';
import { worse } from '../worse.js';
import { endsTest, resultOf } from './outcomes.js';

const LOOK_EVERY_MS = 40;
/** After the session, a process has only its exit handlers and threads left to wait for. */
export const EXIT_GRACE_MS = 5_000;

export interface Watch {
  /** Stops looking and reads what is left. */
  finish(): Promise<void>;
}

export interface WatchInput {
  readonly read: (extent: 'some' | 'all') => readonly PytestEvent[];
  readonly kind: 'pytest' | 'wrapper';
  readonly testMs: number;
  readonly onProgress: (progress: LaneProgress) => void;
  readonly onStop: (why: OwnStop) => void;
  /** In milliseconds, by a clock that only grows. */
  readonly now?: () => number;
}

export function watchRun({
  read,
  kind,
  testMs,
  onProgress,
  onStop,
  now = () => performance.now(),
}: WatchInput): Watch {
  const started = new Map<string, number>();
  const outcomes = new Map<string, TestResult>();
  /** Processes whose session is open, and since when the last one is closed. */
  const open = new Set<number>();
  let closed: { readonly pid: number; readonly at: number } | null = null;
  let announced = false;
  let selected = 0;
  let deselected = 0;

  const end = (id: string): void => {
    started.delete(id);
    const outcome = outcomes.get(id)?.outcome;
    outcomes.delete(id);
    if (outcome !== undefined) onProgress({ kind: 'finished', test: id, outcome });
  };

  const takeSession = (event: PytestEvent): void => {
    if (event.event === 'configure' && event.worker === null) {
      open.add(event.pid);
      closed = null;
    } else if (event.event === 'unconfigure' && event.worker === null) {
      if (open.delete(event.pid) && open.size === 0) closed = { pid: event.pid, at: now() };
    }
  };

  const takeCollection = (event: PytestEvent): void => {
    if (announced) return;
    if (event.event === 'selected') selected += event.ids.length;
    if (event.event === 'deselected') deselected += event.ids.length;
    if (event.event === 'collection-finish') {
      announced = true;
      onProgress({ kind: 'collected', selected, deselected });
    }
  };

  const takeTest = (event: PytestEvent): void => {
    if (event.event === 'start') {
      started.set(event.id, now());
      onProgress({ kind: 'started', test: event.id });
    } else if (event.event === 'report') {
      const next = event.outcome === 'rerun' ? null : resultOf(event);
      const known = outcomes.get(event.id);
      if (next !== null) outcomes.set(event.id, known === undefined ? next : worse(known, next));
      if (endsTest(event)) end(event.id);
    } else if (event.event === 'end') {
      end(event.id);
    }
  };

  const take = (event: PytestEvent): void => {
    takeSession(event);
    takeCollection(event);
    takeTest(event);
  };

  const check = (): void => {
    const time = now();
    for (const [test, since] of started) {
      if (time - since > testMs) {
        onStop({ kind: 'test-limit', test, limitMs: testMs });
        return;
      }
    }
    // A wrapper may have more to do once pytest is gone.
    const stays = closed !== null && (kind === 'pytest' || isAlive(closed.pid));
    if (closed !== null && stays && time - closed.at > EXIT_GRACE_MS) {
      onStop({ kind: 'exit-grace', graceMs: EXIT_GRACE_MS });
    }
  };

  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      for (const event of read('some')) take(event);
      check();
      await setTimeout(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();

  return {
    async finish() {
      over.abort();
      await looking;
      for (const event of read('all')) take(event);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
