/** Verdicts about what the outcomes are worth: did the mutant run, do equal runs agree, can the lane fail. */
import { unreachable } from '../../result.js';
import { changingIds, type ChangingId } from '../changing-ids.js';
import type { Facts, LaneFacts } from '../facts.js';
import { isControlByRule } from '../facts.js';
import { isRed } from '../outcome.js';
import { disagreements } from '../stability.js';
import type { Disagreement } from '../stability.js';
import { matchIds } from '../select.js';
import { viewStep } from '../moves.js';
import type { Verdict } from '../verdict.js';

/**
 * No proof that the mutated bytes ran. A test that flipped, flipped again, and is back on the
 * restored tree is proof by itself; without any, "nothing moved" would say nothing.
 */
export function notLoaded(facts: Facts): Verdict | null {
  const { loading, telling, evidence, effect } = facts;
  switch (loading.kind) {
    case 'proven':
      return null;
    case 'elsewhere': {
      const { kind, step, path, elsewhere } = loading;
      return { code: 'not-loaded', step, problem: { kind, path, elsewhere } };
    }
    case 'other-bytes': {
      const { kind, step, path, expected, found } = loading;
      return { code: 'not-loaded', step, problem: { kind, path, expected, found } };
    }
    case 'unseen': {
      if (facts.own === null || facts.own.mutated === null) return null;
      const repeated = evidence.mutatedAgain !== null && telling.length > 0;
      if (effect.length > 0 || repeated) return null;
      const flipped = telling.map(({ test }) => test);
      const { kind, files, watched } = loading;
      const turned = facts.steady
        .filter(({ from, to }) => from !== null && isRed(from) && to === 'passed')
        .map(({ test }) => test);
      const problem = { kind, files, flipped, turned, watched };
      return { code: 'not-loaded', step: 'mutated', problem };
    }
    default:
      return unreachable(loading);
  }
}

/** Something that the verdict rests on disagrees with itself between equal runs. */
export function flaky(facts: Facts): Verdict | null {
  const quarantined = quarantinedNames(facts);
  const found = [
    ...ownDisagreements(facts),
    ...facts.outside.flatMap((lane) =>
      lane.facts === null ? [] : controlDisagreements(lane.facts),
    ),
    ...restoredDisagreements(facts),
    ...closingDisagreements(facts),
  ];
  const seen = new Map(found.map((each) => [`${each.between} ${each.test}`, each]));
  if (seen.size === 0 && quarantined.length === 0) return null;
  return {
    code: 'flaky',
    disagreements: [...seen.values()],
    quarantined,
    changing: changing(facts),
  };
}

function ownDisagreements(facts: Facts): readonly Disagreement[] {
  const { own, expected, steady, evidence, effect, loading } = facts;
  if (own === null) return [];
  const flakyExpected = [...expected]
    .filter((test) => !own.quarantined.has(test))
    .flatMap((test) => own.flakyBaseline.get(test) ?? []);
  const unsteady = [...own.unsteady.values()];
  const named = unsteady.filter(({ test }) => expected.has(test) || isControlByRule(evidence));
  // Nothing is left of what moved: the deciding tests themselves disagree.
  const deciding =
    steady.length === 0 || (loading.kind === 'unseen' && effect.length === 0) ? unsteady : [];
  return [...flakyExpected, ...named, ...controlDisagreements(own), ...deciding];
}

function controlDisagreements({
  controls,
  flakyBaseline,
  unsteady,
}: LaneFacts): readonly Disagreement[] {
  return controls
    .flatMap(({ members }) => members)
    .flatMap((test) => [flakyBaseline.get(test), unsteady.get(test)])
    .filter((each) => each !== undefined);
}

function restoredDisagreements({ own, outside }: Facts): readonly Disagreement[] {
  return [own, ...outside.map(({ facts }) => facts)].flatMap((lane) =>
    lane?.restoring.kind === 'disagrees' ? lane.restoring.tests : [],
  );
}

/** A closing run and its repeat that differ: chance, which counts where this proof rests on the test. */
function closingDisagreements({ evidence, own, expected }: Facts): readonly Disagreement[] {
  const { closing, mutation } = evidence;
  if (own === null || closing?.again == null) return [];
  const first = viewStep(own.baseline, closing.first);
  const again = viewStep(own.baseline, closing.again);
  const concerned = new Set([
    ...expected,
    ...own.moves.map(({ test }) => test),
    ...own.controls.flatMap(({ members }) => members),
  ]);
  return [...disagreements(first, again, 'closing runs').values()].filter(
    ({ test }) =>
      !own.ignored.has(test) &&
      (concerned.has(test) || mutation.exact || mutation.flips.kind === 'none'),
  );
}

/** Of all lanes of the proof. */
function changing({ own, outside, evidence }: Facts): readonly ChangingId[] {
  const { closing } = evidence;
  const last = [closing?.first ?? null, closing?.again ?? null].filter((step) => step !== null);
  return [
    ...(own === null ? [] : changingIds(own.steps, last)),
    ...outside.flatMap(({ steps }) => changingIds(steps, [])),
  ];
}

/** Entries of `flips` and controls that the lane's quarantine leaves empty. */
function quarantinedNames({ own, outside, expectations }: Facts) {
  const tests = expectations
    .filter(({ members, quarantined }) => members.length === 0 && quarantined.length > 0)
    .flatMap(({ quarantined }) => quarantined)
    .map((test) => ({ test, because: own?.quarantined.get(test) ?? '' }));
  const controls = [own, ...outside.map(({ facts }) => facts)]
    .filter((lane) => lane !== null)
    .flatMap((lane) =>
      lane.controls
        .filter(({ matched, members }) => matched > 0 && members.length === 0)
        .flatMap(({ selector }) => matchIds(selector, lane.ids, lane.idRules))
        .filter((test) => lane.quarantined.has(test))
        .map((test) => ({ test, because: lane.quarantined.get(test) ?? '' })),
    );
  return [...tests, ...controls];
}

/** The bytes are back, the tests are not, and not by chance: something outside the tree remembers. */
export function unsettled(facts: Facts): Verdict | null {
  const { own, outside, evidence } = facts;
  for (const lane of [own, ...outside.map((each) => each.facts)]) {
    if (lane?.restoring.kind === 'unsettled') {
      const { tests } = lane.restoring;
      return { code: 'unsettled', step: 'restored', tests, changing: changing(facts) };
    }
  }
  const { closing } = evidence;
  if (own === null || closing?.again == null) return null;
  const again = viewStep(own.baseline, closing.again);
  const tests = viewStep(own.baseline, closing.first)
    .moves.filter(({ test, to }) => again.resultOf(test)?.outcome === to && !own.ignored.has(test))
    .map(({ test, from, to }) => ({ test, baseline: from, restored: to }));
  return tests.length === 0
    ? null
    : { code: 'unsettled', step: 'closing', tests, changing: changing(facts) };
}

/**
 * A declared liveness mutation that turns no test red shows that the lane cannot fail; whatever
 * rests on nothing having moved in it is void with it.
 */
export function deadLane(facts: Facts): Verdict | null {
  const { evidence, steady, findings, own } = facts;
  const ran = own?.ids.length ?? 0;
  const { reach, mutation, liveness } = evidence;
  if (mutation.role === 'liveness') {
    const flipped = findings.some((finding) => finding.flipped.length > 0);
    if (flipped || steady.some(({ to }) => isRed(to))) return null;
    return { code: 'dead-lane', by: mutation.id, own: true, ran, reach };
  }
  if (liveness.kind !== 'dead' || !nothingMoved(facts)) return null;
  return { code: 'dead-lane', by: liveness.by, own: false, ran, reach };
}

export const nothingMoved = ({ steady, findings }: Facts): boolean =>
  steady.length === 0 && findings.every((finding) => finding.flipped.length === 0);
