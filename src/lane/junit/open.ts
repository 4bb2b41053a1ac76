import { basename, resolve } from 'node:path';
import { err, ok, type Result } from '../../result.js';
import type { JunitLane } from '../../spec/model.js';
import type { LaneProblem, LaneRunner } from '../lane.js';
import { createNonce, runProcess } from '../process.js';
import { findExecutable } from '../process/start-failure.js';
import { hashSeed } from '../hash-seed.js';
import { createJunitLane } from './lane.js';
import { versionsOf } from './versions.js';

export interface JunitPlace {
  readonly tree: string;
  readonly root: string;
  readonly lane: JunitLane;
  readonly env: Readonly<Record<string, string>>;
}

/** Finds the command of a junit lane, and what can be known of its version; runs no test. */
export async function openJunitLane({
  tree,
  root,
  lane,
  env,
}: JunitPlace): Promise<Result<LaneRunner, LaneProblem>> {
  const cwd = resolve(root, lane.cwd);
  const outer = { ...env, ...lane.env };
  const [name = ''] = lane.command;
  const found = findExecutable(name, { cwd, env: outer });
  if (found.kind !== 'executable') {
    const why =
      found.kind === 'absent'
        ? `was not found${name.includes('/') ? '' : ' in PATH'}`
        : 'may not be executed';
    return err({
      message: `\`${name}\`, the command of lane ${lane.name}, ${why}.`,
      hint: 'Give it as a list of words; what a shell would read goes through sh: ["sh", "-c", "…"].',
    });
  }
  const description = {
    command: [...lane.command, ...lane.args],
    from: lane.where === null ? 'the configuration' : basename(lane.where.file),
    versions: await versionsOf(lane.command, { tool: found.path, cwd, env: outer }),
    tool: found.path,
    seeds: { PYTHONHASHSEED: hashSeed(outer['PYTHONHASHSEED']) },
  };
  return ok(createJunitLane({ tree, root, lane, description, runProcess, createNonce, env }));
}
