/** The wording of verdicts about files. */
import type { NotApplied } from '../../mutation/edit.js';
import { unreachable } from '../../result.js';
import type { Touched } from '../evidence.js';
import { cut, names, type Found, type VerdictText } from './words.js';

export function notRestoredText(verdict: Found<'not-restored'>): VerdictText {
  return {
    reason: `${names(verdict.files.map(({ path }) => path))} could not be verified as restored.`,
    facts: verdict.files.map(({ path, why }) => `${path}: ${why}`),
    next: [
      'run `counterproof recover` before anything else touches the tree',
      ...(verdict.original === null ? [] : [`the original is kept in ${verdict.original}`]),
    ],
  };
}

export function notAppliedText(problem: NotApplied): VerdictText {
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
        next: [problem.next ?? 'write the edit again from the file as it is now'],
      };
    }
    case 'ambiguous': {
      const { path, what, expected, lines } = problem;
      return {
        reason: `${what} fits ${lines.length} times in ${path}, not ${expected === 1 ? 'once' : `${expected} times`}.`,
        facts: [`it fits at ${path}:${lines.join(', ')}`],
        next: [problem.next ?? 'narrow it with `within`, or give it more lines of context'],
      };
    }
    case 'no-change':
      return {
        reason: `${problem.what} changes no byte of ${problem.path}${problem.why === undefined ? '' : `: ${problem.why}`}.`,
        facts: [],
        next: [problem.next ?? 'write an edit that differs from what is there'],
      };
    case 'no-revision':
      return {
        reason: `Revision ${problem.rev} is not in this repository.`,
        facts: [],
        next: [problem.hint],
      };
    case 'not-in-commit':
      return {
        reason: `${problem.rev}: ${problem.why}.`,
        facts: cut(problem.facts),
        next: [problem.next],
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

const TOUCHED_BY: Readonly<Record<Touched['by'], string>> = {
  lane: 'written by the lane',
  somebody: 'changed by somebody, and not by the lane',
  either: 'written by a test or somebody',
};

export function treeTouchedText(verdict: Found<'tree-touched'>): VerdictText {
  const { touched, kept } = verdict;
  const paths = [...new Set([...kept, ...touched].map(({ path }) => path))];
  return {
    reason: `${names(paths)} changed while it was being measured.`,
    facts: [
      ...kept.map(({ path, keptAs }) => `${path}: what was found in it is kept as ${keptAs}`),
      ...cut(touched.map(({ path, by }) => `${path}: ${TOUCHED_BY[by]}`)),
    ],
    next: [
      touched.some(({ by }) => by === 'lane')
        ? 'keep the lane from writing into tracked files'
        : touched.some(({ by }) => by === 'either') || kept.length > 0
          ? 'run it again while nobody edits the tree; if it happens again, a test writes there'
          : 'run it again while nobody edits the tree',
    ],
  };
}
