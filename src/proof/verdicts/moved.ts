/** Verdicts about the tests: what moved, against what was to move. */
import { anyFlips, type Facts } from '../facts.js';
import type { Move } from '../moves.js';
import { isRed } from '../outcome.js';
import { unrunOf } from '../unrun.js';
import type { Verdict } from '../verdict.js';
import { nothingMoved } from './trust.js';

export function survived(facts: Facts): Verdict | null {
  const { evidence, own } = facts;
  if (own === null || evidence.mutation.flips.kind === 'none' || !nothingMoved(facts)) return null;
  const { reach, liveness } = evidence;
  const unrun = unrunOf(evidence);
  return { code: 'survived', ran: own.ids.length, reach, liveness, unrun };
}

export function partial({ findings }: Facts): Verdict | null {
  const flipped = findings.flatMap((finding) => finding.flipped);
  const short = findings.filter((finding) => finding.short);
  if (flipped.length === 0 || short.length === 0) return null;
  return {
    code: 'partial',
    flipped,
    missing: short.flatMap(({ still, otherwise }) => [
      ...otherwise.map(({ test }) => test),
      ...still,
    ]),
    otherwise: findings.flatMap((finding) => finding.otherwise),
    required: findings.reduce((sum, { expectation }) => sum + expectation.required, 0),
  };
}

/**
 * Also of `flips: any`: a test that vanished or was skipped under the mutant leaves every run
 * green, so nobody would notice.
 */
export function movedOtherwise({ findings, steady, evidence }: Facts): Verdict | null {
  if (evidence.mutation.flips.kind === 'any') {
    if (steady.some(({ to }) => isRed(to))) return null;
    return { code: 'moved-otherwise', moves: steady, over: [], message: [] };
  }
  const moves = findings.flatMap((finding) => finding.otherwise);
  const over = findings.flatMap(({ flipped, expectation: { spec } }) =>
    spec.count !== null && flipped.length > spec.count
      ? [{ selector: spec.test, count: spec.count, flipped: flipped.length }]
      : [],
  );
  if (moves.length === 0 && over.length === 0) return null;
  const message = findings.flatMap(({ otherwise, expectation: { spec } }) =>
    otherwise.flatMap(({ test, from, to }) =>
      spec.message !== null && from === spec.from && spec.to.includes(to)
        ? [{ test, pattern: spec.message }]
        : [],
    ),
  );
  return { code: 'moved-otherwise', moves, over, message };
}

export function caughtElsewhere({ findings, steady, evidence, expected }: Facts): Verdict | null {
  if (evidence.mutation.flips.kind !== 'tests') return null;
  if (findings.some(({ flipped }) => flipped.length > 0)) return null;
  const moves = steady.filter(({ test }) => !expected.has(test));
  return { code: 'caught-elsewhere', expected: [...expected], moves };
}

/** Declared controls first; with `exact` every other test of the lane, with `none` every test. */
export function controlMoved(facts: Facts): Verdict | null {
  const { evidence, own, outside, expected } = facts;
  const { flips, exact } = evidence.mutation;
  const controls = [own, ...outside.map((lane) => lane.facts)]
    .flatMap((lane) => lane?.controls ?? [])
    .filter(({ held }) => held === false)
    .map(({ selector, lane, members, moved }) => ({
      selector,
      lane,
      total: members.length,
      moved,
    }));
  const inControls = new Set(controls.flatMap(({ moved }) => moved.map(({ test }) => test)));
  const bound: readonly Move[] = flips.kind === 'none' || exact ? facts.steady : [];
  const others = bound.filter(({ test }) => !expected.has(test) && !inControls.has(test));
  const allowed = flips.kind === 'any' ? [] : others;
  if (controls.length === 0 && allowed.length === 0) return null;
  const why = flips.kind === 'none' ? 'none' : allowed.length > 0 ? 'exact' : 'declared';
  return { code: 'control-moved', why, controls, others: allowed };
}

/** Whatever no condition before it holds of. */
export function pinned(facts: Facts): Verdict {
  const { findings, steady, evidence, own, outside, expected } = facts;
  const { flips } = evidence.mutation;
  const flipped = [...findings.flatMap((finding) => finding.flipped), ...anyFlips(facts)];
  const noticed = new Set([...expected, ...flipped.map(({ test }) => test)]);
  const others = steady.filter(({ test, from }) => from !== null && !noticed.has(test)).length;
  const total = (own?.ids ?? []).filter((id) => !noticed.has(id) && !own?.ignored.has(id)).length;
  const controls = [own, ...outside.map((lane) => lane.facts)].flatMap(
    (lane) => lane?.controls ?? [],
  );
  return {
    code: 'pinned',
    flipped: new Set(flipped.map(({ test }) => test)).size,
    held: total - others,
    total,
    controls: controls.length,
    only: flipped.length === 1 ? (flipped[0]?.test ?? null) : null,
    flips: flips.kind,
  };
}
