/** The neighbours of each flip, measured unasked: how much of its class and its file stayed where it was. */
import { groupsOfBinaryId } from './binary-ids.js';
import { count, resultsOf } from './controls.js';
import type { Selection } from './evidence.js';
import type { Move, StepView } from './moves.js';
import type { Counts } from './outcome.js';
import { groupsOfPathId } from './path-ids.js';

export interface AroundFinding {
  /** Id of a class or module, path of a file, or name of an executable, that contains a flipped test. */
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
  readonly idForm: Selection['idForm'];
  readonly baseline: StepView;
  readonly mutated: StepView;
  readonly restored: StepView | null;
}

/** Groups in the order of the flips, the class before its file; one that is a single test says nothing. */
export function lookAround(input: AroundInput): readonly AroundFinding[] {
  const wanted = new Set(input.flipped.flatMap(({ test }) => groupsOf(test, input.idForm)));
  if (wanted.size === 0) return [];
  const members = membersByGroup(input.ids, input.idForm);
  const moved = new Set(input.moves.map(({ test }) => test));
  return [...wanted]
    .map((group) => [group, members.get(group) ?? []] as const)
    .filter(([, ids]) => ids.length > 1)
    .map(([group, ids]) => measure(group, ids, moved, input));
}

const grouped = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** Built once for each array: the ids of a baseline are asked by every mutation of its lane. */
function membersByGroup(
  ids: readonly string[],
  idForm: Selection['idForm'],
): ReadonlyMap<string, readonly string[]> {
  const known = grouped.get(ids);
  if (known !== undefined) return known;
  const members = new Map<string, string[]>();
  for (const id of ids) {
    for (const group of groupsOf(id, idForm)) {
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

/** The class and the file of a test, or what its lane has in their place. */
export const groupsOf = (id: string, idForm: Selection['idForm']): readonly string[] =>
  idForm === 'binary' ? groupsOfBinaryId(id) : groupsOfPathId(id);
