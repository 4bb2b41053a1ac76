/**
 * Changes that tests notice one by one, and not together: a rewriting in two places, of which
 * each alone breaks the other. Nothing holds it, though a test fails whichever of them is gone.
 */
import type { Context } from './measuring.js';
import type { Holding } from './take-model.js';

/** Beyond, a group is measured as a whole alone: its pairs would be too many runs. */
const MOST_IN_PAIRS = 5;

type Held = Extract<Holding, { kind: 'held' }>;

/**
 * Only what no test holds in the whole fix as well is looked into: a test that fails without one
 * change, and not without all of them, tells of that change beside the others.
 *
 * @param known of each change, as far as it was measured alone
 * @param files changes of one file, which are measured together anyway
 */
export function heldByEachOther(
  known: ReadonlyMap<string, Holding>,
  files: readonly (readonly string[])[],
  { measure, lane, whole, all }: Pick<Context, 'measure' | 'lane' | 'whole' | 'all'>,
): ReadonlyMap<string, Holding> {
  const inWhole = new Set(
    whole.finding.kind === 'held' ? whole.finding.flips.map(({ test }) => test) : [],
  );
  const doubtful = new Map<string, Held>();
  for (const id of all) {
    const holding = known.get(id);
    if (holding?.kind === 'held' && !holding.by.some(({ test }) => inWhole.has(test)))
      doubtful.set(id, holding);
  }
  const found = new Map<string, Holding>();
  const look = (ids: readonly string[]): boolean => {
    if (ids.length < 2 || ids.every((id) => found.has(id))) return true;
    const { take, finding } = measure(ids, lane);
    if (finding.kind !== 'unmoved') return false;
    for (const id of ids) {
      if (!doubtful.has(id) || found.has(id)) continue;
      const others = ids.filter((other) => other !== id);
      found.set(id, { kind: 'unheld-joined', with: others, take, names: [] });
    }
    return true;
  };
  for (const ids of files) if (ids.some((id) => doubtful.has(id))) look(ids);
  for (const group of groupsOf(doubtful)) {
    if (look(group) || group.length > MOST_IN_PAIRS) continue;
    for (const [index, first] of group.entries())
      for (const second of group.slice(index + 1)) look([first, second]);
  }
  return found;
}

/** Changes that share a test, directly or by way of others. */
function groupsOf(held: ReadonlyMap<string, Held>): readonly (readonly string[])[] {
  let groups: { readonly ids: readonly string[]; readonly tests: ReadonlySet<string> }[] = [];
  for (const [id, { by }] of held) {
    const tests = new Set(by.map(({ test }) => test));
    const near = groups.filter((group) => [...tests].some((test) => group.tests.has(test)));
    groups = [
      ...groups.filter((group) => !near.includes(group)),
      {
        ids: [...near.flatMap(({ ids }) => ids), id],
        tests: new Set([...near.flatMap((group) => [...group.tests]), ...tests]),
      },
    ];
  }
  return groups.map(({ ids }) => ids);
}
