import { unreachable, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import { openCargoLane } from './cargo/open.js';
import type { LaneProblem, LaneRunner } from './lane.js';
import { openJunitLane } from './junit/open.js';
import { openPytestLane } from './pytest/open.js';

export interface LaneContext {
  readonly tree: string;
  readonly root: string;
  readonly lane: LaneConfig;
  /** Interpreter named on the command line. */
  readonly python: string | null;
  /** Which of the run's slots this lane belongs to; absent: there is but one. */
  readonly slot?: number;
}

/** A lane whose way to run is found out by `describe`, which is to be called first. */
export function createLane(context: LaneContext): LaneRunner {
  let found: LaneRunner | null = null;
  const runner = (): LaneRunner => {
    if (found === null)
      throw new Error(`Internal error: lane ${context.lane.name} was not described`);
    return found;
  };
  return {
    async describe() {
      const opened = await open(context);
      if (!opened.ok) return opened;
      found = opened.value;
      return found.describe();
    },
    prepare: (signal) => runner().prepare(signal),
    compile: (sources) => runner().compile(sources),
    written: (paths) => runner().written(paths),
    build: (signal) => runner().build(signal),
    run: (request) => runner().run(request),
    collect: (request) => runner().collect(request),
    close: async () => found?.close?.(),
  };
}

async function open(context: LaneContext): Promise<Result<LaneRunner, LaneProblem>> {
  const { tree, root, lane, python } = context;
  const env = inheritedEnvironment();
  switch (lane.runner) {
    case 'pytest':
      return openPytestLane({ tree, root, lane, python, env });
    case 'cargo':
      return openCargoLane({ tree, root, lane, env, slot: context.slot ?? 0 });
    case 'junit':
      return openJunitLane({ tree, root, lane, env });
    default:
      return unreachable(lane);
  }
}

function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
