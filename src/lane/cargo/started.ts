/** Programs that a test may start: what it does with their output is its own affair. */
import { createFileMemory } from './file-memory.js';
import { readImage } from './image.js';
import type { Artifact } from './messages.js';
import { fileSum } from './sums.js';
import type { StepName } from '../../proof/evidence.js';

/**
 * One for each lane: remembers the last baseline.
 *
 * @returns why a test that gets to the raise need not be seen to; undefined: each is
 */
export function createStartedPrograms(): (
  step: StepName,
  artifacts: readonly Artifact[],
) => Promise<string | undefined> {
  // The sum of the whole file changes with whatever is compiled beside what is linked.
  const sumOf = createFileMemory(async (file) => (await readImage(file)) ?? (await fileSum(file)));
  let before = new Map<string, string | null>();
  return async (step, artifacts) => {
    if (step !== 'baseline' && step !== 'reach') return undefined;
    const sums = await Promise.all(
      artifacts.flatMap(({ test, executable, target }) =>
        test || executable === null
          ? []
          : [sumOf(executable).then((sum) => ({ name: target.name, executable, sum }))],
      ),
    );
    if (step === 'baseline') {
      before = new Map(sums.map(({ executable, sum }) => [executable, sum]));
      return undefined;
    }
    const changed = sums.find(({ executable, sum }) => before.get(executable) !== sum);
    return changed === undefined
      ? undefined
      : `it is built into ${changed.name}, which a test may start without showing what it prints`;
  };
}
