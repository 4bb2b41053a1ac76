/** Ids of the form `FILE::CLASS::TEST[PARAMETERS]`. */
import { indexIds, startingWith, type IdIndex } from './id-index.js';
import { matchesPattern } from './id-pattern.js';

/** What may follow a name in an id of one of its tests: a file in a folder, a test in a file, a parameter. */
const CONTINUATIONS = ['/', '::', '['] as const;

/**
 * The ids that a name stands for, in collection order. An id that exists is exact. Otherwise the
 * name stands for every id that continues it after `/`, `::` or `[`. Only where that finds
 * nothing, `*` is a wildcard for any run of characters (parameter ids may hold a star of their
 * own). Each reading is tried from the root first, then below `idPrefix`.
 */
export function matchPathIds(
  name: string,
  ids: readonly string[],
  idPrefix: string,
): readonly string[] {
  const index = indexIds(ids);
  const readings = idPrefix === '' ? [name] : [name, idPrefix + name];
  for (const reading of readings) {
    const found = literal(reading, index);
    if (found.length > 0) return found;
  }
  if (!name.includes('*')) return [];
  for (const reading of readings) {
    const found = index.ids.filter((id) => matchesPattern(reading, id, endsAt));
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The class and the file of a test id. Parameters may hold `::` themselves, so they are cut off
 * first.
 */
export function groupsOfPathId(id: string): readonly string[] {
  const name = id.indexOf('::');
  if (name === -1) return [];
  const file = id.slice(0, name);
  const path = withoutParameters(id);
  const test = path.lastIndexOf('::');
  return test === name ? [file] : [path.slice(0, test), file];
}

export function withoutParameters(id: string): string {
  const name = id.indexOf('::');
  const bracket = name === -1 ? -1 : id.indexOf('[', name);
  return bracket === -1 ? id : id.slice(0, bracket);
}

function literal(name: string, index: IdIndex): readonly string[] {
  if (index.position.has(name)) return [name];
  return startingWith(
    CONTINUATIONS.map((next) => name + next),
    index,
  );
}

const endsAt = (id: string, at: number): boolean =>
  CONTINUATIONS.some((next) => id.startsWith(next, at));
