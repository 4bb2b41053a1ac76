/** From what a person wrote (an id, a file, a class, a pattern) to ids that exist. */

/** Ids made quick to ask: exact ids in a map, all ids sorted for ranges. */
export interface IdIndex {
  /** In collection order. */
  readonly ids: readonly string[];
  readonly position: ReadonlyMap<string, number>;
  /** By code unit, so that all ids with one prefix are neighbours. */
  readonly sorted: readonly string[];
}

export interface SelectOptions {
  /** Prefix that makes a rootdir-relative id root-relative (`sub/`), or the empty string. */
  readonly idPrefix: string;
}

/** What may follow a name in an id of one of its tests: a file in a folder, a test in a file, a parameter. */
const CONTINUATIONS = ['/', '::', '['] as const;

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

/**
 * The ids that a selector stands for, in collection order; empty: it matches nothing.
 *
 * An id that exists is exact. Otherwise the selector stands for every id that continues it
 * after `/`, `::` or `[`. Only where that finds nothing, `*` is a wildcard for any run of
 * characters (parameter ids may hold a star of their own). Each reading is tried from the
 * root first, then below `idPrefix`.
 */
export function matchIds(
  selector: string,
  ids: readonly string[],
  { idPrefix }: SelectOptions,
): readonly string[] {
  const index = indexIds(ids);
  const name = trimmed(selector);
  if (name === '') return [];
  const readings = idPrefix === '' ? [name] : [name, idPrefix + name];
  for (const reading of readings) {
    const found = literal(reading, index);
    if (found.length > 0) return found;
  }
  if (!name.includes('*')) return [];
  for (const reading of readings) {
    const found = index.ids.filter((id) => matchesPattern(reading, id));
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether the selector is one test's own id, so that it can never grow into a group. */
export function isExactId(
  selector: string,
  ids: readonly string[],
  { idPrefix }: SelectOptions,
): boolean {
  const { position } = indexIds(ids);
  const name = trimmed(selector);
  return position.has(name) || position.has(idPrefix + name);
}

/**
 * The ids that a misspelt selector most likely meant, best first. Where the selector names no
 * parameter, the parameters of a candidate are left off, so that one test is offered once.
 */
export function nearestIds(selector: string, ids: readonly string[], n: number): readonly string[] {
  const name = trimmed(selector);
  const names = name.includes('[') ? new Set(ids) : new Set(ids.map(withoutParameters));
  // A typo leaves a long common start and end; a wrong folder leaves a long common end. That
  // costs one look at each character, where an edit distance costs their product.
  const likely = best(names, SHORTLIST, (id) => -sharedEnds(name, id));
  return best(new Set(likely), n, (id) => editDistance(name, id));
}

const SHORTLIST = 60;

function literal(name: string, index: IdIndex): readonly string[] {
  if (index.position.has(name)) return [name];
  const found = CONTINUATIONS.flatMap((next) => withPrefix(name + next, index.sorted));
  return found.toSorted((a, b) => (index.position.get(a) ?? 0) - (index.position.get(b) ?? 0));
}

function withPrefix(prefix: string, sorted: readonly string[]): readonly string[] {
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

/** Walks the pieces between the stars: no backtracking, so no pattern is slow. */
function matchesPattern(pattern: string, id: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = id.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (id.length - last.length >= at && id.endsWith(last)) return true;
  for (let found = id.indexOf(last, at); found !== -1; found = id.indexOf(last, found + 1)) {
    const rest = found + last.length;
    if (CONTINUATIONS.some((next) => id.startsWith(next, rest))) return true;
  }
  return false;
}

function trimmed(selector: string): string {
  const start = selector.startsWith('./') ? selector.slice(2) : selector;
  return start.endsWith('/') ? start.slice(0, -1) : start;
}

function withoutParameters(id: string): string {
  const name = id.indexOf('::');
  const bracket = name === -1 ? -1 : id.indexOf('[', name);
  return bracket === -1 ? id : id.slice(0, bracket);
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function best(
  ids: ReadonlySet<string>,
  n: number,
  cost: (id: string) => number,
): readonly string[] {
  return [...ids]
    .map((id) => ({ id, cost: cost(id) }))
    .toSorted((a, b) => a.cost - b.cost || byCodeUnit(a.id, b.id))
    .slice(0, n)
    .map(({ id }) => id);
}

function sharedEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)
  )
    end += 1;
  return start + end;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
