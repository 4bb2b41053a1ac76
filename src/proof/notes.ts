/** Remarks on a proof that change no verdict: order, executables, failures by a name alone. */
import type { Facts, LaneFacts } from './facts.js';
import { viewStep } from './moves.js';
import { isRed } from './outcome.js';
import { ownNameNote } from './own-name.js';

/** A sentence each. */
export function notesOf(facts: Facts): readonly string[] {
  const { own, outside } = facts;
  const orders = [own, ...outside.map((each) => each.facts)].flatMap((lane) => {
    if (lane === null) return [];
    const { restoring } = lane;
    const notes: string[] = [];
    const alone = steadyOnlyTogether(lane);
    if (alone.length > 0)
      notes.push(
        `Order-dependent: ${first(alone)} did not move when run with few others under the mutation; with all of them it did so again.`,
      );
    if (restoring.kind === 'order-dependent')
      notes.push(
        `Order-dependent: ${first(restoring.tests)} differed when run with few others on the restored tree; the whole lane was as in the baseline.`,
      );
    return notes;
  });
  return [...nameNotes(facts), ...orders, ...executableNotes(facts)];
}

function nameNotes({ own, evidence }: Facts): readonly string[] {
  const red = (own?.moves ?? []).filter(({ to }) => isRed(to));
  const note = ownNameNote(red, evidence.patch, evidence.mutation.edits);
  return note === null ? [] : [note];
}

/** What the sums of test executables add to their outcomes. */
function executableNotes({ own, steady }: Facts): readonly string[] {
  const mutated = own?.mutatedStep?.executables;
  const restored = own?.restoredStep?.executables;
  const notes: string[] = [];
  if (mutated !== undefined && mutated.sums.length === 0) {
    notes.push(
      steady.length === 0
        ? 'No test executable changed: nothing that is linked into one uses these bytes.'
        : 'No test executable changed: the tests meet these bytes only when they run.',
    );
  }
  if (restored !== undefined && restored.sums.length > 0) {
    const ids = restored.sums.map(({ id }) => id);
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
    notes.push(
      `Built again from the restored files, ${ids.slice(0, 3).join(', ')}${more} differed byte for byte from the baseline's: the build is not reproducible.`,
    );
  }
  return notes;
}

const first = ([test, ...more]: readonly string[]): string =>
  more.length > 0 ? `${test} and ${more.length} more` : `${test}`;

/** Tests that a narrow second run told otherwise, while the one with all tests told them again. */
function steadyOnlyTogether({ steps, baseline, moves, unsteady }: LaneFacts): readonly string[] {
  const { mutatedAgain: narrow, mutatedOnceMore } = steps;
  if (narrow === null || mutatedOnceMore === null || narrow.scope === 'lane') return [];
  const { resultOf } = viewStep(baseline, narrow);
  const asked = new Set(narrow.scope);
  return moves
    .filter(({ test, to }) => asked.has(test) && resultOf(test)?.outcome !== to)
    .map(({ test }) => test)
    .filter((test) => !unsteady.has(test));
}
