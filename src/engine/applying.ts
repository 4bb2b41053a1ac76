/** Edits into a slot's tree and out of it again, and what that says of the tree. */
import type { LoadTarget } from '../lane/lane.js';
import type { LocatedEdit, NotApplied } from '../mutation/edit.js';
import type { RestoreFacts } from '../proof/evidence.js';
import { err, unreachable, type Result } from '../result.js';
import type { RecoverOutcome } from '../workspace/recover.js';
import type { AppliedFile, RestoreOutcome } from '../workspace/workspace.js';
import type { RunContext, SlotContext } from './context.js';

export const mutatedTargets = (files: readonly AppliedFile[]): readonly LoadTarget[] =>
  files.map(({ path, mutated }) => ({ path, sha256: mutated }));

export interface ApplyFailure {
  readonly problem: NotApplied;
  /** Edits that had landed were taken back, and not everything was as it should be. */
  readonly undone: RestoreOutcome | null;
}

export async function apply(
  context: SlotContext,
  label: string,
  edits: readonly LocatedEdit[],
): Promise<Result<readonly AppliedFile[], ApplyFailure>> {
  const plain = edits.map(({ path, before, after }) => ({ path, before, after }));
  context.guard.inPlace(plain.map(({ path }) => path));
  const applied = await context.slot.call('apply', { label, edits: plain });
  if (applied.ok) return applied;
  context.guard.inPlace([]);
  const { path, why, undone } = applied.error;
  if (undone !== undefined) noteRestore(context, undone);
  return err({ problem: { kind: 'unwritable', path, why }, undone: undone ?? null });
}

export async function restore(context: SlotContext): Promise<RestoreOutcome> {
  const outcome = await context.slot.call('restore', null);
  context.guard.inPlace([]);
  noteRestore(context, outcome);
  return outcome;
}

/** Nothing more is measured on a tree that did not come back plainly. */
export function noteRestore(
  { stop }: Pick<RunContext, 'stop'>,
  outcome: RestoreOutcome | RecoverOutcome,
): void {
  if (outcome.kind === 'failed') stop.set(`${outcome.path} could not be restored: ${outcome.why}`);
  if (outcome.kind === 'changed')
    stop.set(`the tree changed while it was measured: ${outcome.changed.join(', ')}`);
  if (outcome.kind === 'kept') {
    const names = outcome.kept.map(({ path, keptAs }) => `${path} (kept as ${keptAs})`);
    stop.set(`a test or somebody wrote into a mutated file: ${names.join(', ')}`);
  }
}

export function restoreFacts(
  outcome: Exclude<RestoreOutcome | RecoverOutcome, { readonly kind: 'nothing' }>,
): RestoreFacts {
  switch (outcome.kind) {
    case 'restored':
      return { kind: 'restored' };
    case 'kept':
      return { kind: 'kept', kept: outcome.kept };
    case 'changed':
      return { kind: 'changed', changed: outcome.changed };
    case 'failed': {
      const { path, why, original } = outcome;
      return { kind: 'failed', path, why, original };
    }
    default:
      return unreachable(outcome);
  }
}
