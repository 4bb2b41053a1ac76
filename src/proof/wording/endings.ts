/** The wording of verdicts about runs that did not end, broke, or did not say everything. */
import { unreachable } from '../../result.js';
import type { Breakage, Ending } from '../evidence.js';
import type { Gap, RunName } from '../verdict.js';
import { cut, names, type Found, type VerdictText } from './words.js';

export function brokenText(verdict: Found<'broken'>): VerdictText {
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
}

function brokenReason(run: RunName, causes: readonly Breakage[]): string {
  const [first] = causes;
  const what = first === undefined ? 'a test could not load the mutated code' : breakage(first);
  if (run.step === 'baseline') return `${where(run)} is broken before any mutation: ${what}.`;
  if (run.step === 'restored') return `${where(run)} is broken after the restore: ${what}.`;
  return `The mutant cannot be loaded: ${what}.`;
}

function breakage({ file, line, message }: Breakage): string {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
  return `${place}${message}`;
}

export function timeoutText(verdict: Found<'timeout'>): VerdictText {
  const { run, limit, limitMs, test } = verdict;
  return {
    reason: `${where(run)} ran into its ${limit} limit of ${seconds(limitMs)}${test === null ? '' : ` in ${test}`}.`,
    facts: test === null ? [] : [`running when time was up: ${test}`],
    next: [
      `raise the lane's \`limits.${limit}\` if it is only slow`,
      ...(test === null || run.step === 'baseline'
        ? []
        : [`if a hang is what you expect, say so: flips: [{ test: "${test}", to: [timeout] }]`]),
    ],
  };
}

export function outOfMemoryText(verdict: Found<'out-of-memory'>): VerdictText {
  const { run, limitBytes, test } = verdict;
  return {
    reason: `${where(run)} used more than ${mebibytes(limitBytes)} of memory${test === null ? '' : ` in ${test}`}.`,
    facts: test === null ? [] : [`running at that moment: ${test}`],
    next: ["raise the lane's `limits.memory`, or change the mutation"],
  };
}

export function incompleteText(run: RunName, gap: Gap): VerdictText {
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

const where = ({ lane, step }: RunName): string => `The ${step} run of lane ${lane}`;

const seconds = (ms: number): string => `${Number((ms / 1000).toPrecision(3))} s`;

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
