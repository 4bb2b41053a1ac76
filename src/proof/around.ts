/** The neighbours of each flip, measured unasked: how much of its class and its file stayed where it was. */
import { count, resultsOf } from './controls.js';
import type { Move, StepView } from './moves.js';
import type { Counts } from './outcome.js';

export interface AroundFinding {
  /** Id of a class, or path of a file, that contains a flipped test. */
  readonly group: string;
  readonly held: number;
  readonly moved: number;
  readonly counts: {
    readonly baseline: Counts;
    readonly mutated: Counts;
    /** null: the restored run did not cover the whole group. */
    readonly restored: Counts | null;
  };
}

export interface AroundInput {
  readonly flipped: readonly Move[];
  /** All moves of the step, flips among them. */
  readonly moves: readonly Move[];
  readonly ids: readonly string[];
  readonly baseline: StepView;
  readonly mutated: StepView;
  readonly restored: StepView | null;
}

/** Groups in the order of the flips, the class before its file; one that is a single test says nothing. */
export function lookAround(input: AroundInput): readonly AroundFinding[] {
  const wanted = new Set(input.flipped.flatMap(({ test }) => groupsOf(test)));
  if (wanted.size === 0) return [];
  const members = membersByGroup(input.ids);
  const moved = new Set(input.moves.map(({ test }) => test));
  return [...wanted]
    .map((group) => [group, members.get(group) ?? []] as const)
    .filter(([, ids]) => ids.length > 1)
    .map(([group, ids]) => measure(group, ids, moved, input));
}

const grouped = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** Built once for each array: the ids of a baseline are asked by every mutation of its lane. */
function membersByGroup(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = grouped.get(ids);
  if (known !== undefined) return known;
  const members = new Map<string, string[]>();
  for (const id of ids) {
    for (const group of groupsOf(id)) {
      const list = members.get(group);
      if (list === undefined) members.set(group, [id]);
      else list.push(id);
    }
  }
  grouped.set(ids, members);
  return members;
}

function measure(
  group: string,
  ids: readonly string[],
  moved: ReadonlySet<string>,
  { baseline, mutated, restored }: AroundInput,
): AroundFinding {
  const now = ids.map(mutated.resultOf).filter((result) => result !== null);
  const after = restored === null ? null : resultsOf(ids, restored);
  const movedHere = ids.filter((id) => moved.has(id)).length;
  return {
    group,
    held: now.length - movedHere,
    moved: movedHere,
    counts: {
      baseline: count(resultsOf(ids, baseline) ?? []),
      mutated: count(now),
      restored: after === null ? null : count(after),
    },
  };
}

/**
 * The class and the file of a test id (`FILE::CLASS::TEST[PARAMETERS]`). Parameters may hold
 * `::` themselves, so they are cut off first.
 */
export function groupsOf(id: string): readonly string[] {
  const name = id.indexOf('::');
  if (name === -1) return [];
  const file = id.slice(0, name);
  const bracket = id.indexOf('[', name);
  const path = bracket === -1 ? id : id.slice(0, bracket);
  const test = path.lastIndexOf('::');
  return test === name ? [file] : [path.slice(0, test), file];
}
