/** Whether the bytes that were written are the bytes that ran. A checksum proves the disk, not the interpreter. */
import type { FileSums, LoadEvidence, StepEvidence } from './evidence.js';

export type Loading =
  /** Every edited file was compiled from, or rebuilt with, the bytes of its step. */
  | {
      readonly kind: 'proven';
      readonly proof: 'compiled' | 'rebuilt';
      readonly from: string | null;
    }
  /** A module of the file's name came from another file: what passed says nothing about this one. */
  | {
      readonly kind: 'elsewhere';
      readonly step: StepEvidence['step'];
      readonly path: string;
      readonly elsewhere: string;
    }
  /** Other bytes than those on disk were executed. */
  | {
      readonly kind: 'other-bytes';
      readonly step: StepEvidence['step'];
      readonly path: string;
      readonly expected: string | null;
      readonly found: string | null;
    }
  /** No recorder saw these files; an effect that repeats may still prove that they ran. */
  | {
      readonly kind: 'unseen';
      readonly files: readonly UnseenFile[];
      /** Whether the lane's runner could have shown it. */
      readonly watched: boolean;
    };

export interface UnseenFile {
  readonly path: string;
  /** In a phrase; null: nobody can tell. */
  readonly why: string | null;
}

export interface LoadInput {
  readonly files: readonly FileSums[];
  /** Edited files, also where nothing has been written yet. */
  readonly paths: readonly string[];
  readonly baseline: StepEvidence;
  /** The mutated run, and the one without the test that ended it; empty: not run yet. */
  readonly mutated: readonly StepEvidence[];
  /** Further mutated runs: they prove nothing about the first, but must not have run other bytes. */
  readonly again: readonly StepEvidence[];
  /** The restored run that counts; null: not run. */
  readonly restored: StepEvidence | null;
}

/**
 * `compiled` and `rebuilt` hold only if baseline and mutated steps give the same proof, each for
 * its own bytes. A narrow restored run need not load the file at all, but where it did, it must
 * have been from the original: stale bytecode kept 3 of 10 restores poisoned although the sum
 * of the source was right.
 */
export function proveLoading(input: LoadInput): Loading {
  const { files, paths, baseline, mutated, again, restored } = input;
  const edited = new Set([...paths, ...files.map(({ path }) => path)]);
  const mutants = [...mutated, ...again];
  const steps = [baseline, ...mutants, ...(restored === null ? [] : [restored])];
  for (const step of steps) {
    for (const load of step.loads) {
      if (load.elsewhere !== null && edited.has(load.path)) {
        return { kind: 'elsewhere', step: step.step, path: load.path, elsewhere: load.elsewhere };
      }
    }
  }
  for (const file of files) {
    for (const step of steps) {
      const expected = mutants.includes(step) ? file.mutated : file.baseline;
      const wrong = loadsOf(step, file.path).find(
        (load) =>
          runsOther(load, expected) ||
          (step === restored && load.proof === 'cached' && seenIn(baseline, file.path)),
      );
      if (wrong !== undefined) {
        const { path, sha256: found } = wrong;
        return { kind: 'other-bytes', step: step.step, path, expected, found };
      }
    }
  }
  const unseen = files.filter((file) => !isProven(file, baseline, mutated));
  if (unseen.length > 0 || files.length === 0) {
    return {
      kind: 'unseen',
      files: unseen.map(({ path }) => ({ path, why: whyOf(path, mutated) })),
      watched: !steps.some((step) => step.loads.some(({ proof: kind }) => kind === 'unwatched')),
    };
  }
  const loads = mutated
    .flatMap((step) => step.loads)
    .filter((load) => isSeen(load) && edited.has(load.path));
  const proof = loads.some((load) => load.proof === 'rebuilt') ? 'rebuilt' : 'compiled';
  return { kind: 'proven', proof, from: loads[0]?.by ?? null };
}

const isSeen = (load: LoadEvidence): boolean =>
  load.proof === 'compiled' || load.proof === 'rebuilt';

const whyOf = (path: string, steps: readonly StepEvidence[]): string | null =>
  steps.flatMap((step) => loadsOf(step, path)).find(({ why }) => why !== undefined)?.why ?? null;

const loadsOf = (step: StepEvidence, path: string): readonly LoadEvidence[] =>
  step.loads.filter((load) => load.path === path);

const seenIn = (step: StepEvidence, path: string): boolean => loadsOf(step, path).some(isSeen);

/** A rebuilt unit may come without a sum; compiled bytes always have one. */
function runsOther({ proof, sha256 }: LoadEvidence, expected: string | null): boolean {
  return proof === 'compiled'
    ? sha256 !== expected
    : proof === 'rebuilt' && sha256 !== null && sha256 !== expected;
}

/** A file that is gone in the mutant cannot be compiled, so only its effect shows that. */
function isProven(
  { path, baseline: before }: FileSums,
  baseline: StepEvidence,
  mutated: readonly StepEvidence[],
): boolean {
  const wasSeen = before === null || seenIn(baseline, path);
  return wasSeen && mutated.some((step) => seenIn(step, path));
}
