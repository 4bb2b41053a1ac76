/** The wording of verdicts about what the outcomes are worth. */
import { unreachable } from '../../result.js';
import type { Reach } from '../evidence.js';
import { isChanging, selectorFor, type ChangingId } from '../changing-ids.js';
import type { Disagreement } from '../stability.js';
import type { NotLoaded } from '../verdict.js';
import { cut, names, tests, type Found, type VerdictText } from './words.js';

export function notLoadedText(problem: NotLoaded): VerdictText {
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
      if (!problem.watched && problem.flipped.length === 0 && problem.turned.length > 0) {
        return {
          reason: `No test failed over it; ${names(problem.turned)} moved from red to passed, and nothing else shows that the mutated bytes ran.`,
          facts: [
            'load proof: none; a report says what tests did, and nothing of the code they ran',
          ],
          next: ['where that is the move that is meant, name the test with `from` and `to`'],
        };
      }
      if (!problem.watched && problem.flipped.length === 0) {
        return {
          reason: `No test failed over it, and this lane's runner never shows which code ran: ${names(problem.files.map(({ path }) => path))} may be untested here, or not used at all.`,
          facts: [
            'load proof: none; a report says what tests did, and nothing of the code they ran',
          ],
          next: [
            'throw at the head of the same function: if a test flips then, the code runs here and no test holds this edit',
            'or name a lane whose tests use that file',
          ],
        };
      }
      return {
        reason:
          problem.flipped.length === 0
            ? `Nothing shows that the mutated bytes of ${names(problem.files.map(({ path }) => path))} ran.`
            : `${names(problem.flipped)} flipped, but was not seen to repeat, and nothing else shows that the mutated bytes ran.`,
        facts: problem.files.map(
          ({ path, why }) => `not seen to be loaded: ${path}${why === null ? '' : `: ${why}`}`,
        ),
        next: ['pick a lane whose tests use that file'],
      };
    default:
      return unreachable(problem);
  }
}

export function flakyText(verdict: Found<'flaky'>): VerdictText {
  const { disagreements, quarantined, changing } = verdict;
  const steady = disagreements.filter(({ test }) => !isChanging(test, changing));
  if (disagreements.length > 0 && steady.length === 0) return changingText(changing);
  const unsteady = [...disagreements, ...quarantined].map(({ test }) => test);
  return {
    reason:
      disagreements.length > 0
        ? `${names(unsteady)} ${unsteady.length === 1 ? 'disagrees with itself' : 'disagree with themselves'} between equal runs.`
        : `${names(unsteady)} ${unsteady.length === 1 ? 'is' : 'are'} quarantined, and can neither prove nor refute.`,
    facts: [
      ...cut(disagreements.map(disagreement)),
      ...cut(quarantined.map(({ test, because }) => `${test}: quarantined, ${because}`)),
      ...cut(changing.map(anotherId)),
    ],
    next: ['make the test steady, or name another one', 'see how often: --baseline-runs 5'],
  };
}

function disagreement({ test, between, outcomes }: Disagreement): string {
  const told = outcomes.map((outcome) => outcome ?? 'not there').join(', then ');
  return `${test}: ${told} in two ${between}`;
}

/** Not of one that left something behind: its tests were never the same. */
function changingText(changing: readonly ChangingId[]): VerdictText {
  const [first] = changing;
  const { was, now } = first ?? { was: '', now: '' };
  return {
    reason: `${changing.length === 1 ? '1 id is' : `${changing.length} ids are`} made anew at each run, so that no run is like another: ${short(was)} was ${short(now)} in a later one.`,
    facts: cut(changing.map(anotherId)),
    next: [
      'give these tests ids that stay: in pytest `ids=[…]` of parametrize, or pytest.param(…, id="…")',
      `or set them aside in the lane: quarantine: [{ test: ${JSON.stringify(selectorFor({ was, now }))}, because: "…" }]`,
    ],
  };
}

const anotherId = ({ was, now }: ChangingId): string =>
  `another id at each run: ${short(was)}, then ${short(now)}`;

/** Parameters may be whole documents; where they differ stands mostly at one of their ends. */
const short = (id: string): string =>
  id.length <= 120 ? id : `${id.slice(0, 80)}…${id.slice(-30)}`;

export function unsettledText(verdict: Found<'unsettled'>): VerdictText {
  const { changing } = verdict;
  if (verdict.tests.every(({ test }) => isChanging(test, changing))) return changingText(changing);
  return {
    reason: `Every byte is back, but ${names(verdict.tests.map(({ test }) => test))} ${verdict.tests.length === 1 ? 'is' : 'are'} not as before, twice.`,
    facts: [
      ...cut(
        verdict.tests.map(
          ({ test, baseline, restored }) =>
            `${test}: ${baseline ?? 'not there'} in the baseline, ${restored} on the restored tree`,
        ),
      ),
      ...cut(changing.map(anotherId)),
    ],
    next: [
      'look for what the tests leave outside the tree: a database, a temporary folder, a lock file, a server',
    ],
  };
}

export function deadLaneText(verdict: Found<'dead-lane'>): VerdictText {
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

export function reachFacts(reach: Reach | null): readonly string[] {
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
