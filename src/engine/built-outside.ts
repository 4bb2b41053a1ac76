/**
 * What builds leave outside an overlay: `pip install .` of a mutant stays installed where nothing is
 * built of the restored tree any more.
 */
import type { CallName, SlotCalls } from '../slot/protocol.js';
import type { LaneConfig } from '../spec/model.js';

export interface BuiltOutside {
  /** To be told of each call of the slot that was answered. */
  readonly answered: <C extends CallName>(
    name: C,
    params: SlotCalls[C]['params'],
    answer: SlotCalls[C]['answer'],
  ) => void;
  /** Those of the lanes whose build was last made of a mutant, and may write outside the tree. */
  readonly ofMutant: (lanes: readonly LaneConfig[]) => readonly string[];
}

export function createBuiltOutside(): BuiltOutside {
  let standing = false;
  const built = new Set<string>();
  return {
    answered(name, params, answer) {
      if (name === 'apply') standing ||= (answer as SlotCalls['apply']['answer']).ok;
      if (name === 'restore')
        standing &&= (answer as SlotCalls['restore']['answer']).kind === 'failed';
      if (name !== 'run') return;
      const { lane } = params as SlotCalls['run']['params'];
      const { build, evidence } = answer as SlotCalls['run']['answer'];
      if (standing) built.add(lane);
      else if (build.length === 0 && evidence.ending.kind !== 'cancelled') built.delete(lane);
    },
    // Whoever names the slots of a lane has said that its build stays in the tree.
    ofMutant: (lanes) =>
      lanes.flatMap(({ name, build, slots }) =>
        build !== null && slots === 'auto' && built.has(name) ? [name] : [],
      ),
  };
}
