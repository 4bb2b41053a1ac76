/** What has to be taken back together, because the code does not run otherwise. */
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
  /** Each change by itself. */
  readonly alone: ReadonlyMap<string, Measured>;
}

/** Runs for each change that leave out one of those it goes with. */
const MOST_LEFT_OUT = 8;

/**
 * Grows the set of what has to go together until it can be measured, or is the whole fix. What
 * the last of them made needless is left out again.
 */
export function joined(id: string, first: Finding, context: Context): Holding {
  const { source, all } = context;
  const set = new Set([id]);
  const names = new Set<string>();
  let finding = first;
  let take: Take | null = null;
  for (;;) {
    if (finding.kind === 'inseparable') for (const name of finding.absence.names) names.add(name);
    const more = growth(set, finding, context);
    if (more.length === 0) return { kind: 'no-evidence', take, reason: reasonOf(finding) };
    for (const other of more) set.add(other);
    const next = together(set, context);
    ({ finding, take } = next);
    if (isMeasured(finding)) {
      const least = smallestWith(
        id,
        source.map((change) => change.id).filter((other) => set.has(other)),
        next,
        context,
      );
      return holdingOf(least, [...names]);
    }
    if (set.size === all.length) return { kind: 'no-evidence', take, reason: reasonOf(finding) };
  }
}

const together = (set: ReadonlySet<string>, { all, whole, lane, measure }: Context): Measured =>
  set.size === all.length ? whole : measure(set, lane);

const isMeasured = (finding: Finding): boolean =>
  finding.kind === 'held' || finding.kind === 'unmoved';

interface Smallest {
  readonly others: readonly string[];
  readonly measured: Measured;
}

/**
 * Leaves out one after another, as long as what is left can be measured. Where nothing notices
 * it any more, that which was left out goes its own way only if tests hold it by itself: it was
 * what they noticed.
 */
function smallestWith(
  id: string,
  set: readonly string[],
  measured: Measured,
  { measure, lane, alone }: Context,
): Smallest {
  let least = { others: set.filter((other) => other !== id), measured };
  const candidates = least.others.slice(0, MOST_LEFT_OUT);
  for (const other of candidates) {
    const others = least.others.filter((each) => each !== other);
    if (others.length === 0) continue;
    const without = measure([id, ...others], lane);
    if (!isMeasured(without.finding)) continue;
    const isLost = least.measured.finding.kind === 'held' && without.finding.kind === 'unmoved';
    if (isLost && alone.get(other)?.finding.kind !== 'held') continue;
    least = { others, measured: without };
  }
  return least;
}

function holdingOf(
  { others, measured: { finding, take } }: Smallest,
  names: readonly string[],
): Holding {
  return finding.kind === 'held'
    ? { kind: 'held-joined', with: others, by: finding.flips, take, why: 'name', names }
    : { kind: 'unheld-joined', with: others, take, names };
}

export const isSyntax = (finding: Finding): boolean =>
  finding.kind === 'no-evidence' && finding.verdict === 'broken';

/** Changes that have to go too: those that use the name, or the nearest one where nothing compiles. */
function growth(
  set: ReadonlySet<string>,
  finding: Finding,
  { source, alone }: Context,
): readonly string[] {
  if (finding.kind === 'inseparable') {
    const named = finding.absence.with.filter((id) => !set.has(id));
    return named.filter((id) => source.some((change) => change.id === id));
  }
  if (!isSyntax(finding)) return [];
  const inside = source.filter(({ id }) => set.has(id));
  const paths = new Set(inside.map(pathOf));
  const positions = new Map(source.map(({ id }, index) => [id, index]));
  const distance = (change: Change): number =>
    Math.min(
      ...inside.map(({ id }) =>
        Math.abs((positions.get(id) ?? 0) - (positions.get(change.id) ?? 0)),
      ),
    );
  /** In the same file first, and what cannot go alone either before what can. */
  const rank = (change: Change): number => {
    const own = alone.get(change.id);
    const goesAlone = own !== undefined && isMeasured(own.finding);
    return (paths.has(pathOf(change)) ? 0 : 2) + (goesAlone ? 1 : 0);
  };
  const [nearest] = source
    .filter((change) => !set.has(change.id))
    .toSorted((a, b) => rank(a) - rank(b) || distance(a) - distance(b));
  return nearest === undefined ? [] : [nearest.id];
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
