/** What deciding about changes asks for, and gets. */
import type { Finding } from './finding.js';
import type { Change } from './fix.js';
import type { Need } from './needed-by.js';
import type { LaneScope, Take } from './take-model.js';

export interface Measured {
  readonly take: Take;
  readonly finding: Finding;
}

/** Measurements of sets of changes, which may not be there yet. */
export interface Context {
  readonly source: readonly Change[];
  readonly all: readonly string[];
  readonly lane: LaneScope;
  /** Leaves by an exception where it is not measured yet. */
  readonly measure: (ids: Iterable<string>, lane: LaneScope) => Measured;
  /** null: something is not measured yet. */
  readonly attempt: <T>(work: () => T) => T | null;
  readonly whole: Measured;
  /** Each change by itself. */
  readonly alone: ReadonlyMap<string, Measured>;
  /** What would miss a name if the change were taken back without it. */
  readonly needs: ReadonlyMap<string, readonly Need[]>;
}
