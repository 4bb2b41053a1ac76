/** Changes of which any one is enough, so that nothing notices when one of them is gone. */
import { countedFlips } from './beyond-names.js';
import type { Failure } from './finding.js';
import type { Context } from './measuring.js';
import type { Holding, LaneScope, Take } from './take-model.js';

/** Sets that are looked into for each change that survives alone; there are exponentially many. */
const SETS_PER_CHANGE = 2;

/**
 * Changes of which any one is enough: alone none is missed, together they are. Finds the
 * smallest sets that tests notice, each by leaving out one change after another.
 */
export function redundantIn(
  survivors: readonly string[],
  lane: LaneScope,
  context: Pick<Context, 'measure' | 'all' | 'whole' | 'needs'>,
): ReadonlyMap<string, Holding> {
  const { measure, all, whole } = context;
  const found = new Map<string, Holding>();
  const ask = (ids: readonly string[]): Asked => {
    const isWhole = ids.length === all.length && whole.take.lane === lane;
    const measured = isWhole ? whole : measure(ids, lane);
    return { by: countedFlips(ids, measured, lane, context), take: measured.take };
  };
  const open: (readonly string[])[] = [survivors];
  const seen = new Set<string>();
  const most = survivors.length * SETS_PER_CHANGE;
  for (let candidates = open.shift(); candidates !== undefined; candidates = open.shift()) {
    const key = candidates.join('+');
    if (candidates.length < 2 || seen.has(key) || seen.size >= most) continue;
    seen.add(key);
    const together = ask(candidates);
    if (together.by.length === 0) continue;
    const { set, asked } = smallestIn(candidates, together, ask);
    const { by, take } = asked;
    for (const id of set) {
      const others = set.filter((other) => other !== id);
      if (!found.has(id))
        found.set(id, { kind: 'held-joined', with: others, by, take, why: 'redundant', names: [] });
    }
    // Another set may be hidden by this one as long as all of it is there.
    for (const id of set) open.push(candidates.filter((other) => other !== id));
  }
  return found;
}

interface Asked {
  /** What counts for all of them; empty: nothing notices. */
  readonly by: readonly Failure[];
  readonly take: Take;
}

function smallestIn(
  candidates: readonly string[],
  together: Asked,
  ask: (ids: readonly string[]) => Asked,
): { readonly set: readonly string[]; readonly asked: Asked } {
  let set = candidates;
  let asked = together;
  for (const id of candidates) {
    const less = set.filter((other) => other !== id);
    // Alone each of them was measured before, and is not missed.
    if (less.length < 2) continue;
    const without = ask(less);
    if (without.by.length === 0) continue;
    set = less;
    asked = without;
  }
  return { set, asked };
}
