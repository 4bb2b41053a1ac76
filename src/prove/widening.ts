/** What the nearest tests leave open, asked of the whole lane. */
import { countedFlips } from './beyond-names.js';
import type { Finding } from './finding.js';
import { joined, reasonOf } from './joining.js';
import type { Context, Measured } from './measuring.js';
import { redundantIn } from './redundancy.js';
import type { Holding, LaneScope } from './take-model.js';

/** Where the nearest tests say nothing, all of the lane are asked. */
export const widens = (finding: Finding): boolean =>
  finding.kind === 'unmoved' ||
  finding.kind === 'gone' ||
  (finding.kind === 'no-evidence' &&
    ['not-selected', 'not-loaded', 'baseline-red'].includes(finding.verdict));

/** Held by itself, as far as tests notice more of it than names that are gone. */
export function heldOrJoined(id: string, measured: Measured, context: Context): Holding {
  const by = countedFlips([id], measured, context.lane, context);
  return by.length > 0
    ? { kind: 'held', by, take: measured.take }
    : joined(id, measured.finding, context);
}

/** What the nearest tests do not miss, the whole lane is asked for. */
export function widen(left: readonly string[], context: Context): ReadonlyMap<string, Holding> {
  const found = new Map<string, Holding>();
  const still: string[] = [];
  const inLane = { ...context, lane: 'full' as const };
  const holdingOf = (id: string): Holding => {
    const measured = context.measure([id], 'full');
    const { take, finding } = measured;
    if (finding.kind === 'held') return heldOrJoined(id, measured, inLane);
    if (finding.kind === 'unmoved') return unheld(id, 'full');
    return { kind: 'no-evidence', take, reason: reasonOf(finding) };
  };
  // All of them are asked for at once, before the first that is not known yet ends it.
  for (const id of left) context.attempt(() => holdingOf(id));
  for (const id of left) {
    const holding = holdingOf(id);
    if (holding.kind === 'unheld') still.push(id);
    else found.set(id, holding);
  }
  const redundant = redundantIn(still, 'full', context);
  for (const [id, holding] of redundant) found.set(id, holding);
  for (const id of still) if (!redundant.has(id)) found.set(id, unheld(id, 'full'));
  return found;
}

export const unheld = (id: string, lane: LaneScope): Holding => ({
  kind: 'unheld',
  take: { changes: [id], lane, enders: [] },
});
