/** The wording of verdicts about the tests: what moved, against what was to move. */
import type { Reach, Unrun } from '../evidence.js';
import type { Move } from '../moves.js';
import { reachFacts } from './trust.js';
import { cut, names, tests, type Found, type VerdictText } from './words.js';

export function survivedText(verdict: Found<'survived'>): VerdictText {
  const { ran, reach, liveness, unrun } = verdict;
  return {
    reason: `${tests(ran)} ran, none moved.`,
    facts: [
      ...reachFacts(reach),
      ...(liveness.kind === 'alive'
        ? [`the lane can fail: ${liveness.by} flipped ${liveness.flipped}`]
        : []),
    ],
    next: [
      survivorNext(reach) + unrunNext(unrun),
      'or, if the gap is known, put this into the spec:',
      '  accept: { verdict: survived, because: "…" }',
    ],
  };
}

function survivorNext(reach: Reach | null): string {
  if (reach?.state === 'unreached') return 'write a test that gets to the edited function';
  if (reach?.state === 'reached') {
    const which = reach.by.length === 1 ? 'this test' : `one of these ${reach.by.length} tests`;
    return `assert in ${which} what the edit takes away, and run it again`;
  }
  return 'write a test that fails under this edit';
}

/** What stands in no lane may be the very test that is asked for. */
const unrunNext = (unrun: readonly Unrun[]): string =>
  unrun.length === 0
    ? ''
    : `; or run first what the lane leaves out: ${unrun.map((each) => each.tests).join('; ')}`;

export function partialText(verdict: Found<'partial'>): VerdictText {
  const { flipped, missing, otherwise, required } = verdict;
  return {
    reason: `${flipped.length} of ${required} expected tests flipped, ${names(missing)} did not.`,
    facts: [
      ...cut(flipped.map((move) => `flipped: ${moved(move)}`)),
      ...cut(otherwise.map((move) => `moved otherwise: ${moved(move)}`)),
      ...cut(missing.map((test) => `did not flip: ${test}`)),
    ],
    next: [
      'take the tests that do not flip out of `flips`, or make them assert what the edit changes',
    ],
  };
}

export function movedOtherwiseText(verdict: Found<'moved-otherwise'>): VerdictText {
  const { moves, over, message } = verdict;
  return {
    reason: otherwiseReason(verdict),
    facts: [
      ...cut(moves.map(moved)),
      ...over.map(
        ({ selector, count, flipped }) => `${selector}: ${flipped} flipped, not ${count}`,
      ),
      ...message.map(({ test, pattern }) => `${test}: its message does not match /${pattern}/`),
    ],
    next: [
      ...otherwiseNext(moves, message),
      ...over.map(
        ({ selector, flipped }) =>
          `to expect that many: { test: "${selector}", count: ${flipped} }`,
      ),
    ],
  };
}

function otherwiseReason({ moves, over }: Found<'moved-otherwise'>): string {
  const [first] = moves;
  if (first === undefined) {
    const [group] = over;
    return group === undefined
      ? 'Expected tests moved, not as declared.'
      : `${group.flipped} tests of ${group.selector} flipped, not ${group.count}.`;
  }
  const more = moves.length > 1 ? ` (and ${moves.length - 1} more)` : '';
  return `${first.test} moved from ${first.from ?? 'not there'} to ${first.to}${more}, not as declared.`;
}

function otherwiseNext(
  moves: readonly Move[],
  message: readonly { readonly test: string }[],
): readonly string[] {
  const byMessage = new Set(message.map(({ test }) => test));
  const other = moves.filter(({ test }) => !byMessage.has(test));
  const accepts = other.map(
    ({ test, from, to }) =>
      `to accept it: { test: "${test}", ${from === 'passed' ? '' : `from: ${from ?? 'missing'}, `}to: [${to}] }`,
  );
  return [
    ...cut([...new Set(accepts)]),
    ...(byMessage.size === 0
      ? []
      : ['correct `message`, or find out why the test fails otherwise']),
  ];
}

export function caughtElsewhereText(verdict: Found<'caught-elsewhere'>): VerdictText {
  const { moves, expected } = verdict;
  return {
    reason: `No expected test moved, but ${names(moves.map(({ test }) => test))} did.`,
    facts: [
      ...cut(moves.map((move) => `moved: ${moved(move)}`)),
      ...cut(expected.map((test) => `did not move: ${test}`)),
    ],
    next: ['name the tests that notice in `flips`, or make the expected ones assert it'],
  };
}

export function controlMovedText(verdict: Found<'control-moved'>): VerdictText {
  const { controls, others, why } = verdict;
  const all = [...controls.flatMap((control) => control.moved), ...others];
  const what = {
    declared: 'that was to stay still',
    exact: 'although the mutation is exact',
    none: 'although nothing was to move',
  }[why];
  return {
    reason: `${names([...new Set(all.map(({ test }) => test))])} moved, ${what}.`,
    facts: [
      ...controls.map(
        ({ selector, lane, total, moved: gone }) =>
          `control ${selector} in ${lane}: ${gone.length} of ${total} moved`,
      ),
      ...cut(all.map(moved)),
    ],
    next: [
      why === 'none'
        ? 'the edit does change what tests see: declare what flips, or make it equivalent'
        : 'narrow the edit, or take these tests out of the controls and into `flips`',
    ],
  };
}

export function pinnedText(verdict: Found<'pinned'>): VerdictText {
  const { flipped, held, total, controls, flips } = verdict;
  const others = `${held} of ${total} others did not move`;
  const still =
    held === total ? `${total} ${total === 1 ? 'other' : 'others'} did not move` : others;
  return {
    reason:
      flips === 'none'
        ? `Nothing moved, as declared: ${tests(total)} ran.`
        : `${flipped} ${flipped === 1 ? 'test notices' : 'tests notice'}, ${still}.`,
    facts:
      controls === 0
        ? []
        : [`${controls} declared ${controls === 1 ? 'control' : 'controls'} held`],
    next: [],
  };
}

function moved({ test, from, to, at, message }: Move): string {
  const way = `${from ?? 'not there'} → ${to}`;
  return [test, way, at, message].filter((part) => part !== null).join('  ');
}
