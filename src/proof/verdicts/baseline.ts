/** Verdicts about the baseline: what was selected, and whether it was green. */
import type { ControlFinding } from '../controls.js';
import type { Breakage } from '../evidence.js';
import type { Facts, LaneFacts } from '../facts.js';
import type { Expectation } from '../flips.js';
import { isReady } from '../flips.js';
import { nearestIds } from '../nearest-ids.js';
import { ambiguousIds, matchIds } from '../select.js';
import type { RedBaseline, SelectionProblem, Verdict } from '../verdict.js';
import { endingVerdict } from './endings.js';

const NEAREST = 3;

/**
 * A baseline that did not end as one that can be judged gives its own verdict: what it does not
 * know would otherwise read as unknown ids and red tests.
 */
export function baselineEnding(facts: Facts): Verdict | null {
  const causes = facts.evidence.build
    .filter(({ step }) => step === 'baseline')
    .flatMap((build) => build.causes);
  const run = { lane: facts.evidence.lane.name, step: 'baseline' } as const;
  if (causes.length > 0) return { code: 'broken', run, causes, tests: [] };
  return facts.own === null ? null : endingVerdict(run, facts.own.baseline.ending);
}

/** The same of the lanes that controls name; asked after the own lane's selection. */
export function outsideBaselineEnding({ outside }: Facts): Verdict | null {
  for (const { steps, facts } of outside) {
    if (facts === null) continue;
    const found = endingVerdict({ lane: steps.lane.name, step: 'baseline' }, facts.baseline.ending);
    if (found !== null) return found;
  }
  return null;
}

/**
 * An expected test or a control that stands for nothing. One that lies in a file which the
 * baseline could not collect is `broken` instead: it may well be there.
 */
export function notSelected({ own, expectations }: Facts): Verdict | null {
  if (own === null) return null;
  const unmatched = expectations.filter(
    ({ members, quarantined }) => members.length === 0 && quarantined.length === 0,
  );
  const expected = unmatched.map(
    ({ spec }) => ({ role: 'expected', selector: spec.test }) as const,
  );
  return unselected(own, [...expected, ...emptyControls(own)]);
}

export function outsideNotSelected({ outside }: Facts): Verdict | null {
  for (const { facts } of outside) {
    const found = facts === null ? null : unselected(facts, emptyControls(facts));
    if (found !== null) return found;
  }
  return null;
}

interface Unmatched {
  readonly role: 'expected' | 'control' | 'nothing-left';
  readonly selector: string;
}

function emptyControls({ controls, quarantined, ids, idRules }: LaneFacts): readonly Unmatched[] {
  return controls.flatMap(({ selector, matched, members }): readonly Unmatched[] => {
    if (matched === 0) return [{ role: 'control', selector }];
    if (members.length > 0) return [];
    const setAside = matchIds(selector, ids, idRules).some((id) => quarantined.has(id));
    return setAside ? [] : [{ role: 'nothing-left', selector }];
  });
}

function unselected(lane: LaneFacts, unmatched: readonly Unmatched[]): Verdict | null {
  if (unmatched.length === 0) return null;
  const { name, select } = lane.steps.lane;
  const causes = lane.baseline.collectionErrors.filter((error) =>
    unmatched.some(
      ({ role, selector }) => role !== 'nothing-left' && covers(error, selector, lane),
    ),
  );
  if (causes.length > 0) {
    return { code: 'broken', run: { lane: name, step: 'baseline' }, causes, tests: [] };
  }
  const deselected = lane.steps.selection?.deselected ?? [];
  const problems = unmatched.map(({ role, selector }): SelectionProblem => {
    if (role === 'nothing-left') return { kind: 'nothing-left', selector };
    const tests = matchIds(selector, deselected, lane.idRules);
    if (tests.length > 0) return { kind: 'deselected', role, selector, tests, select };
    const between = ambiguousIds(selector, lane.ids, lane.idRules);
    if (between.length > 0) return { kind: 'ambiguous', role, selector, between };
    const nearest = nearestIds(selector, lane.ids, NEAREST, lane.idRules);
    return { kind: 'unknown', role, selector, nearest };
  });
  return { code: 'not-selected', lane: name, problems };
}

function covers({ file, collecting }: Breakage, selector: string, { idRules }: LaneFacts): boolean {
  const path = selector.split('::')[0] ?? selector;
  return [path, idRules.idPrefix + path].some((at) =>
    [file, collecting].some((name) => name === at || name?.startsWith(`${at}/`) === true),
  );
}

/** Expected tests without the outcome `from`, and declared controls in which no test passes. */
export function baselineRed({ own, outside, expectations }: Facts): Verdict | null {
  const lanes = [own, ...outside.map(({ facts }) => facts)].filter((lane) => lane !== null);
  for (const lane of lanes) {
    const problems: RedBaseline[] = [
      ...(lane === own ? expectations.filter((each) => !isReady(each)).map(redExpectation) : []),
      ...lane.controls
        .filter(({ members, passing }) => members.length > 0 && passing === 0)
        .map(redControl),
    ];
    if (problems.length > 0) {
      return { code: 'baseline-red', lane: lane.steps.lane.name, problems };
    }
  }
  return null;
}

const redExpectation = ({ spec, elsewise }: Expectation): RedBaseline => ({
  kind: 'expected',
  selector: spec.test,
  from: spec.from,
  tests: elsewise.map(({ test, result }) => ({
    test,
    outcome: result?.outcome ?? 'missing',
    message: result?.message ?? null,
  })),
});

const redControl = ({ selector, counts }: ControlFinding): RedBaseline => ({
  kind: 'control',
  selector,
  counts: counts.baseline,
});
