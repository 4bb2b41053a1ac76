/** What a mutation becomes once located in the tree: exact bytes before and after, nothing fuzzy left. */
export interface Edit {
  /** Tree-relative, with forward slashes, symlinks resolved. */
  readonly path: string;
  /** The file's bytes now; null: it does not exist (`create`). */
  readonly before: Buffer | null;
  /** The mutant's bytes; null: the file goes away (`delete`). */
  readonly after: Buffer | null;
}

/** An edit in its context, for people: where it lies and what it takes away. */
export interface LocatedEdit extends Edit {
  /** 1-based first line of the change in `before` (0 for a created file). */
  readonly line: number;
  /** `EngineClient.pause`, where the edit lies in a function; null at module level or unknown. */
  readonly scope: string | null;
  /** Unified diff with headers, as applied; text lossy where the file is not UTF-8. */
  readonly patch: string;
}

/** Why an edit did not land. Never a verdict about the tests. */
export type NotApplied =
  | { readonly kind: 'no-file'; readonly path: string }
  | { readonly kind: 'exists'; readonly path: string }
  | {
      readonly kind: 'no-match';
      readonly path: string;
      readonly what: string;
      readonly nearest: Nearest | null;
      /** What to do, where it is not what is said of every edit. */
      readonly next?: string;
    }
  | {
      readonly kind: 'ambiguous';
      readonly path: string;
      readonly what: string;
      readonly expected: number;
      /** 1-based line of every place where it fits. */
      readonly lines: readonly number[];
      readonly next?: string;
    }
  | {
      readonly kind: 'no-change';
      readonly path: string;
      readonly what: string;
      /** Why it changes nothing, where that is not plain; a clause. */
      readonly why?: string;
      readonly next?: string;
    }
  | { readonly kind: 'no-revision'; readonly rev: string; readonly hint: string }
  /** A commit that is here has not what is asked of it. */
  | {
      readonly kind: 'not-in-commit';
      readonly rev: string;
      readonly why: string;
      readonly facts: readonly string[];
      readonly next: string;
    }
  /** The edit as it is written cannot be made. */
  | { readonly kind: 'refused'; readonly path: string; readonly why: string }
  /** The edit fits, but its file must not or cannot be written. */
  | { readonly kind: 'unwritable'; readonly path: string; readonly why: string };

/** Where the anchor almost fits: the first line that differs there. */
export interface Nearest {
  readonly line: number;
  readonly expected: string;
  readonly found: string;
}
