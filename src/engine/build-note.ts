/** Notes on disk which lanes' builds may be of a mutant, for whoever comes after a slot in place. */
import { relative } from 'node:path';
import { ok, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import { forgetUnbuilt, noteUnbuilt, type UnbuiltLane } from '../workspace/unbuilt.js';
import type { SlotOrder } from './slot-start.js';

export interface BuildNote {
  /** Before the build of one of these lanes may run while one of these tree-relative files is a mutant. */
  readonly before: (
    lanes: readonly LaneConfig[],
    written: ReadonlySet<string>,
  ) => Promise<Result<void, string>>;
  /** Once these lanes were built on the restored tree. */
  readonly built: (lanes: ReadonlySet<string>) => Promise<void>;
}

/** In an overlay what a build makes goes with its slot, and nothing is noted. */
export function createBuildNote({ tree, root, runId, placement }: SlotOrder): BuildNote {
  let noted = '';

  const noteOf = (lane: LaneConfig, paths: readonly string[]): readonly UnbuiltLane[] =>
    lane.build === null
      ? []
      : [
          {
            lane: lane.name,
            root: relative(tree, root),
            build: typeof lane.build === 'string' ? lane.build : [...lane.build],
            cwd: lane.cwd,
            runId,
            paths: [...paths],
          },
        ];

  return {
    async before(lanes, written) {
      if (placement.kind === 'overlay' || written.size === 0) return ok(undefined);
      const notes = lanes.flatMap((lane) => noteOf(lane, [...written]));
      const text = JSON.stringify(notes);
      if (notes.length === 0 || text === noted) return ok(undefined);
      const done = await noteUnbuilt(tree, notes);
      if (done.ok) noted = text;
      return done;
    },
    async built(built) {
      if (noted !== '') await forgetUnbuilt(tree, { runId, lanes: built });
    },
  };
}
