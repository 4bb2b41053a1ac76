import { unreachable, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import type { LaneProblem, LaneRunner } from './lane.js';

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
    purge: (paths) => runner().purge?.(paths),
    run: (request) => runner().run(request),
    collect: (request) => runner().collect(request),
    close: async () => found?.close?.(),
  };
}

/** Loaded by need: each kind of lane has libraries of its own, and a slot starts without them. */
async function open(context: LaneContext): Promise<Result<LaneRunner, LaneProblem>> {
  const { tree, root, lane, python } = context;
  const env = inheritedEnvironment();
  switch (lane.runner) {
    case 'pytest':
      return (await import('./pytest/open.js')).openPytestLane({ tree, root, lane, python, env });
    case 'cargo':
      return (await import('./cargo/open.js')).openCargoLane({
        tree,
        root,
        lane,
        env,
        slot: context.slot ?? 0,
      });
    case 'junit':
      return (await import('./junit/open.js')).openJunitLane({ tree, root, lane, env });
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
