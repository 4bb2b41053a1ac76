/** Whether the verdicts that were written down are those that libtest counts. */
import type { Attempt } from './attempt.js';
import { summariesOf, type Summary } from './printed.js';
import { stdoutOf } from '../words.js';

export function countsOf({ verdicts }: Attempt): Summary {
  const count = (outcome: string): number =>
    [...verdicts.values()].filter((verdict) => verdict.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), ignored: count('skipped') };
}

/** Whether libtest's last line is there and counts what it wrote down. */
export function summaryOf(tried: Attempt): 'absent' | 'agrees' | 'differs' {
  const counts = countsOf(tried);
  const summaries = summariesOf(stdoutOf(tried.end));
  if (summaries.length === 0) return 'absent';
  return summaries.some(
    ({ passed, failed, ignored }) =>
      passed === counts.passed && failed === counts.failed && ignored === counts.ignored,
  )
    ? 'agrees'
    : 'differs';
}

export const shownCounts = ({ passed, failed, ignored }: Summary): string =>
  `${String(passed)} passed, ${String(failed)} failed, ${String(ignored)} ignored`;
