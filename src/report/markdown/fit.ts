/** What fits into a comment: whole pieces, the most important first, and a count of those left out. */

export interface Piece {
  readonly text: string;
  /** Lower goes in first. */
  readonly rank: number;
  /** What is counted when it is left out: `details of pinned mutations`. */
  readonly kind: string;
}

export interface Fitted {
  /** The pieces that fit, in the order in which they were given. */
  readonly kept: readonly Piece[];
  /** UTF-16 units that they take, line breaks included. */
  readonly size: number;
  /** Kind to number of pieces left out, in the order of their ranks. */
  readonly dropped: ReadonlyMap<string, number>;
}

/**
 * Takes pieces by rank while they fit into `limit` UTF-16 units, each with two more for the line
 * breaks around it. A piece that is too long is left out whole; a later, shorter one may still go in.
 */
export function fit(pieces: readonly Piece[], limit: number): Fitted {
  const byRank = pieces
    .map((piece, index) => ({ piece, index }))
    .toSorted((a, b) => a.piece.rank - b.piece.rank || a.index - b.index);
  const kept = new Set<Piece>();
  const dropped = new Map<string, number>();
  let used = 0;
  for (const { piece } of byRank) {
    const size = piece.text.length + 2;
    if (used + size <= limit) {
      used += size;
      kept.add(piece);
    } else {
      dropped.set(piece.kind, (dropped.get(piece.kind) ?? 0) + 1);
    }
  }
  return { kept: pieces.filter((piece) => kept.has(piece)), size: used, dropped };
}
