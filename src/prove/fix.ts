/** The vocabulary of a fix: its changes, each of one or several parts. */
import type { Part } from '../mutation/file-change.js';
import type { ChangeClass } from './classify.js';

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
export const lineOf = ({ parts: [first] }: Change): number | null => lineIn(first);

const lineIn = (part: Part | undefined): number | null =>
  part?.kind === 'lines' ? (part.now ?? part.fresh).from + 1 : null;

/** Where the other parts of a change lie, as `file:line`: lines that moved have two places. */
export const otherPlacesOf = ({ parts: [, ...others] }: Change): readonly string[] =>
  others.map((part) => {
    const line = lineIn(part);
    return line === null ? part.file.path : `${part.file.path}:${line}`;
  });

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
