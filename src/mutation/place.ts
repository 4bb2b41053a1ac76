/** Where lines that a change made stand in the file as it lies on disk: by their content alone. */
import type { Span } from './file-change.js';
import { lineIs, contentOf, splitLines, type Lines } from './lines.js';

/** Lines of context that a place must share, as far as the file has them. */
const CONTEXT = 3;
const LEAST_CONTEXT = 1;

/**
 * Finds each span of `after` in `now`, in order. A file that is the same has them where they
 * were. In another one, the lines with their context must stand in exactly one place: context
 * grows until they do, and shrinks to one line where what is around them was changed since.
 *
 * @returns null for a span that is not found, stands in several places, or meets another
 */
export function placeSpans(
  after: Buffer,
  now: Buffer,
  spans: readonly Span[],
): readonly (Span | null)[] {
  if (after.equals(now)) return spans;
  const [fixed, current] = [splitLines(after), splitLines(now)];
  let end = 0;
  return spans.map((span) => {
    const start = placeOf(fixed, current, span);
    if (start === null || start < end) return null;
    end = start + (span.to - span.from);
    return { from: start, to: end };
  });
}

function placeOf(after: Lines, now: Lines, span: Span): number | null {
  const most = Math.max(span.from, after.count - span.to, CONTEXT);
  for (let context = CONTEXT; ; context = Math.min(context * 2, most)) {
    const places = placesWith(after, now, span, context);
    if (places.length === 1) return places[0] ?? null;
    if (places.length === 0) return context === CONTEXT ? withLess(after, now, span) : null;
    if (context >= most) return null;
  }
}

function withLess(after: Lines, now: Lines, span: Span): number | null {
  for (let context = CONTEXT - 1; context >= LEAST_CONTEXT; context -= 1) {
    const places = placesWith(after, now, span, context);
    if (places.length > 0) return places.length === 1 ? (places[0] ?? null) : null;
  }
  return null;
}

/** Places at which the span itself would begin. */
function placesWith(after: Lines, now: Lines, span: Span, context: number): readonly number[] {
  const top = Math.max(0, span.from - context);
  const bottom = Math.min(after.count, span.to + context);
  const wanted = Array.from({ length: bottom - top }, (_, offset) =>
    contentOf(after, top + offset),
  );
  const places: number[] = [];
  for (let start = 0; start + wanted.length <= now.count; start += 1) {
    if (wanted.every((line, offset) => lineIs(now, start + offset, line)))
      places.push(start + (span.from - top));
  }
  return places;
}
