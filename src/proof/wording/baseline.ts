/** The wording of verdicts about the baseline. */
import { unreachable } from '../../result.js';
import type { Counts } from '../outcome.js';
import type { RedBaseline, SelectionProblem } from '../verdict.js';
import { cut, names, tests, type Found, type VerdictText } from './words.js';

export function notSelectedText(verdict: Found<'not-selected'>): VerdictText {
  return {
    reason: selectionReason(verdict.problems, verdict.lane),
    facts: verdict.problems.map(selectionFact),
    next: verdict.problems.map((problem) => selectionNext(problem, verdict.lane)),
  };
}

function selectionReason(problems: readonly SelectionProblem[], lane: string): string {
  const [first] = problems;
  if (first === undefined) return `Lane ${lane} selects none of what is named.`;
  switch (first.kind) {
    case 'lane-empty':
      return `Lane ${lane} selects no test at all.`;
    case 'deselected':
      return `${first.selector} is outside what lane ${lane} selects${first.select === null ? '' : ` (${first.select})`}.`;
    case 'unknown':
      return `Lane ${lane} knows no test ${first.selector}.`;
    case 'ambiguous':
      return `${first.selector} could be one of ${first.between.length} things in lane ${lane}.`;
    case 'nothing-left':
      return `Control ${first.selector} holds nothing but expected tests, so nothing in it could hold still.`;
    default:
      return unreachable(first);
  }
}

function selectionFact(problem: SelectionProblem): string {
  switch (problem.kind) {
    case 'lane-empty':
      return `${problem.why} (${problem.deselected} deselected)`;
    case 'deselected':
      return `${problem.role} ${problem.selector}: ${tests(problem.tests.length)} deselected`;
    case 'unknown':
      return problem.nearest.length === 0
        ? `${problem.role} ${problem.selector}: matches nothing`
        : `${problem.role} ${problem.selector}: matches nothing; nearest: ${problem.nearest.join(', ')}`;
    case 'ambiguous':
      return `${problem.role} ${problem.selector}: fits ${problem.between.join(', ')}`;
    case 'nothing-left':
      return `control ${problem.selector}: every test of it is in \`flips\``;
    default:
      return unreachable(problem);
  }
}

function selectionNext(problem: SelectionProblem, lane: string): string {
  switch (problem.kind) {
    case 'lane-empty':
      return problem.deselected > 0
        ? `correct \`select\` of lane ${lane}: it takes every test out`
        : `correct \`paths\` of lane ${lane}: no test was found there`;
    case 'deselected':
      return `give the test what \`select\` of lane ${lane} asks for, or name a lane that selects it`;
    case 'unknown':
      return problem.nearest.length === 0
        ? `see what there is: counterproof lane ${lane}`
        : `did you mean ${problem.nearest[0]}?`;
    case 'ambiguous':
      return `write out which one is meant: ${problem.between[0] ?? ''}`;
    case 'nothing-left':
      return 'name a control that this mutation must not flip';
    default:
      return unreachable(problem);
  }
}

export function baselineRedText(verdict: Found<'baseline-red'>): VerdictText {
  return {
    reason: redReason(verdict.problems, verdict.lane),
    facts: verdict.problems.flatMap(redFacts),
    next: [
      'make these tests pass on the untouched tree first, or name the outcome they start from with `from`',
    ],
  };
}

function redReason(problems: readonly RedBaseline[], lane: string): string {
  const [first] = problems;
  if (first === undefined) return `Lane ${lane} is not green before the mutation.`;
  if (first.kind === 'control')
    return `No test of control ${first.selector} passes before the mutation.`;
  const which = first.tests.map(({ test }) => test);
  const are = which.length === 1 ? 'is' : 'are';
  return `${which.length === 0 ? first.selector : names(which)} ${are} not ${first.from} before the mutation.`;
}

function redFacts(problem: RedBaseline): readonly string[] {
  if (problem.kind === 'control')
    return [`control ${problem.selector}: ${counted(problem.counts)}`];
  return cut(
    problem.tests.map(
      ({ test, outcome, message }) =>
        `${test}: ${outcome}${message === null ? '' : `, ${message}`}`,
    ),
  );
}

const counted = (counts: Counts): string =>
  Object.entries(counts)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(', ');
