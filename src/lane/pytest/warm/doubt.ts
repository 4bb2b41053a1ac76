/** Which warm runs may be taken as they are, and which have to be confirmed by a cold one. */
import type { Outcome } from '../../../proof/outcome.js';
import { unreachable } from '../../../result.js';
import type { Asked, LaneRun, RunRequest } from '../../lane.js';
import { leavesOutImports } from './asks.js';
import { movedIn } from './compare.js';

/**
 * `always`: each such run is confirmed. `once`: the first of its kind, which stands for those
 * to come.
 */
export interface Doubt {
  readonly kind: string;
  readonly confirm: 'always' | 'once';
  /** What a cold run shows otherwise says nothing of others. */
  readonly isItsOwn?: true;
}

/** What a run of the untouched tree does too. */
export interface Usual {
  /** What it alters. */
  readonly altered: ReadonlySet<string>;
  /** What it asks for, part by part. */
  readonly needed: readonly Asked[];
}

/**
 * A survivor, and a restored tree that is not as it was, could come of a warm interpreter that
 * has loaded too much, as could an end that pytest did not choose. A flip is confirmed once: what
 * tests are the first to load is not held, so that none of them sees more than in a new one. A run
 * that alters what a library reads as it is imported, such as a variable, came too late for the
 * libraries that are held. One that leaves an import out does without it only where it is held. In
 * a run on the untouched tree nothing is left out, and who first comes to a raise gets there by no
 * other way than in a new interpreter.
 *
 * @returns null: nothing to confirm
 */
export function doubtIn(
  run: LaneRun,
  request: Pick<RunRequest, 'step' | 'scope' | 'without'>,
  baseline: ReadonlyMap<string, Outcome>,
  ignored: ReadonlySet<string>,
  usual: Usual,
): Doubt | null {
  const { kind } = run.ending;
  if (kind === 'cancelled') return null;
  if (kind === 'broken') return { kind, confirm: 'once' };
  if (kind !== 'complete' && kind !== 'timeout') return { kind, confirm: 'always' };
  if (run.altered?.some((what) => !usual.altered.has(what)) === true)
    return { kind: 'altered', confirm: 'always', isItsOwn: true };
  const { step, scope } = request;
  if (step === 'mutated' && scope === 'lane' && leavesOutImports(run, usual.needed))
    return { kind: 'import left out', confirm: 'always', isItsOwn: true };
  if (kind === 'timeout') return { kind, confirm: 'once' };
  const moved = movedIn(run, baseline, request.scope, ignored);
  switch (request.step) {
    case 'mutated': {
      if (moved.length > 0) return { kind: 'flip', confirm: 'once' };
      const whole = request.scope === 'lane' && request.without.length === 0;
      return whole ? { kind: 'survived', confirm: 'always' } : null;
    }
    case 'reach':
      return moved.length > 0 || run.reached.length > 0
        ? null
        : { kind: 'unreached', confirm: 'always' };
    case 'baseline':
    case 'restored':
    case 'closing':
      return moved.length === 0 ? null : { kind: 'not as before', confirm: 'always' };
    default:
      return unreachable(request.step);
  }
}
