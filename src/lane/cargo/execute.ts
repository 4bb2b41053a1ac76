/** Runs the test executables of a lane, one after another, and folds what they say. */
import type { Collection } from '../lane.js';
import type { Processes } from './attempt.js';
import { collectStep, nothingCollected } from './collect-step.js';
import { nothingRun, runStep, type ExecutedRun } from './run-step.js';
import { beginStep, type ExecuteRequest, type ListMemory } from './step.js';

export type { ExecutedRun } from './run-step.js';
export type { ExecuteRequest } from './step.js';

export interface BinaryRunner {
  /** Runs what `scope` and `without` leave of the lane's tests. Never throws over what a test did. */
  readonly run: (request: ExecuteRequest) => Promise<ExecutedRun>;
  /** Lists the tests that `run` would run, and runs none. */
  readonly collect: (request: ExecuteRequest) => Promise<Collection>;
}

/** One for each lane: it remembers what each executable lists, by the sum of its bytes. */
export function createBinaryRunner(processes: Processes): BinaryRunner {
  const lists: ListMemory = new Map();
  return {
    async run(request) {
      const step = await beginStep(request, processes, lists);
      if (!step.ok) return nothingRun(step.error);
      const run = await runStep(step.value);
      await step.value.log.write();
      return run;
    },
    async collect(request) {
      const step = await beginStep(request, processes, lists);
      if (!step.ok) return nothingCollected(step.error);
      const collection = await collectStep(step.value);
      await step.value.log.write();
      return collection;
    },
  };
}
