/** Test executables by the sums of their bytes, against those of the baseline. */
import type { Executables, StepName } from '../../proof/evidence.js';
import type { TestBinary } from './model.js';

/** One for each lane: remembers the last baseline. Undefined: there was none to compare with. */
export function createExecutableComparison(): (
  step: StepName,
  binaries: readonly TestBinary[],
) => Executables | undefined {
  let baseline: ReadonlyMap<string, string> | null = null;
  return (step, binaries) => {
    const sums = binaries.map(({ id, sha256 }) => ({ id, sha256 }));
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
