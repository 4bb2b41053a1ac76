/** Changes that did nothing but take lines away. */
import { countedFlips } from './beyond-names.js';
import type { Change } from './fix.js';
import type { Context } from './measuring.js';
import type { Holding } from './take-model.js';

/**
 * A change that only took lines away adds dead ones when it is taken back alone, and nothing
 * notices them. Where others need what it took away in order to go, it goes with them.
 */
export function missedBy(
  change: Change,
  known: ReadonlyMap<string, Holding>,
  context: Pick<Context, 'measure' | 'lane' | 'needs' | 'all' | 'whole'>,
): readonly Holding[] {
  const { measure, lane } = context;
  const isRemoval = change.parts.every((part) =>
    part.kind === 'lines' ? part.fresh.from === part.fresh.to : part.kind === 'deleted',
  );
  if (!isRemoval) return [];
  for (const [id, holding] of known) {
    if (holding.kind !== 'held-joined' || holding.names.length === 0) continue;
    if (!holding.with.includes(change.id)) continue;
    const others = holding.with.filter((other) => other !== change.id);
    // Not each of many was left out in turn: what tests notice without it does not need it.
    const set = [id, ...others];
    const goesWithout =
      others.length > 0 && countedFlips(set, measure(set, lane), lane, context).length > 0;
    if (goesWithout) continue;
    return [{ ...holding, with: set }];
  }
  return [];
}
