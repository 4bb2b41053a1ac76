/** From pytest's reports to one result per test. */
import type { Outcome, Phase, TestResult } from '../../proof/outcome.js';
import { oneLine } from '../words.js';
import { worse } from '../worse.js';
import type { EventOf } from './events.js';
import type { Session } from './sessions.js';

type Report = EventOf<'report'>;

export interface Folded {
  readonly results: ReadonlyMap<string, TestResult>;
  /** Tests that a plugin ran again, with how often. */
  readonly reruns: ReadonlyMap<string, number>;
}

/**
 * Folds phases, subtests, repetitions (`--keep-duplicates`) and sessions of one id into its
 * worst. A `rerun` report is no outcome: what comes after it is. A subtest counts where it
 * failed, even though pytest 9 then calls its test passed; a skipped one says nothing about it.
 */
export function foldOutcomes(sessions: readonly Session[]): Folded {
  const results = new Map<string, TestResult>();
  const reruns = new Map<string, number>();
  for (const session of sessions) {
    for (const report of session.reports) {
      if (report.outcome === 'rerun') {
        reruns.set(report.id, (reruns.get(report.id) ?? 0) + 1);
        continue;
      }
      const next = resultOf(report);
      if (next === null) continue;
      const known = results.get(report.id);
      results.set(report.id, known === undefined ? next : worse(known, next));
    }
    for (const end of session.ends) {
      const known = results.get(end.id);
      if (known !== undefined) results.set(end.id, { ...known, durationMs: toMs(end.spent) });
    }
  }
  return { results, reruns };
}

export function resultOf(report: Report): TestResult | null {
  const outcome = outcomeOf(report);
  if (report.subtest !== null && outcome !== 'failed') return null;
  return {
    id: report.id,
    outcome,
    phase: outcome === 'passed' ? null : phaseOf(report.when),
    at: report.at,
    message: messageOf(report),
    durationMs: toMs(report.spent),
    broken: report.broken,
  };
}

function outcomeOf(report: Report): Outcome {
  switch (report.outcome) {
    case 'passed':
      return report.wasxfail === null ? 'passed' : 'xpassed';
    case 'skipped':
      return report.wasxfail === null ? 'skipped' : 'xfailed';
    case 'failed':
      // pytest-xdist and pytest-forked report so for the test in which a process died.
      if (report.when === '???') return 'crashed';
      return report.when === 'call' ? 'failed' : 'error';
    default:
      return 'error';
  }
}

/** The last report of a test whose teardown did not simply pass. */
export const endsTest = (report: Report): boolean =>
  report.when === '???' || (report.when === 'teardown' && report.subtest === null);

function phaseOf(when: string): Phase | null {
  return when === 'setup' || when === 'call' || when === 'teardown' ? when : null;
}

function messageOf(report: Report): string | null {
  const words = [report.subtest, report.message].filter((part) => part !== null && part !== '');
  return words.length === 0 ? null : oneLine(words.join(' '));
}

const toMs = (seconds: number): number => Math.round(seconds * 1e6) / 1e3;
