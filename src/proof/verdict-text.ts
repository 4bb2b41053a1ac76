/** The wording of every verdict, in one place: a sentence of reason, facts, and what to do next. */
import type { NotApplied } from '../mutation/edit.js';
import { unreachable } from '../result.js';
import type { Breakage, Ending, Reach } from './evidence.js';
import type { Move } from './moves.js';
import type { Counts } from './outcome.js';
import type { Disagreement } from './stability.js';
import type { Gap, NotLoaded, RedBaseline, RunName, SelectionProblem, Verdict } from './verdict.js';

export interface VerdictText {
  /** One sentence. */
  readonly reason: string;
  /** What it rests on, a line each. */
  readonly facts: readonly string[];
  /** What to do about it, a line each. */
  readonly next: readonly string[];
}

/** Lists in facts are cut here; the record holds them whole. */
const MOST = 10;

/** Words one verdict. Everything that a report shows comes from the verdict itself. */
export function explain(verdict: Verdict): VerdictText {
  switch (verdict.code) {
    case 'not-restored':
      return {
        reason: `${names(verdict.files.map(({ path }) => path))} could not be verified as restored.`,
        facts: verdict.files.map(({ path, why }) => `${path}: ${why}`),
        next: [
          'run `counterproof recover` before anything else touches the tree',
          ...(verdict.original === null ? [] : [`the original is kept in ${verdict.original}`]),
        ],
      };
    case 'not-applied':
      return notAppliedText(verdict.problem);
    case 'not-selected':
      return {
        reason: selectionReason(verdict.problems, verdict.lane),
        facts: verdict.problems.map(selectionFact),
        next: verdict.problems.map((problem) => selectionNext(problem, verdict.lane)),
      };
    case 'baseline-red':
      return {
        reason: redReason(verdict.problems, verdict.lane),
        facts: verdict.problems.flatMap(redFacts),
        next: [
          'make these tests pass on the untouched tree first, or name the outcome they start from with `from`',
        ],
      };
    case 'broken':
      return {
        reason: brokenReason(verdict.run, verdict.causes),
        facts: [
          ...cut(verdict.causes.map(breakage)),
          ...cut(verdict.tests.map(({ test, why }) => `${test}: ${why}`)),
        ],
        next: [
          verdict.run.step === 'baseline'
            ? 'mend the lane until it runs on the untouched tree'
            : 'change the mutation so that the mutant still compiles, imports and collects: code that cannot be loaded tests nothing',
        ],
      };
    case 'timeout': {
      const { run, limit, limitMs, test } = verdict;
      return {
        reason: `${where(run)} ran into its ${limit} limit of ${seconds(limitMs)}${test === null ? '' : ` in ${test}`}.`,
        facts: test === null ? [] : [`running when time was up: ${test}`],
        next: [
          `raise the lane's \`limits.${limit}\` if it is only slow`,
          ...(test === null || run.step === 'baseline'
            ? []
            : [
                `if a hang is what you expect, say so: flips: [{ test: "${test}", to: [timeout] }]`,
              ]),
        ],
      };
    }
    case 'out-of-memory': {
      const { run, limitBytes, test } = verdict;
      return {
        reason: `${where(run)} used more than ${mebibytes(limitBytes)} of memory${test === null ? '' : ` in ${test}`}.`,
        facts: test === null ? [] : [`running at that moment: ${test}`],
        next: ["raise the lane's `limits.memory`, or change the mutation"],
      };
    }
    case 'tree-touched': {
      const { touched, kept } = verdict;
      const paths = [...new Set([...kept, ...touched].map(({ path }) => path))];
      return {
        reason: `${names(paths)} changed while it was being measured.`,
        facts: [
          ...kept.map(({ path, keptAs }) => `${path}: what was found in it is kept as ${keptAs}`),
          ...cut(
            touched.map(
              ({ path, by }) =>
                `${path}: written by ${by === 'lane' ? 'the lane' : 'somebody else'}`,
            ),
          ),
        ],
        next: [
          touched.some(({ by }) => by === 'lane')
            ? 'keep the lane from writing into tracked files, or run it in an overlay'
            : 'run it again while nobody edits the tree',
        ],
      };
    }
    case 'incomplete':
      return incompleteText(verdict.run, verdict.gap);
    case 'not-loaded':
      return notLoadedText(verdict.problem);
    case 'flaky': {
      const { disagreements, quarantined } = verdict;
      const tests = [...disagreements, ...quarantined].map(({ test }) => test);
      return {
        reason:
          disagreements.length > 0
            ? `${names(tests)} ${tests.length === 1 ? 'disagrees with itself' : 'disagree with themselves'} between equal runs.`
            : `${names(tests)} ${tests.length === 1 ? 'is' : 'are'} quarantined, and can neither prove nor refute.`,
        facts: [
          ...cut(disagreements.map(disagreement)),
          ...cut(quarantined.map(({ test, because }) => `${test}: quarantined, ${because}`)),
        ],
        next: ['make the test steady, or name another one', 'see how often: --baseline-runs 5'],
      };
    }
    case 'unsettled':
      return {
        reason: `Every byte is back, but ${names(verdict.tests.map(({ test }) => test))} ${verdict.tests.length === 1 ? 'is' : 'are'} not as before, twice.`,
        facts: cut(
          verdict.tests.map(
            ({ test, baseline, restored }) =>
              `${test}: ${baseline ?? 'not there'} in the baseline, ${restored} on the restored tree`,
          ),
        ),
        next: [
          'look for what the tests leave outside the tree: a database, a temporary folder, a lock file, a server',
        ],
      };
    case 'dead-lane': {
      const { by, own, ran, reach } = verdict;
      return {
        reason: own
          ? `${tests(ran)} ran on the liveness mutation, and none failed: this lane has not shown that it can fail.`
          : `Nothing moved, but the liveness mutation ${by} moved nothing either: the lane has not shown that it can fail.`,
        facts: reachFacts(reach),
        next: [
          'check that these tests use the mutated code, not a mock or another copy of it',
          ...(own ? ['or pick a liveness mutation that a test must notice'] : []),
        ],
      };
    }
    case 'survived': {
      const { ran, reach, liveness } = verdict;
      return {
        reason: `${tests(ran)} ran, none moved.`,
        facts: [
          ...reachFacts(reach),
          ...(liveness.kind === 'alive'
            ? [`the lane can fail: ${liveness.by} flipped ${liveness.flipped}`]
            : []),
        ],
        next: [
          survivorNext(reach),
          'or, if the gap is known, put this into the spec:',
          '  accept: { verdict: survived, because: "…" }',
        ],
      };
    }
    case 'partial': {
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
    case 'moved-otherwise': {
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
    case 'caught-elsewhere': {
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
    case 'control-moved': {
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
    case 'stale-acceptance': {
      const { accepted, because, found } = verdict;
      const inner = explain(found);
      return {
        reason: `The spec accepts ${accepted}, but the verdict is now ${found.code}: ${inner.reason}`,
        facts: [`accepted because: ${because}`, ...inner.facts],
        next: ['take `accept` out of the spec, or accept what is found now', ...inner.next],
      };
    }
    case 'pinned': {
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
    default:
      return unreachable(verdict);
  }
}

function notAppliedText(problem: NotApplied): VerdictText {
  switch (problem.kind) {
    case 'no-file':
      return {
        reason: `There is no file ${problem.path} to edit.`,
        facts: [],
        next: ['correct the path; it is relative to the root'],
      };
    case 'exists':
      return {
        reason: `${problem.path} is to be created, but exists.`,
        facts: [],
        next: ['name a path that is free, or edit the file with `patch` or `replace`'],
      };
    case 'no-match': {
      const { path, what, nearest } = problem;
      return {
        reason: `${what} fits nowhere in ${path}.`,
        facts:
          nearest === null
            ? []
            : [
                `nearest is ${path}:${nearest.line}, which differs first in`,
                `  expected: ${nearest.expected}`,
                `  found:    ${nearest.found}`,
              ],
        next: ['write the edit again from the file as it is now'],
      };
    }
    case 'ambiguous': {
      const { path, what, expected, lines } = problem;
      return {
        reason: `${what} fits ${lines.length} times in ${path}, not ${expected === 1 ? 'once' : `${expected} times`}.`,
        facts: [`it fits at ${path}:${lines.join(', ')}`],
        next: ['narrow it with `within`, or give it more lines of context'],
      };
    }
    case 'no-change':
      return {
        reason: `${problem.what} changes no byte of ${problem.path}.`,
        facts: [],
        next: ['write an edit that differs from what is there'],
      };
    case 'no-revision':
      return {
        reason: `Revision ${problem.rev} is not in this repository.`,
        facts: [],
        next: [problem.hint],
      };
    case 'refused':
      return {
        reason: `${problem.path} cannot be edited so: ${problem.why}.`,
        facts: [],
        next: ['name another place, or write another edit'],
      };
    case 'unwritable':
      return {
        reason: `${problem.path} cannot be written: ${problem.why}.`,
        facts: [],
        next: ['make the file writable in place, or mutate another one'],
      };
    default:
      return unreachable(problem);
  }
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
    case 'nothing-left':
      return 'name a control that this mutation must not flip';
    default:
      return unreachable(problem);
  }
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

function brokenReason(run: RunName, causes: readonly Breakage[]): string {
  const [first] = causes;
  const what = first === undefined ? 'a test could not load the mutated code' : breakage(first);
  if (run.step === 'baseline') return `${where(run)} is broken before any mutation: ${what}.`;
  if (run.step === 'restored') return `${where(run)} is broken after the restore: ${what}.`;
  return `The mutant cannot be loaded: ${what}.`;
}

function incompleteText(run: RunName, gap: Gap): VerdictText {
  switch (gap.kind) {
    case 'ending':
      return endingText(run, gap.ending);
    case 'not-run':
      return {
        reason: `${where(run)}: ${gap.why}.`,
        facts: [],
        next: ['run it again, to the end'],
      };
    case 'no-outcome':
      return {
        reason: `${where(run)} has no outcome for ${names(gap.tests)}.`,
        facts: cut(gap.tests),
        next: ['look into the log of that step for why these tests did not report'],
      };
    default:
      return unreachable(gap);
  }
}

function endingText(run: RunName, ending: Ending): VerdictText {
  switch (ending.kind) {
    case 'crashed': {
      const { how, test } = ending;
      const expect = `if that is what you expect, say so: flips: [{ test: "${test}", to: [crashed] }]`;
      return {
        reason: `${where(run)} crashed${test === null ? '' : ` in ${test}`}: ${how}.`,
        facts: test === null ? [] : [`running when it ended: ${test}`],
        next: [
          'look into the log of that step',
          ...(test === null || run.step === 'baseline' ? [] : [expect]),
        ],
      };
    }
    case 'incomplete':
      return {
        reason: `${where(run)} did not finish: ${ending.why}.`,
        facts: cut(ending.without.map((test) => `without an outcome: ${test}`)),
        next: ['look into the log of that step'],
      };
    case 'no-channel':
      return {
        reason: `${where(run)} reported no test by name: ${ending.why}.`,
        facts: [],
        next: [ending.hint],
      };
    case 'empty':
      return {
        reason: `${where(run)} selects no test any more: ${ending.why}.`,
        facts: [],
        next: ['change the mutation so that the lane still collects its tests'],
      };
    case 'cancelled':
      return {
        reason: `${where(run)} was interrupted.`,
        facts: [],
        next: ['run it again, to the end'],
      };
    case 'complete':
    case 'broken':
    case 'timeout':
    case 'out-of-memory':
      return { reason: `${where(run)} ended as ${ending.kind}.`, facts: [], next: [] };
    default:
      return unreachable(ending);
  }
}

function notLoadedText(problem: NotLoaded): VerdictText {
  switch (problem.kind) {
    case 'elsewhere':
      return {
        reason: 'These tests do not import the file you edit.',
        facts: [
          `you edit  ${problem.path}`,
          `imported  ${problem.elsewhere}`,
          'another copy: whatever passed says nothing about the one you edit',
        ],
        next: ['install the project in place, or let the tests look into the source folder first'],
      };
    case 'other-bytes':
      return {
        reason: `Other bytes than those of ${problem.path} on disk were executed.`,
        facts: [
          `on disk   ${problem.expected ?? 'no file'}`,
          `executed  ${problem.found ?? 'from a cache'}`,
        ],
        next: ['drop compiled files and caches of that module, and run it again'],
      };
    case 'unseen':
      return {
        reason:
          problem.flipped.length === 0
            ? `Nothing shows that the mutated bytes of ${names(problem.paths)} ran.`
            : `${names(problem.flipped)} flipped, but was not seen to repeat, and nothing else shows that the mutated bytes ran.`,
        facts: problem.paths.map((path) => `not seen to be loaded: ${path}`),
        next: ['pick a lane whose tests use that file'],
      };
    default:
      return unreachable(problem);
  }
}

function otherwiseReason({ moves, over }: Extract<Verdict, { code: 'moved-otherwise' }>): string {
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

function reachFacts(reach: Reach | null): readonly string[] {
  if (reach === null) return [];
  switch (reach.state) {
    case 'reached':
      return [
        `reached by ${tests(reach.by.length)}${reach.noticed.length === 0 ? ', none of them notices a raise there' : ''}`,
        ...cut(reach.by.map((test) => `  ${test}`)),
      ];
    case 'unreached':
      return ['no test gets to the edited function'];
    case 'unknown':
      return [`not known which tests get there: ${reach.why}`];
    default:
      return unreachable(reach);
  }
}

function survivorNext(reach: Reach | null): string {
  if (reach?.state === 'unreached') return 'write a test that gets to the edited function';
  if (reach?.state === 'reached') {
    const which = reach.by.length === 1 ? 'this test' : `one of these ${reach.by.length} tests`;
    return `assert in ${which} what the edit takes away, and run it again`;
  }
  return 'write a test that fails under this edit';
}

function disagreement({ test, between, outcomes }: Disagreement): string {
  const told = outcomes.map((outcome) => outcome ?? 'not there').join(', then ');
  return `${test}: ${told} in two ${between}`;
}

function breakage({ file, line, message }: Breakage): string {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
  return `${place}${message}`;
}

function moved({ test, from, to, at, message }: Move): string {
  const way = `${from ?? 'not there'} → ${to}`;
  return [test, way, at, message].filter((part) => part !== null).join('  ');
}

const where = ({ lane, step }: RunName): string => `The ${step} run of lane ${lane}`;

const tests = (n: number): string => (n === 1 ? '1 test' : `${n} tests`);

const counted = (counts: Counts): string =>
  Object.entries(counts)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(', ');

/** The first one by name, the rest by number. */
function names(list: readonly string[]): string {
  const [first] = list;
  if (first === undefined) return 'nothing';
  return list.length === 1 ? first : `${first} and ${list.length - 1} more`;
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST) return lines;
  return [...lines.slice(0, MOST), `and ${lines.length - MOST} more`];
}

const seconds = (ms: number): string => `${Number((ms / 1000).toPrecision(3))} s`;

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
