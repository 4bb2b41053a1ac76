import type { LaneConfig } from '../spec/model.js';
import type { LaneRunner } from './lane.js';
import { runProcess } from './process.js';
import { detectPytest } from './pytest/detect.js';
import { createPytestLane } from './pytest/lane.js';

export interface LaneContext {
  readonly tree: string;
  readonly root: string;
  readonly lane: LaneConfig;
  /** Interpreter named on the command line. */
  readonly python: string | null;
}

/** A lane whose way to run is found out by `describe`, which is to be called first. */
export function createLane({ tree, root, lane, python }: LaneContext): LaneRunner {
  const env = inheritedEnvironment();
  let found: LaneRunner | null = null;
  const runner = (): LaneRunner => {
    if (found === null) throw new Error(`Internal error: lane ${lane.name} was not described`);
    return found;
  };
  return {
    async describe() {
      const facts = await detectPytest({ tree, root, lane, python, env });
      if (!facts.ok) return facts;
      found = createPytestLane({ tree, root, lane, facts: facts.value, runProcess, env });
      return found.describe();
    },
    prepare: (signal) => runner().prepare(signal),
    compile: (sources) => runner().compile(sources),
    written: (paths, signal) => runner().written(paths, signal),
    run: (request) => runner().run(request),
  };
}

function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
