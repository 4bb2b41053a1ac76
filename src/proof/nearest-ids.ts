/** Which ids a misspelt selector most likely meant. */
import { spellings } from './binary-ids.js';
import { byCodeUnit } from './id-index.js';
import { withoutParameters } from './path-ids.js';
import { nameIn, type IdRules } from './select.js';

const SHORTLIST = 60;

/**
 * The ids that lie nearest to a selector, best first. Where the selector names no parameter, the
 * parameters of a candidate are left off, so that one test is offered once.
 */
export function nearestIds(
  selector: string,
  ids: readonly string[],
  n: number,
  rules: IdRules,
): readonly string[] {
  const name = nameIn(selector, rules);
  const isWhole = rules.idForm === 'binary' || name.includes('[');
  const names = isWhole ? new Set(ids) : new Set(ids.map(withoutParameters));
  const least = (id: string, cost: (spelling: string) => number): number =>
    Math.min(...(rules.idForm === 'binary' ? spellings(id) : [id]).map(cost));
  // A typo leaves a long common start and end; a wrong folder leaves a long common end. That
  // costs one look at each character, where an edit distance costs their product.
  const likely = best(names, SHORTLIST, (id) => least(id, (each) => -sharedEnds(name, each)));
  return best(new Set(likely), n, (id) => least(id, (each) => editDistance(name, each)));
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
