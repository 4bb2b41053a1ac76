/** What fits into a comment: whole pieces, the most important first, and a count of those left out. */

export interface Piece {
  /**
   * Asked only while there is room, and once: a sweep has thousands of folded blocks, a comment
   * fits twenty. What is longer than the room that is left does not go in.
   */
  readonly text: (room: number) => string;
  /** Its length is at least this, without asking. */
  readonly floor: number;
  /** Lower goes in first. */
  readonly rank: number;
  /** What is counted when it is left out: `details of pinned mutations`. */
  readonly kind: string;
}

export interface Fitted {
  /** Texts of the pieces that fit. */
  readonly kept: ReadonlyMap<Piece, string>;
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
  const kept = new Map<Piece, string>();
  const dropped = new Map<string, number>();
  let size = 0;
  // toSorted is stable: pieces of one rank go in as they were given.
  for (const piece of pieces.toSorted((a, b) => a.rank - b.rank)) {
    const left = limit - size - 2;
    const text = piece.floor <= left ? piece.text(left) : null;
    if (text !== null && text.length <= left) {
      kept.set(piece, text);
      size += text.length + 2;
    } else {
      dropped.set(piece.kind, (dropped.get(piece.kind) ?? 0) + 1);
    }
  }
  return { kept, size, dropped };
}
