/** What has to be taken back together: because the code does not run otherwise, or because any one is enough. */
import { unreachable } from '../result.js';
import type { Absence } from './absence.js';
import type { Finding } from './finding.js';
import { type Change, pathOf } from './fix.js';
import type { Holding, LaneScope, Take } from './take-model.js';

export interface Measured {
  readonly take: Take;
  readonly finding: Finding;
}

/** What joining asks for: measurements of sets of changes, which may not be there yet. */
export interface Context {
  readonly source: readonly Change[];
  readonly all: readonly string[];
  readonly lane: LaneScope;
  /** Leaves by an exception where it is not measured yet. */
  readonly measure: (ids: Iterable<string>, lane: LaneScope) => Measured;
  /** null: something is not measured yet. */
  readonly attempt: <T>(work: () => T) => T | null;
  readonly whole: Measured;
}

/** Grows the set of what has to go together until it can be measured, or is the whole fix. */
export function joined(
  id: string,
  first: Finding,
  { source, all, lane, measure, whole }: Context,
): Holding {
  const set = new Set([id]);
  const names = new Set<string>();
  let finding = first;
  let take: Take | null = null;
  for (;;) {
    if (finding.kind === 'inseparable') for (const name of finding.absence.names) names.add(name);
    const more = growth(set, finding, source);
    if (more.length === 0) return { kind: 'no-evidence', take, reason: reasonOf(finding) };
    for (const other of more) set.add(other);
    const next = set.size === all.length ? whole : measure(set, lane);
    ({ finding, take } = next);
    const others = [...set].filter((other) => other !== id);
    if (finding.kind === 'held') {
      const { flips: by } = finding;
      return { kind: 'held-joined', with: others, by, take, why: 'name', names: [...names] };
    }
    if (finding.kind === 'unmoved')
      return { kind: 'unheld-joined', with: others, take, names: [...names] };
    if (set.size === all.length) return { kind: 'no-evidence', take, reason: reasonOf(finding) };
  }
}

export const isSyntax = (finding: Finding): boolean =>
  finding.kind === 'no-evidence' && finding.verdict === 'broken';

/** Changes that have to go too: those that use the name, or the nearest one where nothing compiles. */
function growth(
  set: ReadonlySet<string>,
  finding: Finding,
  source: readonly Change[],
): readonly string[] {
  if (finding.kind === 'inseparable') {
    const named = finding.absence.with.filter((id) => !set.has(id));
    return named.filter((id) => source.some((change) => change.id === id));
  }
  if (!isSyntax(finding)) return [];
  const inside = source.filter(({ id }) => set.has(id));
  const paths = new Set(inside.map(pathOf));
  const outside = source.filter((change) => !set.has(change.id));
  const near = outside.filter((change) => paths.has(pathOf(change)));
  const beside = near.length > 0 ? near : outside;
  const positions = new Map(source.map(({ id }, index) => [id, index]));
  const distance = (change: Change): number =>
    Math.min(
      ...inside.map(({ id }) =>
        Math.abs((positions.get(id) ?? 0) - (positions.get(change.id) ?? 0)),
      ),
    );
  const nearest = beside.toSorted((a, b) => distance(a) - distance(b))[0];
  return nearest === undefined ? [] : [nearest.id];
}

/** Sets that are looked into for each change that survives alone; there are exponentially many. */
const SETS_PER_CHANGE = 2;

/**
 * Changes of which any one is enough: alone none is missed, together they are. Finds the
 * smallest sets that tests notice, each by leaving out one change after another.
 */
export function redundantIn(
  survivors: readonly string[],
  lane: LaneScope,
  { measure, all, whole }: Context,
): ReadonlyMap<string, Holding> {
  const found = new Map<string, Holding>();
  const ask = (ids: readonly string[]): Measured =>
    ids.length === all.length && whole.take.lane === lane ? whole : measure(ids, lane);
  const open: (readonly string[])[] = [survivors];
  const seen = new Set<string>();
  const most = survivors.length * SETS_PER_CHANGE;
  for (let candidates = open.shift(); candidates !== undefined; candidates = open.shift()) {
    const key = candidates.join('+');
    if (candidates.length < 2 || seen.has(key) || seen.size >= most) continue;
    seen.add(key);
    const together = ask(candidates);
    if (together.finding.kind !== 'held') continue;
    const { set, measured } = smallestIn(candidates, together, ask);
    const by = measured.finding.kind === 'held' ? measured.finding.flips : [];
    for (const id of set) {
      const others = set.filter((other) => other !== id);
      const take = measured.take;
      if (!found.has(id))
        found.set(id, { kind: 'held-joined', with: others, by, take, why: 'redundant', names: [] });
    }
    // Another set may be hidden by this one as long as all of it is there.
    for (const id of set) open.push(candidates.filter((other) => other !== id));
  }
  return found;
}

function smallestIn(
  candidates: readonly string[],
  together: Measured,
  ask: (ids: readonly string[]) => Measured,
): { readonly set: readonly string[]; readonly measured: Measured } {
  let set = candidates;
  let measured = together;
  for (const id of candidates) {
    const less = set.filter((other) => other !== id);
    // Alone each of them was measured before, and is not missed.
    if (less.length < 2) continue;
    const without = ask(less);
    if (without.finding.kind !== 'held') continue;
    set = less;
    measured = without;
  }
  return { set, measured };
}

export function reasonOf(finding: Finding): string {
  switch (finding.kind) {
    case 'inseparable':
      return inseparableReason(finding.absence);
    case 'ended':
      return `${finding.test} ${finding.how === 'timeout' ? 'hangs' : 'crashes'}, and nothing more is known`;
    case 'gone': {
      const [first, ...more] = finding.tests;
      const others = more.length === 0 ? ' is' : ` and ${more.length} more are`;
      return `${first}${others} gone without it, and no other test notices`;
    }
    case 'held':
      return '';
    case 'unmoved':
    case 'no-evidence':
      return finding.reason;
    default:
      return unreachable(finding);
  }
}

export function inseparableReason({ names, usedByTests }: Absence): string {
  if (names.length === 0)
    return usedByTests
      ? 'the tests do not compile without it'
      : 'the rest of the code does not compile without it';
  const list = names.map((name) => `\`${name}\``).join(', ');
  return usedByTests
    ? `the tests use ${list} by name, so without it they fail whatever it does`
    : `other code uses ${list}, so it cannot be taken away alone`;
}
