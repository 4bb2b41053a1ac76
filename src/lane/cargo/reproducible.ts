/** Whether executables are the baseline's again once every byte is back. */
import type { StepName } from '../../proof/evidence.js';
import type { TestBinary } from './model.js';

/** One for each lane; gives what is to be said of a step's executables. */
export function createRebuildNotes(): (
  step: StepName,
  binaries: readonly TestBinary[],
) => readonly string[] {
  let baseline: ReadonlyMap<string, string> | null = null;
  return (step, binaries) => {
    const sums = new Map(binaries.map(({ id, sha256 }) => [id, sha256]));
    if (step === 'baseline') baseline = sums;
    if (baseline === null || (step !== 'restored' && step !== 'closing')) return [];
    const differ = [...sums].filter(([id, sum]) => baseline?.get(id) !== sum).map(([id]) => id);
    if (differ.length === 0) return [];
    const names = differ.slice(0, 3).join(', ') + (differ.length > 3 ? ', …' : '');
    return [
      `built anew from the restored files, ${names} ${differ.length === 1 ? 'is' : 'are'} not byte for byte as in the baseline: this build is not reproducible`,
    ];
  };
}
