/** What has to be taken back together, because the code does not run otherwise. */
import { append } from '../lists.js';
import { unreachable } from '../result.js';
import { type Absence, mentions } from './absence.js';
import { alike, isClosed, withNeeds } from './beyond-names.js';
import { absenceIn, type Finding } from './finding.js';
import { type Change, pathOf } from './fix.js';
import { namesDefinedBy } from './names.js';
import type { Context, Measured } from './measuring.js';
import type { Holding, Take } from './take-model.js';

/** Runs for each change that leave out one of those it goes with. */
const MOST_LEFT_OUT = 8;

/**
 * Grows the set of what has to go together until it can be measured, or is the whole fix. What
 * the last of them made needless is left out again.
 */
export function joined(id: string, first: Finding, context: Context): Holding {
  const { source } = context;
  const set = new Set([id]);
  const names = new Set<string>();
  const inOrder = (): readonly string[] =>
    source.map((change) => change.id).filter((other) => set.has(other));
  let finding = first;
  let take: Take | null = null;
  /** Tests notice it, though others still miss a name: the answer where it comes to no better one. */
  let partial: { readonly set: readonly string[]; readonly measured: Measured } | null = null;
  for (;;) {
    const absence = absenceIn(finding);
    for (const name of absence?.names ?? []) names.add(name);
    const more = withUsers(growth(set, finding, context), set, context);
    const wanted = withNeeds([...set, ...more], context.needs);
    // What tests themselves use by its name cannot go, whatever goes with it.
    const isStuck = more.length === 0 && finding.kind !== 'held';
    if (isStuck || wanted.ids.size === set.size) break;
    for (const name of wanted.names) names.add(name);
    for (const other of wanted.ids) set.add(other);
    const measured = together(set, context);
    ({ finding, take } = measured);
    if (isComplete(finding))
      return holdingOf(smallestWith(id, inOrder(), { measured, isEnough: isComplete }, context), [
        ...names,
      ]);
    if (isMeasured(finding)) partial = { set: inOrder(), measured };
  }
  if (partial === null) return { kind: 'no-evidence', take, reason: reasonOf(finding) };
  const { set: others, measured } = partial;
  const least = smallestWith(id, others, { measured, isEnough: isMeasured }, context);
  return holdingOf(least, [...names]);
}

const together = (set: ReadonlySet<string>, { all, whole, lane, measure }: Context): Measured =>
  set.size === all.length && whole.take.lane === lane ? whole : measure(set, lane);

const isMeasured = (finding: Finding): boolean =>
  finding.kind === 'held' || finding.kind === 'unmoved';

/** No test fails by a name that another change still uses, or took away. */
const isComplete = (finding: Finding): boolean =>
  isMeasured(finding) && (absenceIn(finding)?.with ?? []).length === 0;

interface Smallest {
  readonly others: readonly string[];
  readonly measured: Measured;
}

/**
 * Leaves out one after another, as long as what is left can be measured. Where nothing notices
 * it any more, that which was left out goes its own way only if tests hold it by itself: it was
 * what they noticed. One that had to stay is tried again once another is gone: it may have been
 * what that one needed.
 */
function smallestWith(
  id: string,
  set: readonly string[],
  from: { readonly measured: Measured; readonly isEnough: (finding: Finding) => boolean },
  { measure, lane, alone, needs }: Context,
): Smallest {
  let least = { others: set.filter((other) => other !== id), measured: from.measured };
  const open = least.others.slice(0, MOST_LEFT_OUT);
  const stay: string[] = [];
  for (let other = open.shift(); other !== undefined; other = open.shift()) {
    const others = least.others.filter((each) => each !== other);
    // Alone it was measured before, and cannot go.
    if (others.length === 0) break;
    const without = measure([id, ...others], lane);
    const isLost = least.measured.finding.kind === 'held' && without.finding.kind === 'unmoved';
    const isNeeded = isLost && alone.get(other)?.finding.kind !== 'held';
    const isByName =
      without.finding.kind === 'held' &&
      !isClosed([id, ...others], needs) &&
      alike(without.finding, from.measured.finding).length === 0;
    if (!from.isEnough(without.finding) || isNeeded || isByName) {
      stay.push(other);
      continue;
    }
    least = { others, measured: without };
    append(open, stay.splice(0));
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
  const absence = absenceIn(finding);
  if (absence !== null) {
    const named = absence.with.filter((id) => !set.has(id));
    return named.filter((id) => source.some((change) => change.id === id));
  }
  if (!isSyntax(finding)) return [];
  const inside = source.filter(({ id }) => set.has(id));
  const paths = new Set(inside.map(pathOf));
  const positions = new Map(source.map(({ id }, index) => [id, index]));
  const distance = (change: Change): number =>
    inside
      .map(({ id }) => Math.abs((positions.get(id) ?? 0) - (positions.get(change.id) ?? 0)))
      .reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
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

/**
 * With those that use what these define, and cannot go alone either: a renamed function takes all
 * of its callers along, which tests would show one after another.
 */
function withUsers(
  more: readonly string[],
  set: ReadonlySet<string>,
  { source, alone }: Context,
): readonly string[] {
  const found = new Set(more);
  for (let fresh = more; fresh.length > 0;) {
    const names = source
      .filter(({ id }) => fresh.includes(id))
      .flatMap((each) => [...definedBy(each)]);
    const isUser = (change: Change): boolean => {
      const own = alone.get(change.id)?.finding;
      const stays = set.has(change.id) || found.has(change.id) || own?.kind !== 'inseparable';
      return !stays && names.some((name) => mentions(change, name, 'fresh'));
    };
    fresh = source.filter(isUser).map(({ id }) => id);
    for (const id of fresh) found.add(id);
  }
  return [...found];
}

const defined = new WeakMap<Change, ReadonlySet<string>>();

/** Names that are known outside of the function in which they stand. */
function definedBy(change: Change): ReadonlySet<string> {
  const names = defined.get(change) ?? namesDefinedBy([change], 'attribute');
  defined.set(change, names);
  return names;
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
      // A sentence of its own, which here is a part of one.
      return finding.reason.replace(/\.$/, '');
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
