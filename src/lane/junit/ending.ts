/** How a run of the command ended, from its reports and from how its process ended. */
import type { Breakage, Ending, StepName } from '../../proof/evidence.js';
import { PRIVATE_REPORT } from '../../spec/lanes.js';
import type { ProcessEnd } from '../process.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from '../words.js';
import { explainsFailure, type Gathered } from './gather.js';

/** What is known of the report files, beside what is in them. */
export interface ReportFacts {
  /** Files that were read, as shown to people. */
  readonly read: readonly string[];
  /** Files that this step did not write. */
  readonly stale: readonly string[];
  /** `web.xml:12:7: unclosed tag: testsuite`, for those that are no whole report. */
  readonly faults: readonly string[];
  /** The lane's `report`. */
  readonly where: string;
}

export interface EndingFacts {
  readonly end: ProcessEnd;
  readonly step: StepName;
  readonly reports: ReportFacts;
  readonly gathered: Gathered;
  /** Tests of the baseline; null: this is the baseline. */
  readonly known: readonly string[] | null;
}

/**
 * The first that holds. A report names what it knows, and never what it does not: whether it is
 * whole shows only in that the file is, in that the command ended by itself, and, where the
 * command says that it failed, in that a test did and none of the baseline is lacking.
 */
export function endingOf(facts: EndingFacts): Ending {
  const { end, reports, gathered } = facts;
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'not-started': {
      const message = `the lane's command could not be started: ${end.code} ${end.message}`;
      return broken({ stage: 'configure', file: null, line: null, message });
    }
    case 'out-of-memory':
      return { kind: 'out-of-memory', limitBytes: end.limitBytes, test: null };
    case 'timeout':
      return { kind: 'timeout', limit: 'step', limitMs: end.limitMs, test: null };
    case 'signalled':
    case 'stopped':
      return { kind: 'crashed', how: howEnded(end), test: null };
    case 'exited':
      break;
  }
  if (reports.read.length === 0) return withoutReport(facts);
  const [fault] = reports.faults;
  if (fault !== undefined) return incomplete(facts, `a report is not whole: ${fault}`);
  // Whatever the exit code says: a count without a name hides which test it was, or that it ran.
  const [unnamed] = gathered.unnamed;
  if (unnamed !== undefined) return incomplete(facts, `${unnamed} (${howEnded(end)})`);
  if (gathered.results.size === 0 && gathered.collectionErrors.length === 0) {
    const why = `${names(reports.read)} holds no test (${howEnded(end)})${lastSaid(end, reports)}`;
    return { kind: 'empty', deselected: 0, why };
  }
  return end.code === 0 ? { kind: 'complete' } : failedEnding(facts);
}

/** The command says that something failed. Whatever did must be a test by name, and all others be there. */
function failedEnding(facts: EndingFacts): Ending {
  const { end, gathered, known } = facts;
  if (!explainsFailure(gathered)) {
    const why = `${howEnded(end)}, though no test in its report failed: what did is not in the report`;
    return incomplete(facts, why + lastSaid(end, facts.reports));
  }
  const lacking = withoutOutcome(facts);
  if (lacking.length === 0) return { kind: 'complete' };
  const listed = gathered.listed.size === 0 ? '' : ', or are listed without having run';
  const what =
    known === null
      ? 'tests are listed that did not run'
      : `tests of the baseline are not in its report${listed}`;
  return incomplete(facts, `${howEnded(end)}, and ${what}`);
}

/** Nobody knows of these whether they passed: the command may have died before it came to them. */
function withoutOutcome({ gathered, known }: EndingFacts): readonly string[] {
  const { results, listed } = gathered;
  const absent = (known ?? []).filter((id) => !results.has(id));
  return [...absent, ...listed];
}

function withoutReport({ end, step, reports }: EndingFacts): Ending {
  const said = lastSaid(end, reports);
  const isPrivate = reports.where === PRIVATE_REPORT;
  const place = isPrivate ? PRIVATE_REPORT : `\`${reports.where}\``;
  const [stale] = reports.stale;
  if (stale !== undefined) {
    return {
      kind: 'no-channel',
      why: `the command ended (${howEnded(end)}) and wrote no report: ${names(reports.stale)} is older than this run${said}`,
      hint: 'a build tool that takes results from a cache runs no test: switch that cache off for this lane',
    };
  }
  const failed = end.kind === 'exited' && end.code !== 0;
  if (failed && step !== 'baseline')
    return { kind: 'crashed', how: `${howEnded(end)} without a report${said}`, test: null };
  return {
    kind: 'no-channel',
    why: `the command ended (${howEnded(end)}) and wrote no report to ${place}${said}`,
    hint: isPrivate
      ? 'let the command write JUnit XML to the path that {report} stands for'
      : 'let `report` name the place to which the command writes JUnit XML, relative to `cwd`',
  };
}

function incomplete(facts: EndingFacts, why: string): Ending {
  return { kind: 'incomplete', why, without: withoutOutcome(facts) };
}

const broken = (...causes: readonly Breakage[]): Ending => ({ kind: 'broken', causes });

/** The last line of output, but for one that says where the report is. */
function lastSaid(end: ProcessEnd, { read }: ReportFacts): string {
  const lines = `${stdoutOf(end)}\n${stderrOf(end)}`.split('\n');
  const words = lastWords(
    lines.filter((line) => !read.some((name) => line.includes(name))).join('\n'),
  );
  return words === null ? '' : `; it said: ${words}`;
}

const names = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} (and ${others.length} more)`;
