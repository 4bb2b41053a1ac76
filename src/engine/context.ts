import type { RunEvent } from '../record/events.js';
import type { LocateContext } from '../mutation/locate.js';
import type { LaneConfig } from '../spec/model.js';
import type { Budget } from './budget.js';
import type { LogKeeper } from './log-keeper.js';
import type { LeftoverWatch } from './leftovers.js';
import type { Quiet } from './quiet.js';
import type { SlotKeeper } from './slot-keeper.js';
import type { SlotPool } from './slot-pool.js';
import type { TreeGuard } from './tree-guard.js';
import type { WarmDoubt } from './warm-doubt.js';

export interface EngineSettings {
  /** After a mutation run again what moved, or the whole lane. */
  readonly verify: 'moved' | 'full';
  /** Run each lane whole once more before it ends. */
  readonly closing: boolean;
  /** How often the baseline is run, at least 1. */
  readonly baselineRuns: number;
  /** Say each move while its step still runs, also where rounds decide what is measured. */
  readonly tellMoves: boolean;
  /** Stop at the first mutation that is not proven. */
  readonly failFast: boolean;
  /** Take no mutation up that would end later; null: take as long as it takes. */
  readonly budget: { readonly text: string; readonly ms: number } | null;
}

/** What every part of a run shares. */
export interface RunContext {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  readonly root: string;
  readonly git: LocateContext['git'];
  readonly pool: SlotPool;
  /** Where edits land, and with them what the lane writes. */
  readonly isolation: SlotKeeper['isolation'];
  readonly jobs: Jobs;
  readonly quiet: Quiet;
  readonly guard: TreeGuard;
  /** Sees what runs leave in the tree, where edits land in it too. */
  readonly leftoversInPlace: LeftoverWatch;
  readonly lanes: ReadonlyMap<string, LaneConfig>;
  readonly settings: EngineSettings;
  readonly emit: (event: RunEvent) => void;
  readonly logs: LogKeeper;
  readonly stop: StopFlag;
  readonly budget: Budget;
  /** Moves that were told as they came, by test and outcome; null: a sweep tells none. */
  readonly told: Set<string> | null;
  /** ISO date against which `accept.until` is read. */
  readonly today: string;
}

/** How many slots a run may have. */
export interface Jobs {
  readonly jobs: number;
  /** Nobody asked for a number: a lane has as many as it says itself. */
  readonly isAuto: boolean;
}

/** What a part of a run shares that works in one slot. */
export interface SlotContext extends RunContext {
  readonly slot: SlotKeeper;
  /** How many work at the same time. */
  readonly slots: number;
  readonly leftovers: LeftoverWatch;
  /** Absent: nothing is measured in the lane yet. */
  readonly warmDoubt?: WarmDoubt;
}

/** Why no further mutation is taken up; the first reason stands. */
export interface StopFlag {
  readonly reason: () => string | null;
  readonly set: (reason: string) => void;
}

export function createStopFlag(): StopFlag {
  let first: string | null = null;
  return {
    reason: () => first,
    set(reason) {
      first ??= reason;
    },
  };
}
