/** Looks at the tree between steps: a change voids what was measured since the last look without one. */
import type { RunContext } from './context.js';
import type { Touched } from '../proof/evidence.js';
import type { Draft } from './draft.js';

export interface TreeLook {
  /** A draft's evidence was added to just now. */
  readonly measured: (draft: Draft) => void;
  readonly look: (when: 'now' | 'due') => Promise<void>;
}

export function createTreeLook({
  guard,
  stop,
  isolation,
}: Pick<RunContext, 'guard' | 'stop' | 'isolation'>): TreeLook {
  /** By the process's own clock. */
  const measuredAt = new Map<Draft, number>();
  return {
    measured(draft) {
      measuredAt.set(draft, performance.now());
    },
    async look(when) {
      const since = guard.cleanSince();
      const changed = await guard.check(when);
      if (changed.length === 0) return;
      const touched = foundInTree(changed, isolation);
      for (const [draft, at] of measuredAt)
        if (at >= since && draft.touched.length === 0) draft.touched = touched;
      stop.set(`the tree changed while it was measured: ${changed.join(', ')}`);
    },
  };
}

/** What changed in the user's own tree: from an overlay no lane writes there. */
export const foundInTree = (
  paths: readonly string[],
  isolation: RunContext['isolation'],
): readonly Touched[] =>
  paths.map((path) => ({ path, by: isolation === 'overlay' ? 'somebody' : 'either' }));
