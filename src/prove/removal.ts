/** Changes that did nothing but take lines away. */
import type { Finding } from './finding.js';
import type { Change } from './fix.js';
import { isComplete } from './joining.js';
import type { Context } from './measuring.js';
import type { Holding } from './take-model.js';

/**
 * A change that only took lines away adds dead ones when it is taken back alone, and nothing
 * notices them. Where others need what it took away in order to go, it goes with them.
 */
export function missedBy(
  change: Change,
  known: ReadonlyMap<string, Holding>,
  { measure, lane }: Context,
): readonly Holding[] {
  const isRemoval = change.parts.every((part) =>
    part.kind === 'lines' ? part.fresh.from === part.fresh.to : part.kind === 'deleted',
  );
  if (!isRemoval) return [];
  for (const [id, holding] of known) {
    if (holding.kind !== 'held-joined' || holding.names.length === 0) continue;
    if (!holding.with.includes(change.id)) continue;
    const others = holding.with.filter((other) => other !== change.id);
    // Not each of many was left out in turn: what tests notice without it does not need it.
    if (others.length > 0 && isHeld(measure([id, ...others], lane).finding)) continue;
    return [{ ...holding, with: [id, ...others] }];
  }
  return [];
}

const isHeld = (finding: Finding): boolean => finding.kind === 'held' && isComplete(finding);
