/**
 * Which imports a step left out. A warm interpreter holds modules ahead, and hides that the import
 * of one never ran: what uses it works there, and fails in a new interpreter.
 */
import type { Asked, LaneRun } from '../../lane.js';

/** Names of modules, by the test in which they were first loaded; one that is none: after all. */
type Late = readonly (readonly [test: string, names: readonly string[]])[];

type Run = Pick<LaneRun, 'results' | 'asked'>;

const COLLECTION = -1;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * What each part of a run of the untouched tree has to ask for: the collection, and then its
 * tests in their order. A module that a cold run had loaded by then comes with another one, and
 * need not be asked for.
 *
 * @param late what a cold run loaded later than its collection
 */
export function neededImports(untouched: Run, late: Late): readonly Asked[] {
  const at = positions(untouched);
  const loaded = new Map(
    late.flatMap(([test, names]) => names.map((name) => [name, at.get(test) ?? NEVER] as const)),
  );
  const asked = new Map<string | null, readonly string[]>();
  // A test that is run again asks again.
  for (const { test, names } of untouched.asked ?? [])
    asked.set(test, [...(asked.get(test) ?? []), ...names]);
  return [...at].map(([test, position]) => ({
    test,
    names: (asked.get(test) ?? []).filter((name) => (loaded.get(name) ?? COLLECTION) >= position),
  }));
}

/**
 * Whether a run of the whole lane came to the end of a test, or of its collection, without an
 * import that the untouched tree had made by then. What a test needs that was left out counts all
 * the same: others may rest on it.
 */
export function leavesOutImports(run: Run, needed: readonly Asked[]): boolean {
  const at = positions(run);
  const asked = new Map<string, number>();
  for (const { test, names } of run.asked ?? [])
    for (const name of names) asked.set(name, at.get(test) ?? NEVER);
  let latest = COLLECTION;
  return needed.some(({ test, names }) => {
    for (const name of names) latest = Math.max(latest, asked.get(name) ?? NEVER);
    return latest > (at.get(test) ?? NEVER);
  });
}

const positions = ({ results }: Run): ReadonlyMap<string | null, number> =>
  new Map([[null, COLLECTION] as const, ...results.map(({ id }, index) => [id, index] as const)]);
