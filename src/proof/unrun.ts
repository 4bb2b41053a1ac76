import type { ProofEvidence, Unrun } from './evidence.js';

/** Tests that may notice the mutation, and that its lane does not run, each once. */
export function unrunOf({ files, baseline, mutated }: ProofEvidence): readonly Unrun[] {
  const edited = new Set(files.map(({ path }) => path));
  const found = [baseline, mutated]
    .flatMap((step) => step?.loads ?? [])
    .filter(({ path }) => edited.has(path))
    .flatMap(({ unrun = [] }) => unrun);
  return [...new Map(found.map((each) => [each.tests, each])).values()];
}
