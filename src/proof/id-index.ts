/** Ids made quick to ask: exact ids in a map, all ids sorted for ranges. */

export interface IdIndex {
  /** In collection order. */
  readonly ids: readonly string[];
  readonly position: ReadonlyMap<string, number>;
  /** By code unit, so that all ids with one prefix are neighbours. */
  readonly sorted: readonly string[];
}

const indexes = new WeakMap<readonly string[], IdIndex>();

/** Builds the index once for each array: the ids of a baseline are asked by every mutation of its lane. */
export function indexIds(ids: readonly string[]): IdIndex {
  const known = indexes.get(ids);
  if (known !== undefined) return known;
  const position = new Map<string, number>();
  for (const [at, id] of ids.entries()) if (!position.has(id)) position.set(id, at);
  const index: IdIndex = { ids, position, sorted: [...position.keys()].toSorted(byCodeUnit) };
  indexes.set(ids, index);
  return index;
}

/** The ids that begin with one of the prefixes, in collection order. */
export function startingWith(
  prefixes: readonly string[],
  { sorted, position }: IdIndex,
): readonly string[] {
  return prefixes
    .flatMap((prefix) => range(prefix, sorted))
    .toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
}

function range(prefix: string, sorted: readonly string[]): readonly string[] {
  const start = lowerBound(sorted, prefix);
  let end = start;
  while (sorted[end]?.startsWith(prefix) === true) end += 1;
  return sorted.slice(start, end);
}

function lowerBound(sorted: readonly string[], value: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
