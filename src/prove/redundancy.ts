/** Changes of which any one is enough, so that nothing notices when one of them is gone. */
import type { Context, Measured } from './joining.js';
import type { Holding, LaneScope } from './take-model.js';

/** Sets that are looked into for each change that survives alone; there are exponentially many. */
const SETS_PER_CHANGE = 2;

/**
 * Changes of which any one is enough: alone none is missed, together they are. Finds the
 * smallest sets that tests notice, each by leaving out one change after another.
 */
export function redundantIn(
  survivors: readonly string[],
  lane: LaneScope,
  { measure, all, whole }: Pick<Context, 'measure' | 'all' | 'whole'>,
): ReadonlyMap<string, Holding> {
  const found = new Map<string, Holding>();
  const ask = (ids: readonly string[]): Measured =>
    ids.length === all.length && whole.take.lane === lane ? whole : measure(ids, lane);
  const open: (readonly string[])[] = [survivors];
  const seen = new Set<string>();
  const most = survivors.length * SETS_PER_CHANGE;
  for (let candidates = open.shift(); candidates !== undefined; candidates = open.shift()) {
    const key = candidates.join('+');
    if (candidates.length < 2 || seen.has(key) || seen.size >= most) continue;
    seen.add(key);
    const together = ask(candidates);
    if (together.finding.kind !== 'held') continue;
    const { set, measured } = smallestIn(candidates, together, ask);
    const by = measured.finding.kind === 'held' ? measured.finding.flips : [];
    for (const id of set) {
      const others = set.filter((other) => other !== id);
      const take = measured.take;
      if (!found.has(id))
        found.set(id, { kind: 'held-joined', with: others, by, take, why: 'redundant', names: [] });
    }
    // Another set may be hidden by this one as long as all of it is there.
    for (const id of set) open.push(candidates.filter((other) => other !== id));
  }
  return found;
}

function smallestIn(
  candidates: readonly string[],
  together: Measured,
  ask: (ids: readonly string[]) => Measured,
): { readonly set: readonly string[]; readonly measured: Measured } {
  let set = candidates;
  let measured = together;
  for (const id of candidates) {
    const less = set.filter((other) => other !== id);
    // Alone each of them was measured before, and is not missed.
    if (less.length < 2) continue;
    const without = ask(less);
    if (without.finding.kind !== 'held') continue;
    set = less;
    measured = without;
  }
  return { set, measured };
}
