/** `*` in a selector: any run of characters. */

/** Whether a name may end at this place of an id, so that the id continues it. */
export type EndsAt = (id: string, at: number) => boolean;

/** Walks the pieces between the stars: no backtracking, so no pattern is slow. */
export function matchesPattern(pattern: string, id: string, endsAt: EndsAt): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = id.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (id.length - last.length >= at && id.endsWith(last)) return true;
  for (let found = id.indexOf(last, at); found !== -1; found = id.indexOf(last, found + 1))
    if (endsAt(id, found + last.length)) return true;
  return false;
}
