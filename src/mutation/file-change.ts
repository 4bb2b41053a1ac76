/** What a change did to one file: its states around the change and on disk, and what differs. */

/** 0-based lines, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A file that was changed. Paths are relative to the tree. */
export interface FileStates {
  /** Where it is after the change; where it was, for one that the change deletes. */
  readonly path: string;
  /** Where it was before; null: the change made it. */
  readonly oldPath: string | null;
  /** null: it did not exist, or is no regular file. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** As it lies on disk. The same as `after`, unless somebody changed it since. */
  readonly now: Buffer | null;
}

/** One run of changed lines, or what happened to a file as a whole. */
export type Part =
  | {
      readonly kind: 'lines';
      readonly file: FileStates;
      readonly old: Span;
      readonly fresh: Span;
      /** Where the fresh lines stand on disk; null: they cannot be found there again. */
      readonly now: Span | null;
    }
  | {
      readonly kind: 'created' | 'deleted' | 'renamed' | 'replaced';
      readonly file: FileStates;
      /** Whether the file on disk is what the change made of it, so that it can be taken back. */
      readonly isThere: boolean;
    };
