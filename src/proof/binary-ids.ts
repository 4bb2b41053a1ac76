/**
 * Ids of the form `BINARY TEST::PATH`: the name of a test executable, which has no space in it,
 * and the test's path in it. Doctests have a file before the path: `jail::doc src/lib.rs - Decoder::step`.
 */
import { indexIds, startingWith, type IdIndex } from './id-index.js';
import { matchesPattern } from './id-pattern.js';

/** What may follow a path inside of an executable: a deeper path, or a file's item. */
const CONTINUATIONS = ['::', ' - '] as const;

interface Rests {
  /** Test paths without their executable, each once. */
  readonly index: IdIndex;
  readonly idsOf: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<readonly string[], Rests>();

const headLength = (id: string): number => {
  const space = id.indexOf(' ');
  return space === -1 ? id.length : space;
};
const headOf = (id: string): string => id.slice(0, headLength(id));
const restOf = (id: string): string => id.slice(headLength(id) + 1);

/**
 * The ids that a name stands for, in collection order: one whole id, else a whole executable or
 * what continues the path. Where that finds nothing, the executable may be left out, if all that
 * the rest stands for lies in one of them. Then the same with `*` as a wildcard.
 */
export function matchBinaryIds(name: string, ids: readonly string[]): readonly string[] {
  const full = writtenOut(name, ids);
  if (full.length > 0) return full;
  const short = shortened(name, ids);
  if (short.length > 0) return inOneExecutable(short) ? short : [];
  if (!name.includes('*')) return [];
  const byPattern = ids.filter((id) => matchesPattern(name, id, endsAt));
  if (byPattern.length > 0) return byPattern;
  const ofRests = ids.filter((id) => matchesPattern(name, restOf(id), restEndsAt));
  return inOneExecutable(ofRests) ? ofRests : [];
}

/** The names with their executable, where what was left out could be several; else empty. */
export function ambiguousBinaries(name: string, ids: readonly string[]): readonly string[] {
  if (writtenOut(name, ids).length > 0) return [];
  const heads = new Set(shortened(name, ids).map(headOf));
  return heads.size < 2 ? [] : [...heads].map((head) => `${head} ${name}`);
}

/** The name with its executable, where it was left out and is clear. */
export function withBinary(name: string, ids: readonly string[]): string {
  if (writtenOut(name, ids).length > 0) return name;
  const heads = new Set(shortened(name, ids).map(headOf));
  const [head] = heads;
  return head === undefined || heads.size > 1 ? name : `${head} ${name}`;
}

/** The module and the executable of a test; for a doctest its file and the executable. */
export function groupsOfBinaryId(id: string): readonly string[] {
  const head = headOf(id);
  if (head === id) return [];
  const item = id.indexOf(' - ', head.length);
  const end = item === -1 ? id.lastIndexOf('::') : item;
  return end <= head.length ? [head] : [id.slice(0, end), head];
}

/** What a misspelt name is compared with: people leave out the executable, and often the module. */
export function spellings(id: string): readonly string[] {
  const path = restOf(id).split('::');
  return [id, ...path.map((_, at) => path.slice(at).join('::'))];
}

function writtenOut(name: string, ids: readonly string[]): readonly string[] {
  const index = indexIds(ids);
  if (index.position.has(name)) return [name];
  return name.includes(' ')
    ? startingWith(
        CONTINUATIONS.map((next) => name + next),
        index,
      )
    : startingWith([`${name} `], index);
}

function shortened(name: string, ids: readonly string[]): readonly string[] {
  const { index, idsOf } = restsOf(ids);
  const exact = idsOf.get(name);
  if (exact !== undefined) return exact;
  const found = new Set(
    startingWith(
      CONTINUATIONS.map((next) => name + next),
      index,
    ).flatMap((rest) => idsOf.get(rest) ?? []),
  );
  const { position } = indexIds(ids);
  return [...found].toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
}

function restsOf(ids: readonly string[]): Rests {
  const found = known.get(ids);
  if (found !== undefined) return found;
  const idsOf = new Map<string, string[]>();
  for (const id of indexIds(ids).position.keys()) {
    const rest = restOf(id);
    const same = idsOf.get(rest);
    if (same === undefined) idsOf.set(rest, [id]);
    else same.push(id);
  }
  const rests: Rests = { index: indexIds([...idsOf.keys()]), idsOf };
  known.set(ids, rests);
  return rests;
}

const inOneExecutable = (ids: readonly string[]): boolean => new Set(ids.map(headOf)).size === 1;

const endsAt = (id: string, at: number): boolean =>
  at === headLength(id) || (at > headLength(id) && restEndsAt(id, at));

const restEndsAt = (rest: string, at: number): boolean =>
  CONTINUATIONS.some((next) => rest.startsWith(next, at));
