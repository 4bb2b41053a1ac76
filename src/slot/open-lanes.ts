/** The lanes that are open in a slot, and what of each is stale since edits came or went. */
import type { LaneRunner } from '../lane/lane.js';
import type { Breakage } from '../proof/evidence.js';
import type { TestResult } from '../proof/outcome.js';
import type { LaneConfig } from '../spec/model.js';
import type { Workspace } from '../workspace/workspace.js';

export interface OpenLane {
  readonly runner: LaneRunner;
  readonly config: LaneConfig;
  /** That differences are taken against; null: it has yet to be run. */
  baseline: readonly TestResult[] | null;
  /** Written since the lane last ran: its bytecode is stale. */
  readonly stale: Set<string>;
  /** Whether its build was made of what stands now. */
  built: boolean;
  /** A build of the tree without edits lies below all fresh layers. */
  restsOnBuild: boolean;
}

export interface OpenLanes {
  /** @throws Error when no lane of that name is open */
  readonly get: (name: string) => OpenLane;
  readonly all: () => readonly (readonly [name: string, lane: OpenLane])[];
  /** @param stale tree-relative files that a dead predecessor wrote */
  readonly open: (config: LaneConfig, runner: LaneRunner, stale: readonly string[]) => void;
  /** @param base `new`: no earlier build was made with these probe files */
  readonly wrote: (files: readonly { readonly path: string }[], base: 'same' | 'new') => void;
  readonly editsAre: (now: 'standing' | 'gone') => void;
  /**
   * Purges bytecode and builds where something was written since. What a build makes of an edit
   * stands as long as the edit does, and what it makes of the untouched tree lies below all: a
   * fresh layer takes neither away. It is run after a restore all the same, because what it wrote
   * outside the tree (`pip install .`) came of the mutant.
   *
   * @returns why it could not be built; it is tried again, and told of all files anew
   */
  readonly refresh: (lane: OpenLane, signal: AbortSignal) => Promise<readonly Breakage[]>;
}

/** @param workspace the one that is open when a lane is */
export function createOpenLanes(
  workspace: () => Pick<Workspace, 'freeze' | 'isolation'>,
): OpenLanes {
  const lanes = new Map<string, OpenLane>();
  let edits: 'standing' | 'gone' = 'gone';

  return {
    get(name) {
      const lane = lanes.get(name);
      if (lane === undefined)
        throw new Error(`Internal error: lane ${name} is not open in this slot`);
      return lane;
    },

    all: () => [...lanes],

    open(config, runner, stale) {
      lanes.set(config.name, {
        runner,
        config,
        baseline: null,
        stale: new Set(stale),
        // In place the tree is taken as its owner left it, built or not.
        built: workspace().isolation === 'in-place' && stale.length === 0,
        restsOnBuild: false,
      });
    },

    wrote(files, base) {
      if (files.length === 0) return;
      for (const lane of lanes.values()) {
        for (const { path } of files) lane.stale.add(path);
        lane.built = false;
        lane.restsOnBuild &&= base === 'same';
      }
    },

    editsAre(now) {
      edits = now;
    },

    async refresh(lane, signal) {
      if (lane.stale.size > 0) await lane.runner.written([...lane.stale]);
      if (!lane.built && lane.config.build !== null) {
        const breakages = await lane.runner.build(signal);
        if (breakages.length > 0) return breakages;
        if (edits === 'standing' || !lane.restsOnBuild) await workspace().freeze('built');
        lane.restsOnBuild ||= edits === 'gone';
      }
      lane.stale.clear();
      lane.built = true;
      return [];
    },
  };
}
