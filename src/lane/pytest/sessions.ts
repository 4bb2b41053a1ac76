/** Sorts the events of a run by the session, and within it by the process, that they speak of. */
import type { EventOf, PytestEvent } from './events.js';

/** What one process of a session collected; with xdist each worker collects everything. */
interface Collection {
  readonly collected: string[];
  readonly deselected: string[];
  readonly selected: string[];
  finished: boolean;
}

export interface Session {
  readonly configure: EventOf<'configure'>;
  /** By worker id; `''` is the session's own process. */
  readonly collections: ReadonlyMap<string, Collection>;
  readonly collectErrors: readonly EventOf<'collect-error'>[];
  readonly starts: readonly string[];
  readonly reports: readonly EventOf<'report'>[];
  /** Tests that came to the end of their teardown; seconds by id. */
  readonly ends: readonly EventOf<'end'>[];
  readonly internalErrors: readonly EventOf<'internal-error'>[];
  readonly interrupts: readonly EventOf<'interrupt'>[];
  readonly finish: EventOf<'finish'> | null;
  readonly unconfigured: boolean;
}

/** A `who` that runs tests itself, and how to call it. */
export type TestProcesses = ReadonlyMap<string, 'test process' | 'xdist worker'>;

export interface Sorted {
  readonly spoke: boolean;
  readonly configErrors: readonly EventOf<'config-error'>[];
  readonly sessions: readonly Session[];
  readonly processes: TestProcesses;
  /** Why the stream cannot be whole; null: every line of the test processes is there. */
  readonly gap: string | null;
}

type Draft = {
  -readonly [Key in keyof Session]: Session[Key] extends readonly (infer Item)[]
    ? Item[]
    : Session[Key] extends ReadonlyMap<string, infer Value>
      ? Map<string, Value>
      : Session[Key];
};

export function sortEvents(events: readonly PytestEvent[]): Sorted {
  const sessions = new Map<string, Draft>();
  const processes = new Map<string, 'test process' | 'xdist worker'>();
  const configErrors: EventOf<'config-error'>[] = [];
  let spoke = false;
  for (const event of events) {
    if (event.event === 'plugin') spoke = true;
    if (event.event === 'config-error') configErrors.push(event);
    if (!('session' in event)) continue;
    if (event.event === 'configure') {
      processes.set(event.who, event.worker === null ? 'test process' : 'xdist worker');
      if (event.worker === null) sessions.set(event.session, newSession(event));
    }
    const session = sessions.get(event.session);
    // A test that forks and lets the child run on would report everything twice.
    if (session === undefined || !processes.has(event.who)) continue;
    take(session, event);
  }
  return {
    spoke,
    configErrors,
    sessions: [...sessions.values()],
    processes,
    gap: findGap(events, processes),
  };
}

function newSession(configure: EventOf<'configure'>): Draft {
  return {
    configure,
    collections: new Map(),
    collectErrors: [],
    starts: [],
    reports: [],
    ends: [],
    internalErrors: [],
    interrupts: [],
    finish: null,
    unconfigured: false,
  };
}

function take(session: Draft, event: Extract<PytestEvent, { session: string }>): void {
  switch (event.event) {
    case 'altered':
    case 'asked':
      return;
    case 'collected':
    case 'deselected':
    case 'selected':
      for (const id of event.ids) collectionOf(session, event.worker)[event.event].push(id);
      return;
    case 'collection-finish':
      collectionOf(session, event.worker).finished = true;
      return;
    case 'collect-error':
      session.collectErrors.push(event);
      return;
    case 'start':
      session.starts.push(event.id);
      return;
    case 'report':
      session.reports.push(event);
      return;
    case 'end':
      session.ends.push(event);
      return;
    case 'internal-error':
      session.internalErrors.push(event);
      return;
    case 'interrupt':
      session.interrupts.push(event);
      return;
    case 'finish':
      if (event.worker === null) session.finish = event;
      return;
    case 'unconfigure':
      if (event.worker === null) session.unconfigured = true;
      return;
    case 'configure':
  }
}

function collectionOf(session: Draft, worker: string | null): Collection {
  const key = worker ?? '';
  const known = session.collections.get(key);
  if (known !== undefined) return known;
  const fresh = { collected: [], deselected: [], selected: [], finished: false };
  session.collections.set(key, fresh);
  return fresh;
}

/** The collection that stands for the session: of itself, or of a worker that came to its end. */
export function collectionIn(session: Session): Collection | null {
  return [...session.collections.values()].find((one) => one.finished) ?? null;
}

/** Every line of a test process is numbered, so a stream that was cut or emptied shows it. */
function findGap(events: readonly PytestEvent[], processes: TestProcesses): string | null {
  const lines = new Map<string, { readonly seen: Set<number>; last: number }>();
  for (const { who, n } of events) {
    const of = lines.get(who) ?? { seen: new Set<number>(), last: 0 };
    if (of.seen.has(n) && processes.has(who)) return 'a line of the event stream came twice';
    of.seen.add(n);
    of.last = Math.max(of.last, n);
    lines.set(who, of);
  }
  for (const [who, { seen, last }] of lines) {
    if (processes.has(who) && last !== seen.size) return 'lines of the event stream are missing';
  }
  // A process whose `configure` was lost leaves events of a session that nobody opened.
  const opened = new Set(events.filter((e) => e.event === 'configure').map((e) => e.session));
  const orphan = events.some((e) => 'session' in e && !opened.has(e.session));
  return orphan ? 'lines of the event stream are missing' : null;
}
