import { openHistory } from '../mutation/history.js';
import { locateMutation } from '../mutation/locate.js';
import type { Selection } from '../proof/evidence.js';
import { nearestIds } from '../proof/nearest-ids.js';
import { ambiguousIds, matchIds } from '../proof/select.js';
import { explain, type VerdictText } from '../proof/verdict-text.js';
import type { LaneConfig, MutationSpec, Where } from '../spec/model.js';
import { createTextLookup } from './name-lookup.js';
import { lanesOf } from './select.js';

/** What a lane's real collection found. */
export interface CollectedLane {
  readonly ids: readonly string[];
  readonly selection: Selection;
}

export interface CheckRequest {
  readonly tree: string;
  readonly root: string;
  readonly mutations: readonly MutationSpec[];
  readonly lanes: readonly LaneConfig[];
  /** By lane name; null: names are looked up in the files' text alone. */
  readonly collected: ReadonlyMap<string, CollectedLane> | null;
}

/** One reason why a mutation would not run as it is written. */
export interface CheckFinding extends VerdictText {
  readonly id: string;
  /** `edit`: it does not apply. `test`: it names one that is not there. */
  readonly about: 'edit' | 'test';
  readonly where: Where;
}

export interface CheckReport {
  readonly findings: readonly CheckFinding[];
  /** What nobody looked at, a line each. */
  readonly notChecked: readonly string[];
}

/** Whether every edit still lands and every named test is still there. Runs no test, writes nothing. */
export async function checkMutations(request: CheckRequest): Promise<CheckReport> {
  const { tree, root, mutations, lanes, collected } = request;
  const findings: CheckFinding[] = [];
  const text = createTextLookup({ tree, root }, lanes);
  const git = openHistory(tree);
  for (const mutation of mutations) {
    const located = await locateMutation(mutation.edits, { tree, root, git });
    if (!located.ok) {
      const words = explain({ code: 'not-applied', problem: located.error });
      // Of several edits it is not known which one it was.
      const [edit, ...others] = mutation.edits;
      const where = edit === undefined || others.length > 0 ? mutation.where : edit.where;
      findings.push({ id: mutation.id, about: 'edit', where, ...words });
    }
    for (const named of namedTests(mutation)) {
      const lane = collected?.get(named.lane);
      const problem =
        lane === undefined
          ? await text.problemOf(named.test, named.lane)
          : collectionProblem(named.test, lane);
      if (problem !== null)
        findings.push({ id: mutation.id, about: 'test', where: named.where, ...problem });
    }
  }
  return {
    findings,
    notChecked: [
      'whether the tests pass, and whether they notice',
      ...(collected === null ? uncollected(mutations, lanes) : []),
    ],
  };
}

/** What only a real collection would show, for the runners that the mutations use. */
function uncollected(
  mutations: readonly MutationSpec[],
  lanes: readonly LaneConfig[],
): readonly string[] {
  const used = new Set(mutations.flatMap(lanesOf));
  const runners = new Set(lanes.filter(({ name }) => used.has(name)).map(({ runner }) => runner));
  const lines = [
    ...(runners.has('pytest')
      ? ['parameters of tests, and tests that classes inherit or plugins collect']
      : []),
    ...(runners.has('cargo')
      ? ['in which module and executable a Rust test lies, and names that macros make']
      : []),
    ...(runners.has('junit') ? ['tests that only a JUnit report names'] : []),
    'what the lanes select',
  ];
  return [`${lines.join('; ')} (--collect asks the real collection)`];
}

interface NamedTest {
  readonly test: string;
  readonly lane: string;
  readonly where: Where;
}

function namedTests({ flips, controls, lane }: MutationSpec): readonly NamedTest[] {
  const expected = flips.kind === 'tests' ? flips.tests : [];
  return [
    ...expected.map(({ test, where }) => ({ test, lane, where })),
    ...controls.map((control) => ({
      test: control.tests,
      lane: control.lane ?? lane,
      where: control.where,
    })),
  ];
}

function collectionProblem(test: string, lane: CollectedLane): VerdictText | null {
  const { ids, selection } = lane;
  if (matchIds(test, ids, selection).length > 0) return null;
  if (matchIds(test, selection.deselected, selection).length > 0)
    return { reason: `the lane leaves ${test} out`, facts: [], next: ['name another lane'] };
  const between = ambiguousIds(test, ids, selection);
  if (between.length > 0)
    return {
      reason: `${test} could be one of ${between.length} things in the lane`,
      facts: [`fits: ${between.join(', ')}`],
      next: ['write out which one is meant'],
    };
  const near = nearestIds(test, ids, 3, selection);
  return {
    reason: `the lane collects no ${test}`,
    facts: near.length === 0 ? [] : [`nearest: ${near.join(', ')}`],
    next: ['correct the name'],
  };
}
