/** What a draft's mutation moved, as shared restored runs ask for it: lane and test in one name. */
import type { LocatedEdit } from '../mutation/edit.js';
import { movedTests } from '../proof/plan.js';
import { idRules, matchIds } from '../proof/select.js';
import { idsOf } from '../proof/step.js';
import type { MutationSpec } from '../spec/model.js';
import type { Draft } from './draft.js';
import type { LaneState } from './lane-state.js';

export const inLane = (lane: string, test: string): string => `${lane}\0${test}`;

/** What moved under the mutation, in its own lane and in those of its controls. */
export function mutatedMoves(draft: Draft): readonly string[] {
  const outside = draft.outsideControls.flatMap(({ lane, mutated }) =>
    (mutated?.results ?? []).map(({ id }) => inLane(lane.name, id)),
  );
  return [...movedTests(draft).map((id) => inLane(draft.lane.name, id)), ...outside];
}

/** What moved under the mutation, and under the raise that asked who reaches it. */
export function movesOf(draft: Draft): { readonly moved: readonly string[] } {
  const raised = (draft.reachStep?.results ?? []).map(({ id }) => inLane(draft.lane.name, id));
  return { moved: [...mutatedMoves(draft), ...raised] };
}

/**
 * What a mutation will probably move: the tests that its spec names, or, where it names none, what
 * edits of the same files have just moved.
 *
 * @param edits its own, as far as they are known
 */
export function expectedMoves(
  spec: Pick<MutationSpec, 'flips' | 'lane'>,
  edits: readonly Pick<LocatedEdit, 'path'>[],
  { baseline, selection }: Pick<LaneState, 'baseline' | 'selection'>,
  measured: readonly Draft[],
): readonly string[] {
  if (baseline === null) return [];
  const { flips } = spec;
  if (flips.kind === 'tests') {
    const ids = idsOf(baseline);
    const rules = idRules(selection);
    const expected = flips.tests.flatMap(({ test }) => matchIds(test, ids, rules));
    return expected.map((id) => inLane(spec.lane, id));
  }
  const paths = new Set(edits.map(({ path }) => path));
  return measured
    .filter((draft) => draft.edits.some(({ path }) => paths.has(path)))
    .flatMap((draft) => movedTests(draft).map((id) => inLane(spec.lane, id)));
}
