/** Code that no build of the lane holds, although its file is in the build: `cfg`, unused macros. */
import type { ProofEvidence, StepEvidence } from './evidence.js';
import { readFacts } from './facts.js';
import { viewStep } from './moves.js';
import { nothingMoved } from './verdicts/trust.js';

/**
 * Whether to find out if the edited code is compiled at all: that a file was rebuilt says nothing
 * of a function in it, and a function that is left out holds no test to account. A test that moved
 * shows by itself that it was compiled.
 */
export function needsCompiledCheck(evidence: ProofEvidence): boolean {
  if (evidence.mutated?.loads.some(({ proof }) => proof === 'rebuilt') !== true) return false;
  const facts = readFacts(evidence);
  if (facts.own?.mutatedStep?.ending.kind !== 'complete') return false;
  const { loading } = facts;
  return loading.kind === 'proven' && loading.proof === 'rebuilt' && nothingMoved(facts);
}

/**
 * Reads the run of a source that does not compile if the edited code is part of it. Only one that
 * was built and is in everything as the baseline shows that the code is left out: doctests, and
 * tests that start a compiler, compile when they are run.
 *
 * @param path tree-relative
 */
export function isLeftOut(step: StepEvidence, baseline: StepEvidence, path: string): boolean {
  return (
    step.ending.kind === 'complete' &&
    step.loads.some((load) => load.path === path && load.proof === 'rebuilt') &&
    step.collectionErrors.length === baseline.collectionErrors.length &&
    viewStep(baseline, step).moves.length === 0
  );
}

/** Programs of two builds: alike in all that they load, or not, and by the edit alone. */
export type Compared = 'equal' | 'differ' | 'unknown';

/**
 * Reads builds of the file before an edit, after it, and before it once more. That the first two
 * differ says something only where the same source gives the same programs.
 *
 * @param path tree-relative
 * @returns null: the next of the builds is needed
 */
export function comparedBuilds(runs: readonly StepEvidence[], path: string): Compared | null {
  const [before, after, again] = runs;
  if (before === undefined) return null;
  const one = imageOf(before, path);
  if (one === null && !isBroken(before)) return 'unknown';
  if (after === undefined) return null;
  const two = imageOf(after, path);
  if (two === null) return 'unknown';
  // The rest of the mutation needs the edit to be compiled.
  if (one === null) return 'differ';
  if (one === two) return 'equal';
  if (again === undefined) return null;
  return imageOf(again, path) === one ? 'differ' : 'unknown';
}

const isBroken = ({ ending }: StepEvidence): boolean =>
  ending.kind === 'broken' && ending.causes.some(({ stage }) => stage === 'build');

/** null: the build did not come to its end, is not known to be of these bytes, or cannot be read. */
const imageOf = ({ ending, loads, image }: StepEvidence, path: string): string | null =>
  ending.kind === 'complete' &&
  loads.some((load) => load.path === path && load.proof === 'rebuilt') &&
  image !== undefined
    ? image
    : null;

/** The same step without a proof that a file was loaded. */
export const withoutLoad = (step: StepEvidence, path: string, why: string): StepEvidence => ({
  ...step,
  loads: step.loads.map((load) =>
    load.path === path ? { ...load, proof: 'none', sha256: null, by: null, why } : load,
  ),
});
