/** Which warm runs may be taken as they are, and which have to be confirmed by a cold one. */
import type { Outcome } from '../../../proof/outcome.js';
import { unreachable } from '../../../result.js';
import type { LaneRun, RunRequest } from '../../lane.js';
import { movedIn } from './compare.js';

/**
 * `always`: each such run is confirmed. `once`: the first of its kind, which stands for those
 * to come.
 */
export interface Doubt {
  readonly kind: string;
  readonly confirm: 'always' | 'once';
}

/**
 * A survivor, and a restored tree that is not as it was, could come of a warm interpreter that
 * has loaded too much, as could an end that pytest did not choose. A flip cannot come of that
 * alone, and is confirmed once. A run that alters what a library reads as it is imported, such as
 * a variable, came too late for the libraries that are held.
 *
 * @param usual what a run of the untouched tree alters too
 * @returns null: nothing to confirm
 */
export function doubtIn(
  run: LaneRun,
  request: Pick<RunRequest, 'step' | 'scope' | 'without'>,
  baseline: ReadonlyMap<string, Outcome>,
  ignored: ReadonlySet<string>,
  usual: ReadonlySet<string>,
): Doubt | null {
  const { kind } = run.ending;
  if (kind === 'cancelled') return null;
  if (kind === 'timeout' || kind === 'broken') return { kind, confirm: 'once' };
  if (kind !== 'complete') return { kind, confirm: 'always' };
  if (run.altered?.some((what) => !usual.has(what)) === true)
    return { kind: 'altered', confirm: 'always' };
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
