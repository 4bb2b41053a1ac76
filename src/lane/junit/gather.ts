/** Folds the test cases of all reports of a step into one result per test. */
import type { Breakage } from '../../proof/evidence.js';
import { isRed, type TestResult } from '../../proof/outcome.js';
import { worse } from '../worse.js';
import { collectionFault, type TargetNames } from './broken.js';
import { pathText, testId, type Roots } from './ids.js';
import { messageOf } from './message.js';
import { isRedMark, resultOf } from './outcomes.js';
import type { JunitCase, SuiteFault } from './report.js';

export interface Gathered {
  /** In the order of the reports, each test once. */
  readonly results: ReadonlyMap<string, TestResult>;
  /** Listed as passed, but never run. */
  readonly listed: ReadonlySet<string>;
  readonly collectionErrors: readonly Breakage[];
  /** Cases per id, where there are several. */
  readonly repeated: ReadonlyMap<string, number>;
  /** Failed, and passed when it was run again. */
  readonly flaky: readonly string[];
  /** In a phrase each: suites that count more failures than they name. */
  readonly unnamed: readonly string[];
}

export interface GatherContext {
  readonly roots: Roots;
  readonly targets: TargetNames;
  readonly placeIn: (text: string) => string | null;
}

export interface Gathering {
  readonly take: (found: JunitCase) => void;
  readonly takeFaults: (faults: readonly SuiteFault[]) => void;
  readonly done: () => Gathered;
}

/** Decimals of seconds from which on no test takes a time of exactly nothing. */
const FINE = 5;

export function gather({ roots, targets, placeIn }: GatherContext): Gathering {
  const results = new Map<string, TestResult>();
  const times = new Map<string, number>();
  const timeless = new Set<string>();
  const flaky = new Set<string>();
  const collectionErrors = new Map<string, Breakage>();
  const unnamed: string[] = [];
  let precision = 0;

  const note = (error: Breakage): void => {
    collectionErrors.set(`${error.file ?? ''}\n${error.message}`, error);
  };

  return {
    take(found) {
      const red = found.marks.find(isRedMark);
      const fault = red === undefined ? null : collectionFault(found, red);
      if (fault !== null) {
        note({ ...fault, file: fault.file === null ? null : pathText(fault.file, roots) });
        return;
      }
      const id = testId(found, roots);
      const next = resultOf(found, { id, targets, placeIn });
      const known = results.get(id);
      results.set(id, known === undefined ? next : worse(known, next));
      times.set(id, (times.get(id) ?? 0) + 1);
      precision = Math.max(precision, /\.(\d+)$/.exec(found.time ?? '')?.[1]?.length ?? 0);
      if (found.time === '0' && found.marks.length === 0 && found.status === null) timeless.add(id);
      else timeless.delete(id);
      if (next.outcome === 'passed' && found.marks.some(({ kind }) => kind === 'flaky'))
        flaky.add(id);
    },
    takeFaults(faults) {
      for (const fault of faults) {
        const { name, file } = fault.suite;
        const group = pathText(file ?? name ?? '', roots);
        if (fault.kind === 'unnamed') {
          const { counted, named } = fault;
          unnamed.push(unnamedText(group, counted, named));
        } else {
          const message = messageOf(fault.mark) ?? 'it failed as a whole';
          note({ stage: 'collect', file: group === '' ? null : group, line: null, message });
        }
      }
    },
    done: () => ({
      results,
      listed: precision < FINE ? new Set() : timeless,
      collectionErrors: [...collectionErrors.values()],
      repeated: new Map([...times].filter(([, count]) => count > 1)),
      flaky: [...flaky],
      unnamed,
    }),
  };
}

function unnamedText(group: string, counted: number, named: number): string {
  const who = group === '' ? 'the report' : `the report of ${group}`;
  const failures = `${counted} ${counted === 1 ? 'failure' : 'failures'}`;
  return `${who} counts ${failures}, but names ${named === 0 ? 'none' : named}`;
}

/** Whether the reports explain why a command says that it failed. */
export const explainsFailure = ({ results, collectionErrors }: Gathered): boolean =>
  collectionErrors.length > 0 || [...results.values()].some(({ outcome }) => isRed(outcome));

/** The file or class of an id, for counts per group. */
export const groupOf = (id: string): string => id.split('::', 1)[0] ?? id;
