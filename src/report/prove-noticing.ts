/** Which tests notice what `prove` took back: those of the range, others, and those by a name alone. */
import { missingName } from '../proof/missing-name.js';
import { isRed } from '../proof/outcome.js';
import type { ProofRecord } from '../record/schema.js';
import { brokenBy } from './prove-breaks.js';
import type { ProveView } from './prove-wording.js';
import { plural } from './text.js';
import { movesOf } from './wording.js';

export interface Noticing {
  /** New and changed tests that went red, and how many there are. */
  readonly fresh: number;
  readonly freshTotal: number;
  /** Other tests that went red. */
  readonly others: number;
}

/** Which of the tests that notice are those of the range. */
export function noticing(view: ProveView, noticed: readonly string[]): Noticing {
  const owners = noticed.map((test) => ownerOf(view, test));
  return {
    fresh: new Set(owners.filter((name) => name !== undefined)).size,
    freshTotal: view.prove.tests.length,
    others: owners.filter((name) => name === undefined).length,
  };
}

/** The new or changed test that this is one of. */
function ownerOf({ prove }: ProveView, test: string): string | undefined {
  return prove.tests.find(
    ({ test: name }) =>
      test === name || test.startsWith(`${name}[`) || test.startsWith(`${name}::`),
  )?.test;
}

/** Those of the range first: they are what a reviewer asks about. */
export const freshFirst = (view: ProveView, tests: readonly string[]): readonly string[] =>
  tests.toSorted(
    (a, b) => Number(ownerOf(view, a) === undefined) - Number(ownerOf(view, b) === undefined),
  );

/**
 * Tests that went red beside those that hold it: by the absence of a name alone. They are red
 * when somebody takes it back by hand, so that leaving them out would look like a wrong count.
 */
export function redByName(proof: ProofRecord | null, heldBy: readonly string[]): readonly string[] {
  // Where a test ended the run, what else was red was not asked why.
  if (proof === null || (proof.verdict !== 'pinned' && proof.verdict !== 'broken')) return [];
  const holders = new Set(heldBy);
  return heldBy.length === 0 ? [] : redIn(proof).filter((test) => !holders.has(test));
}

/**
 * `3 more tests fail by a missing name alone`; null: none does. Code may swallow that it misses a
 * name: what a test says then is something else, and may have another cause as well.
 */
export function byNameText(proof: ProofRecord | null, heldBy: readonly string[]): string | null {
  const red = new Set(redByName(proof, heldBy));
  if (proof === null || red.size === 0) return null;
  const saidAll = movesOf(proof).every(
    ({ test, message }) => !red.has(test) || missingName(message) !== null,
  );
  const fail = `${plural(red.size, 'more test')} ${red.size === 1 ? 'fails' : 'fail'}`;
  return `${fail}${saidAll ? '' : ', perhaps'} by a missing name alone`;
}

/** `none fails`, `2 of 3 fail`, `3 by name`; new and changed tests while this was taken back. */
export function freshText(
  view: ProveView,
  proof: ProofRecord | null,
  by: readonly string[],
): string {
  const { fresh, freshTotal } = noticing(view, by);
  const turned = turnedText(noticing(view, brokenBy(view, proof)).fresh);
  if (fresh > 0)
    return [`${fresh} of ${freshTotal} ${freshTotal === 1 ? 'fails' : 'fail'}`, ...turned].join(
      ', ',
    );
  const byName = noticing(view, redByName(proof, by)).fresh;
  const said = [...(byName === 0 ? [] : [`${byName} by name`]), ...turned];
  return said.length === 0 ? 'none fails' : said.join(', ');
}

/** `did not move`, `2 fail`, `2 by name`; tests outside the range while this was taken back. */
export function othersText(
  view: ProveView,
  proof: ProofRecord | null,
  by: readonly string[],
): string {
  const { others } = noticing(view, by);
  const turned = turnedText(noticing(view, brokenBy(view, proof)).others);
  if (others > 0) return [`${others} ${others === 1 ? 'fails' : 'fail'}`, ...turned].join(', ');
  const byName = noticing(view, redByName(proof, by)).others;
  const said = [...(byName === 0 ? [] : [`${byName} by name`]), ...turned];
  return said.length === 0 ? 'did not move' : said.join(', ');
}

/** `1 turns green`: tests that fail with the change and pass without it. */
const turnedText = (n: number): readonly string[] =>
  n === 0 ? [] : [`${n} ${n === 1 ? 'turns' : 'turn'} green`];

/** Tests that went red while this was taken back, for whatever reason. */
export const redIn = (proof: ProofRecord | null): readonly string[] =>
  proof === null
    ? []
    : movesOf(proof)
        .filter(({ to }) => isRed(to))
        .map(({ test }) => test);
