/** Where edits land. The one rule above all: the user's tree always comes back. */
import type { Edit } from '../mutation/edit.js';
import type { Result } from '../result.js';

export interface AppliedFile {
  readonly path: string;
  /** SHA-256 read back from disk before the write; null: absent. */
  readonly baseline: string | null;
  /** SHA-256 read back from disk after the write; null: absent. */
  readonly mutated: string | null;
}

/** Nothing was left changed when this is returned, except as `undone` says. */
export interface ApplyProblem {
  readonly path: string;
  readonly why: string;
  /**
   * Only where edits that had landed were taken back and this was not plain: somebody's work was
   * kept, or (critical) a file did not come back; then `restore` tries again.
   */
  readonly undone?: Exclude<RestoreOutcome, { readonly kind: 'restored' }>;
}

export interface KeptWork {
  /** Tree-relative path whose bytes were neither the mutant's nor the original's. */
  readonly path: string;
  /** Absolute path under which those bytes are kept. */
  readonly keptAs: string;
}

export type RestoreOutcome =
  | {
      readonly kind: 'restored';
      readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
    }
  /** Somebody wrote into a mutated file: their bytes are kept, the original is back, the run stops. */
  | {
      readonly kind: 'kept';
      readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
      readonly kept: readonly KeptWork[];
    }
  /**
   * Nothing of ours was in the user's files, and they are not what they were: somebody wrote
   * into the tree below the overlay, and what was measured may have been a mixture.
   */
  | {
      readonly kind: 'changed';
      readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
      readonly changed: readonly string[];
    }
  /** Critical: a file of the user's is not what it was. The journal stays for `recover`. */
  | {
      readonly kind: 'failed';
      readonly path: string;
      readonly why: string;
      readonly original: string;
    };

export interface Workspace {
  readonly isolation: 'in-place' | 'overlay';
  /**
   * Journals, then writes every edit, then reads every sum back. Refuses when a file on disk
   * is not `before`. Only one set of edits is in place at a time.
   */
  apply(
    label: string,
    edits: readonly Edit[],
  ): Promise<Result<readonly AppliedFile[], ApplyProblem>>;
  /** Looks first, restores, verifies bytes and mode. Harmless when nothing is applied. */
  restore(): Promise<RestoreOutcome>;
  /**
   * Probe files: created for a while, removed by `unplace`. Journalled like edits, refuses to
   * overwrite. Stands beside any set of edits.
   */
  place(
    files: readonly { readonly path: string; readonly content: Buffer }[],
  ): Promise<Result<void, ApplyProblem>>;
  unplace(): Promise<RestoreOutcome>;
  /**
   * To be called before each run: what earlier runs wrote is gone, what stands is as it was put
   * there. Gives whether anything was dropped; in place nothing is.
   */
  fresh(): Promise<boolean>;
  /**
   * To be called after `fresh` and all that prepares a run, and before it: where the run leaves
   * the tree as it is now, the next `fresh` has nothing to drop.
   */
  settled(): Promise<void>;
  /**
   * To be called before any test has run since `fresh`: no further one drops what was written
   * since. What is made while edits stand goes with them; else what a lane's `prepare` made stays
   * for good, and what its build made as long as the probe files that it was made of. In place
   * everything stays anyway.
   */
  freeze(made: 'prepared' | 'built'): Promise<void>;
  /** Tree-relative files that runs wrote, rewrote or removed since `fresh`; in place none is known. */
  written(): Promise<readonly string[]>;
  /** What is not quite as one may think, in whole sentences; grows. Paths are tree-relative. */
  notes(): readonly string[];
  /** SHA-256 of these tree-relative paths as they are on disk now; null: absent. */
  sums(paths: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}
