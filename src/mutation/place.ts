/** Where lines that a change made stand in the file as it lies on disk: by their content alone. */
import type { Span } from './file-change.js';
import { lineIs, contentOf, splitLines, type Lines } from './lines.js';

/** Lines of context that a place must share, as far as the file has them. */
const CONTEXT = 3;
const LEAST_CONTEXT = 1;

/** What was found for a span: the one place, or why there is none. */
export type FoundSpan =
  | { readonly kind: 'found'; readonly span: Span }
  | { readonly kind: 'nowhere' }
  /** 0-based lines at which it could begin, at least two. */
  | { readonly kind: 'several'; readonly starts: readonly number[] }
  /** It begins before the one above it ends; 0-based line. */
  | { readonly kind: 'meets'; readonly start: number };

/**
 * Finds each span of `after` in `now`, in order. A file that is the same has them where they
 * were. In another one, the lines with their context must stand in exactly one place: context
 * grows until they do, and shrinks to one line where what is around them was changed since.
 */
export function findSpans(
  after: Buffer,
  now: Buffer,
  spans: readonly Span[],
): readonly FoundSpan[] {
  if (after.equals(now)) return spans.map((span) => ({ kind: 'found', span }));
  const [fixed, current] = [splitLines(after), splitLines(now)];
  let end = 0;
  return spans.map((span) => {
    const [start, ...others] = startsOf(fixed, current, span);
    if (start === undefined) return { kind: 'nowhere' };
    if (others.length > 0) return { kind: 'several', starts: [start, ...others] };
    if (start < end) return { kind: 'meets', start };
    end = start + (span.to - span.from);
    return { kind: 'found', span: { from: start, to: end } };
  });
}

/** As `findSpans`; null for a span that is not found, stands in several places, or meets another. */
export const placeSpans = (
  after: Buffer,
  now: Buffer,
  spans: readonly Span[],
): readonly (Span | null)[] =>
  findSpans(after, now, spans).map((found) => (found.kind === 'found' ? found.span : null));

function startsOf(after: Lines, now: Lines, span: Span): readonly number[] {
  const most = Math.max(span.from, after.count - span.to, CONTEXT);
  let wider: readonly number[] = [];
  for (let context = CONTEXT; ; context = Math.min(context * 2, most)) {
    const places = placesWith(after, now, span, context);
    if (places.length === 1) return places;
    // More context fits nowhere: none of the places that fitted less of it is the one.
    if (places.length === 0) return context === CONTEXT ? withLess(after, now, span) : wider;
    if (context >= most) return places;
    wider = places;
  }
}

function withLess(after: Lines, now: Lines, span: Span): readonly number[] {
  for (let context = CONTEXT - 1; context >= LEAST_CONTEXT; context -= 1) {
    const places = placesWith(after, now, span, context);
    if (places.length > 0) return places;
  }
  return [];
}

/** Places at which the span itself would begin. */
function placesWith(after: Lines, now: Lines, span: Span, context: number): readonly number[] {
  const top = Math.max(0, span.from - context);
  const bottom = Math.min(after.count, span.to + context);
  const wanted = Array.from({ length: bottom - top }, (_, offset) =>
    contentOf(after, top + offset),
  );
  const places: number[] = [];
  // An empty file says of no line where it was.
  if (wanted.length === 0) return places;
  for (let start = 0; start + wanted.length <= now.count; start += 1) {
    if (wanted.every((line, offset) => lineIs(now, start + offset, line)))
      places.push(start + (span.from - top));
  }
  return places;
}
