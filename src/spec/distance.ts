/** Which of some words was probably meant. */

/** More candidates than this are not compared: a suggestion is not worth seconds. */
const MAX_CANDIDATES = 20_000;

/**
 * The candidates that lie nearest to a word, best first. A candidate counts when at most a third
 * of the longer word differs, or when one of both contains the other.
 */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): readonly string[] {
  const wanted = word.toLowerCase();
  const found: { readonly text: string; readonly cost: number }[] = [];
  let seen = 0;
  for (const text of candidates) {
    if ((seen += 1) > MAX_CANDIDATES) break;
    const other = text.toLowerCase();
    const longer = Math.max(wanted.length, other.length);
    const allowed = Math.max(1, Math.floor(longer / 3));
    const contains =
      Math.min(wanted.length, other.length) >= 3 &&
      (other.includes(wanted) || wanted.includes(other));
    const cost = contains
      ? Math.min(allowed, Math.abs(wanted.length - other.length))
      : editDistance(wanted, other, allowed);
    if (cost <= allowed) found.push({ text, cost });
  }
  return found
    .toSorted((a, b) => a.cost - b.cost || (a.text < b.text ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.text);
}

/** `did you mean …?`, or null where nothing is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | null {
  const [first, second, third] = nearest(word, candidates);
  if (first === undefined) return null;
  const rest = [second, third]
    .filter((text) => text !== undefined)
    .map((text) => ` or \`${text}\``);
  return `Did you mean \`${first}\`${rest.join('')}?`;
}

/**
 * Insertions, deletions, changes and swaps of neighbours that lead from one text to the other.
 * @returns the distance, or `most + 1` where it is larger than `most`
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > most) return most + 1;
    before = previous;
    previous = current;
  }
  return Math.min(previous[b.length] ?? 0, most + 1);
}
