/** Which tests are running, told from those that ended. */

export interface Flight {
  /** Tests that began and have not ended, the longest running first; `since` as given by `now`. */
  readonly running: () => readonly { readonly name: string; readonly since: number }[];
  /** Tests that began since the last call. */
  readonly begun: () => readonly string[];
  /** How long it ran in ms; 0 where it never began. */
  readonly finish: (name: string, now: number) => number;
}

/**
 * libtest says of no test that it started. But it starts them in the order of its list, as many
 * at once as it has threads, and the next one only when one has ended: so the tests in flight
 * are known from the ones that ended, and a death or a hang is one of theirs.
 */
export function followFlight(order: readonly string[], threads: number, now: number): Flight {
  const running = new Map<string, number>();
  const ended = new Set<string>();
  let fresh: string[] = [];
  let next = 0;
  const fill = (at: number): void => {
    while (running.size < threads && next < order.length) {
      const name = order[next] ?? '';
      next += 1;
      if (ended.has(name)) continue;
      running.set(name, at);
      fresh.push(name);
    }
  };
  fill(now);
  return {
    running: () => [...running].map(([name, since]) => ({ name, since })),
    begun() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
    finish(name, at) {
      const since = running.get(name) ?? at;
      ended.add(name);
      running.delete(name);
      fill(at);
      return at - since;
    },
  };
}
