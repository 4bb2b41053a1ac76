/**
 * What tests notice of changes beyond the names that are gone with them. Code that misses a name
 * may swallow its failure, and a test then fails by something else: it says no more than one that
 * fails by the name.
 */
import { absenceIn, type Finding, type Failure } from './finding.js';
import type { Context, Measured } from './measuring.js';
import type { Need } from './needed-by.js';

type Needs = ReadonlyMap<string, readonly Need[]>;

/** These changes with all that would miss a name without them, and the names. */
export function withNeeds(
  ids: Iterable<string>,
  needs: Needs,
): { readonly ids: ReadonlySet<string>; readonly names: readonly string[] } {
  const all = new Set(ids);
  const names = new Set<string>();
  // What is added while it is walked is walked too.
  for (const id of all) {
    for (const need of needs.get(id) ?? []) {
      if (!all.has(need.id)) names.add(need.name);
      all.add(need.id);
    }
  }
  return { ids: all, names: [...names] };
}

export const isClosed = (ids: readonly string[], needs: Needs): boolean =>
  withNeeds(ids, needs).ids.size === ids.length;

/**
 * The failures that count for these changes. Where others would miss a name, that are those which
 * are the same while the others are gone too: they come from no name.
 */
export function countedFlips(
  ids: readonly string[],
  { finding }: Measured,
  lane: Context['lane'],
  { needs, all, whole, measure }: Pick<Context, 'needs' | 'all' | 'whole' | 'measure'>,
): readonly Failure[] {
  if (finding.kind !== 'held') return [];
  const set = withNeeds([...ids, ...(absenceIn(finding)?.with ?? [])], needs).ids;
  if (set.size === ids.length) return finding.flips;
  const isWhole = set.size === all.length && whole.take.lane === lane;
  return alike(finding, (isWhole ? whole : measure(set, lane)).finding);
}

/** Failures of tests that fail in the same way in both. */
export function alike(one: Finding, other: Finding): readonly Failure[] {
  if (one.kind !== 'held' || other.kind !== 'held') return [];
  const said = new Set(other.flips.map(keyOf));
  return one.flips.filter((flip) => said.has(keyOf(flip)));
}

/** Where an object lies in memory differs from run to run. */
const keyOf = ({ test, to, message }: Failure): string =>
  JSON.stringify([test, to, message?.replaceAll(/\b0x[0-9a-f]+/gi, '0x') ?? null]);
