/** What a draft's mutation moved, as shared restored runs ask for it: lane and test in one name. */
import { movedTests } from '../proof/plan.js';
import type { Draft } from './draft.js';

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
