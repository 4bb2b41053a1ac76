/** Tree-relative paths that are written in a slot, or after it. */
import type { CallName, SlotCalls } from '../slot/protocol.js';
import type { RecoverOutcome } from '../workspace/recover.js';

/** By a call of the protocol. */
export function pathsWrittenBy<C extends CallName>(
  name: C,
  params: SlotCalls[C]['params'],
): readonly string[] {
  if (name === 'apply')
    return (params as SlotCalls['apply']['params']).edits.map(({ path }) => path);
  if (name === 'place')
    return (params as SlotCalls['place']['params']).files.map(({ path }) => path);
  return [];
}

export const recovered = (outcome: RecoverOutcome): readonly string[] =>
  outcome.kind === 'nothing' ? [] : outcome.files.map(({ path }) => path);
