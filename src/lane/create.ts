import { resolve } from 'node:path';
import type { LaneConfig } from '../spec/model.js';
import type { LaneRunner } from './lane.js';
import { runProcess } from './process.js';
import { detectPytest } from './pytest/detect.js';
import { PASSED_THROUGH } from './pytest/environment.js';
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
      const { shape, interpreter, activation, command, versions, from } = detected.value;
      const wrapped =
        shape.kind === 'wrapper'
          ? wrapperEnvironment(shape.via, PASSED_THROUGH, resolve(root, lane.cwd), inherited)
          : {};
      found = createPytestLane({
        tree,
        root,
        lane,
        facts: {
          command,
          kind: shape.kind,
          interpreter: interpreter?.executable ?? null,
          versions,
          from,
        },
        runProcess,
        env: { ...inherited, ...activation, ...wrapped },
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
