/** Two whole trees against each other: all that differs is taken back, except for tests and what no test can notice. */
import type { Change } from './fix.js';

const STAYS =
  /^(documentation|comments|doctest|lock file|submodule|symbolic link|cannot be read|its mode|the same content|an empty file|mutations|settings of)/;

/** Changes with those of settings, dependencies and support code counted as source. */
export function wholeTrees(changes: readonly Change[]): readonly Change[] {
  let count = 0;
  return changes.map((change) => {
    const { class: kind, why } = change;
    if (kind === 'test' || (kind === 'other' && STAYS.test(why))) return change;
    count += 1;
    return { ...change, class: 'source' as const, id: String(count) };
  });
}
