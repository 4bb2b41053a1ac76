import { resolve } from 'node:path';
import type { LaneConfig } from '../spec/model.js';
import type { LaneRunner } from './lane.js';
import { createNonce, runProcess } from './process.js';
import { detectPytest } from './pytest/detect.js';
import { createPytestLane } from './pytest/lane.js';
import { wrapperEnvironment } from './pytest/wrapper-environment.js';

export interface LaneContext {
  readonly tree: string;
  readonly root: string;
  readonly lane: LaneConfig;
  /** Interpreter named on the command line. */
  readonly python: string | null;
}

/** A lane whose way to run is found out by `describe`, which is to be called first. */
export function createLane({ tree, root, lane, python }: LaneContext): LaneRunner {
  const inherited = inheritedEnvironment();
  let found: LaneRunner | null = null;
  const runner = (): LaneRunner => {
    if (found === null) throw new Error(`Internal error: lane ${lane.name} was not described`);
    return found;
  };
  return {
    async describe() {
      const request = { tree, root, lane, env: inherited };
      const detected = await detectPytest(python === null ? request : { ...request, python });
      if (!detected.ok) return detected;
      const facts = detected.value;
      const { shape } = facts;
      found = createPytestLane({
        tree,
        root,
        lane,
        facts,
        runProcess,
        createNonce,
        throughWrapper: (names, env) =>
          shape.kind === 'wrapper'
            ? wrapperEnvironment(shape.via, names, resolve(root, lane.cwd), env)
            : {},
        env: inherited,
      });
      return found.describe();
    },
    prepare: (signal) => runner().prepare(signal),
    compile: (sources) => runner().compile(sources),
    written: (paths, signal) => runner().written(paths, signal),
    run: (request) => runner().run(request),
    collect: (request) => runner().collect(request),
  };
}

function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
