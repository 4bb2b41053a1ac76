import { resolve } from 'node:path';
import { ok, type Result } from '../../result.js';
import type { PytestLane } from '../../spec/model.js';
import type { LaneProblem, LaneRunner } from '../lane.js';
import { createNonce, runProcess } from '../process.js';
import { detectPytest } from './detect.js';
import { createPytestLane } from './lane.js';
import { wrapperEnvironment } from './wrapper-environment.js';

export interface PytestPlace {
  readonly tree: string;
  readonly root: string;
  readonly lane: PytestLane;
  /** Interpreter named on the command line. */
  readonly python: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** Finds the command, interpreter and versions of a pytest lane; runs no test. */
export async function openPytestLane({
  tree,
  root,
  lane,
  python,
  env,
}: PytestPlace): Promise<Result<LaneRunner, LaneProblem>> {
  const request = { tree, root, lane, env };
  const detected = await detectPytest(python === null ? request : { ...request, python });
  if (!detected.ok) return detected;
  const facts = detected.value;
  const { shape } = facts;
  const runner = createPytestLane({
    tree,
    root,
    lane,
    facts,
    runProcess,
    createNonce,
    throughWrapper: (names, environment) =>
      shape.kind === 'wrapper'
        ? wrapperEnvironment(shape.via, names, resolve(root, lane.cwd), environment)
        : {},
    env,
  });
  return ok(runner);
}
