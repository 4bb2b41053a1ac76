/** The vocabulary of a fix: its files in three states, and what changed in them. */
import type { ChangeClass } from './classify.js';

/** 0-based lines, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A file of the range. Paths are relative to the tree. */
export interface FixFile {
  /** Where it is after the fix; where it was, for one that the fix deletes. */
  readonly path: string;
  /** Where it was before; null: the fix made it. */
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
      readonly file: FixFile;
      readonly old: Span;
      readonly fresh: Span;
      /** Where the fresh lines stand on disk; null: they cannot be found there again. */
      readonly now: Span | null;
    }
  | {
      readonly kind: 'created' | 'deleted' | 'renamed' | 'replaced';
      readonly file: FixFile;
      /** Whether the file on disk is what the fix made of it, so that it can be taken back. */
      readonly isThere: boolean;
    };

/** The smallest thing that is taken back: a maximal run of changed lines, or lines that moved. */
export interface Change {
  /** `1`, `2`, … for source; `s1`, `t1`, `o1` for the other classes. */
  readonly id: string;
  readonly parts: readonly Part[];
  readonly class: ChangeClass;
  /** Why it has that class. */
  readonly why: string;
  /** Function or class that it lies in; null: at module level, or not known. */
  readonly scope: string | null;
  /** Why it cannot be taken back in the tree as it lies; null: it can. */
  readonly obstacle: string | null;
}

export const pathOf = (change: Change): string => change.parts[0]?.file.path ?? '';

/** 1-based line on disk at which the change begins; null for a whole file. */
export function lineOf({ parts: [first] }: Change): number | null {
  if (first?.kind !== 'lines') return null;
  return (first.now ?? first.fresh).from + 1;
}

/** How many lines the fix added and removed. */
export function sizeOf(change: Change): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const part of change.parts) {
    if (part.kind === 'lines') {
      added += part.fresh.to - part.fresh.from;
      removed += part.old.to - part.old.from;
    } else if (part.kind === 'created') added += linesIn(part.file.after);
    else if (part.kind === 'deleted') removed += linesIn(part.file.before);
  }
  return { added, removed };
}

function linesIn(bytes: Buffer | null): number {
  if (bytes === null || bytes.length === 0 || bytes.includes(0)) return 0;
  let count = bytes.at(-1) === 0x0a ? 0 : 1;
  for (const byte of bytes) if (byte === 0x0a) count += 1;
  return count;
}
