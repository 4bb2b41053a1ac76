/** A file that was read as data, whatever its language: the value, and the place of every part. */
import type { Source, Span } from './source.js';
import type { Diagnostic } from './model.js';

export type Path = readonly PropertyKey[];

export interface Written {
  readonly source: Source;
  /** Plain data; still to be validated. */
  readonly value: unknown;
  /**
   * The span of the value at a path, or of its key. Where the path leads nowhere: the span of
   * the nearest part above it.
   */
  readonly spanOf: (path: Path, part?: 'key' | 'value') => Span;
  /** Faults found on the way; what they concern is absent from `value` or stands in for it. */
  readonly faults: readonly Diagnostic[];
  /** Whether this path, or one above it, already has a fault: it needs no second one. */
  readonly isFaulty: (path: Path) => boolean;
}

/** Keys that Counterproof never reads: notes and anchors of the people who write the file. */
export const isExtensionKey = (key: string): boolean => key.startsWith('x-');

/** One text for a path, to be used as a key. */
export const pathKey = (path: Path): string => path.map(String).join('\0');

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}
