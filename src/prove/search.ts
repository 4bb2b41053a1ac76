/** Which changes to take back next, and what is known so far. Pure: asked again after every round. */
import { heldByEachOther } from './each-other.js';
import type { Finding } from './finding.js';
import { type Change, pathOf } from './fix.js';
import { isSyntax, reasonOf } from './joining.js';
import type { Context, Measured } from './measuring.js';
import { redundantIn } from './redundancy.js';
import type { Need } from './needed-by.js';
import { missedBy } from './removal.js';
import { type Holding, type LaneScope, type Take, takeKey } from './take-model.js';
import { heldOrJoined, unheld, widen, widens } from './widening.js';

export interface State {
  /** Measured, and therefore known. */
  readonly whole: { readonly take: Take; readonly finding: Finding } | null;
  /** By the id of the change; one that is not in it is not known yet. */
  readonly changes: ReadonlyMap<string, Holding>;
  /** Takes of files with several changes, where there are several files. */
  readonly files: ReadonlyMap<string, Take>;
  readonly support: Take | null;
}

export interface Search {
  readonly state: State;
  /** What to measure next; empty: everything is known that can be. */
  readonly wanted: readonly Take[];
}

export interface SearchInput {
  /** Changes of source that can be taken back. */
  readonly source: readonly Change[];
  readonly support: readonly Change[];
  /** Whether the nearest tests are fewer than the lane's. */
  readonly hasNear: boolean;
  /** What would miss a name if a change were taken back without it. */
  readonly needs: ReadonlyMap<string, readonly Need[]>;
  /** The whole fix alone is asked for. */
  readonly wholeOnly: boolean;
  readonly find: (take: Take) => Finding | null;
}

/** Thrown where an answer depends on what is not measured yet; never leaves this file. */
class Unknown extends Error {}

export function search(input: SearchInput): Search {
  const { source } = input;
  const wanted = new Map<string, Take>();
  const need = (take: Take): Finding => {
    const finding = input.find(take);
    if (finding !== null) return finding;
    wanted.set(takeKey(take), take);
    throw new Unknown();
  };
  const order = new Map(source.map(({ id }, index) => [id, index]));
  const taking = (
    ids: Iterable<string>,
    lane: LaneScope,
    enders: readonly string[] = [],
  ): Take => ({
    changes: [...new Set(ids)].toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    lane,
    enders,
  });
  /** Measures again where a test ended the run, so that the others are graded without it. */
  const measure = (ids: Iterable<string>, lane: LaneScope): Measured => {
    const take = taking(ids, lane);
    const finding = need(take);
    if (finding.kind !== 'ended') return { take, finding };
    const again = { ...take, enders: [finding.test] };
    return { take: again, finding: need(again) };
  };
  /** What is asked does not wait for what is not known yet. */
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Unknown) return null;
      throw error;
    }
  };

  const all = source.map(({ id }) => id);
  const near: LaneScope = input.hasNear ? 'near' : 'full';
  const changes = new Map<string, Holding>();
  const files = new Map<string, Take>();
  const stateOf = (whole: State['whole'], support: Take | null): Search => ({
    state: { whole, changes, files, support },
    wanted: [...wanted.values()],
  });
  if (all.length === 0) return stateOf(null, null);

  const whole = attempt((): Measured => {
    const first = measure(all, near);
    return near === 'near' && widens(first.finding) ? measure(all, 'full') : first;
  });
  if (whole === null) return stateOf(null, null);
  const lane = whole.take.lane;
  const support = attempt(() => supportTake(input.support, lane, need));
  const known = { take: whole.take, finding: whole.finding };
  if (input.wholeOnly) return stateOf(known, support);
  if (!asksParts(whole.finding)) {
    for (const id of all) changes.set(id, ofWhole(known, all.length));
    return stateOf(known, support);
  }
  if (source.length === 1) {
    const [only] = source;
    if (only !== undefined) changes.set(only.id, ofWhole(known, 1));
    return stateOf(known, support);
  }

  const alone = new Map<string, Measured>();
  const { needs } = input;
  const context: Context = { source, all, lane, measure, attempt, whole: known, alone, needs };
  for (const id of all) {
    const found = attempt(() => measure([id], lane));
    if (found !== null) alone.set(id, found);
  }
  for (const [path, ids] of bySeveral(source)) {
    attempt(() => files.set(path, measure(ids, lane).take));
  }
  if (alone.size < all.length) return stateOf(known, support);
  const survivors: string[] = [];
  for (const [id, measured] of alone) {
    const { take, finding } = measured;
    if (finding.kind === 'unmoved') survivors.push(id);
    else if (finding.kind === 'held' || finding.kind === 'inseparable' || isSyntax(finding)) {
      const found = attempt(() => heldOrJoined(id, measured, context));
      if (found !== null) changes.set(id, found);
    } else changes.set(id, { kind: 'no-evidence', take, reason: reasonOf(finding) });
  }
  const eachOther = attempt(() =>
    heldByEachOther(changes, [...bySeveral(source).values()], context),
  );
  if (eachOther === null) return stateOf(known, support);
  for (const [id, holding] of eachOther) changes.set(id, holding);
  // What is joined decides about survivors too, so it has to be known first.
  if (changes.size + survivors.length < all.length) return stateOf(known, support);
  for (const id of survivors.splice(0)) {
    const removed = source.find((change) => change.id === id);
    const found = attempt(() => (removed === undefined ? [] : missedBy(removed, changes, context)));
    if (found === null) return stateOf(known, support);
    const [owner] = found;
    if (owner === undefined) survivors.push(id);
    else changes.set(id, owner);
  }
  const redundant = attempt(() => redundantIn(survivors, lane, context));
  for (const [id, holding] of redundant ?? []) changes.set(id, holding);
  if (redundant === null) return stateOf(known, support);
  const left = survivors.filter((id) => !redundant.has(id));
  if (lane === 'full') {
    for (const id of left) changes.set(id, unheld(id, lane));
    return stateOf(known, support);
  }
  const widened = attempt(() => widen(left, context));
  for (const [id, holding] of widened ?? []) changes.set(id, holding);
  for (const id of all) {
    const holding = changes.get(id);
    if (holding?.kind !== 'unheld-joined') continue;
    const found = attempt(() => measure([id, ...holding.with], 'full'));
    if (found === null) changes.delete(id);
    else if (found.finding.kind === 'held') {
      const { names, with: others } = holding;
      changes.set(id, {
        kind: 'held-joined',
        with: others,
        by: found.finding.flips,
        take: found.take,
        why: 'name',
        names,
      });
    }
  }
  return stateOf(known, support);
}

/** An unpinned whole has no pinned parts worth a run, and a lane that does not run has none at all. */
const asksParts = (finding: Finding): boolean =>
  finding.kind === 'held' ||
  finding.kind === 'inseparable' ||
  finding.kind === 'gone' ||
  (finding.kind === 'no-evidence' &&
    ['broken', 'not-loaded', 'flaky', 'timeout'].includes(finding.verdict)) ||
  finding.kind === 'ended';

function ofWhole({ take, finding }: Measured, count: number): Holding {
  if (finding.kind === 'held') return { kind: 'held', by: finding.flips, take };
  if (finding.kind === 'unmoved') return { kind: 'unheld', take };
  const whole = count === 1 ? '' : 'the whole fix could not be measured: ';
  return { kind: 'no-evidence', take, reason: whole + reasonOf(finding) };
}

/** Files with more than one change, where the fix has more than one file. */
function bySeveral(source: readonly Change[]): ReadonlyMap<string, readonly string[]> {
  const byPath = new Map<string, string[]>();
  for (const change of source) {
    const path = pathOf(change);
    byPath.set(path, [...(byPath.get(path) ?? []), change.id]);
  }
  if (byPath.size < 2) return new Map();
  return new Map([...byPath].filter(([, ids]) => ids.length > 1));
}

function supportTake(
  support: readonly Change[],
  lane: LaneScope,
  need: (take: Take) => Finding,
): Take | null {
  if (support.length === 0) return null;
  const take = { changes: support.map(({ id }) => id), lane, enders: [] };
  need(take);
  return take;
}
