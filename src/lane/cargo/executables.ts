/** Test executables by the sums of their bytes, against those of the baseline. */
import path from 'node:path';
import type { Executables, StepName } from '../../proof/evidence.js';
import type { TestBinary } from './model.js';

/**
 * One for each lane: remembers the last baseline. Undefined: there was none to compare with.
 *
 * @param tree absolute
 */
export function createExecutableComparison(
  tree: string,
): (step: StepName, binaries: readonly TestBinary[]) => Executables | undefined {
  let baseline: ReadonlyMap<string, string> | null = null;
  return (step, binaries) => {
    const sums = binaries.map(({ id, sha256, source }) => ({
      id,
      sha256,
      source: within(tree, source),
    }));
    if (step === 'baseline') {
      baseline = new Map(sums.map(({ id, sha256 }) => [id, sha256]));
      return { built: sums.length, sums };
    }
    const before = baseline;
    if (before === null) return undefined;
    const differing = sums.filter(({ id, sha256 }) => before.get(id) !== sha256);
    return { built: sums.length, sums: differing };
  };
}

function within(tree: string, file: string): string | null {
  const relative = path.relative(tree, file).replaceAll(path.sep, '/');
  return relative.startsWith('../') || path.isAbsolute(relative) ? null : relative;
}
