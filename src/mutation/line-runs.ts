/** Runs of lines that differ between two lists. */
import { diffArrays } from 'diff';
import type { Difference } from './difference.js';

/** @returns in their order, 0-based, neighbours never touching; null: it takes too long */
export function lineRuns(
  before: string[],
  after: string[],
  timeoutMs: number,
): readonly Difference[] | null {
  const changes = diffArrays(before, after, { timeout: timeoutMs });
  if (changes === undefined) return null;
  const runs: Difference[] = [];
  let [line, there] = [0, 0];
  let isOpen = false;
  for (const { count, added, removed } of changes) {
    const start = { before: { from: line, to: line }, after: { from: there, to: there } };
    const last = isOpen ? (runs.pop() ?? start) : start;
    if (!added) line += count;
    if (!removed) there += count;
    isOpen = added || removed;
    if (isOpen)
      runs.push({
        before: { from: last.before.from, to: line },
        after: { from: last.after.from, to: there },
      });
    else if (last !== start) runs.push(last);
  }
  return runs;
}
