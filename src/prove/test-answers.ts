/** What each new or changed test does without the fix. */
import { endedBy } from '../proof/facts.js';
import { viewStep, type StepView } from '../proof/moves.js';
import type { StepEvidence } from '../proof/evidence.js';
import { isRed, type TestResult } from '../proof/outcome.js';
import type { FixTestRecord } from '../record/schema.js';
import { endMessage, type Finding, type Measurement } from './finding.js';
import { idsOf, type FixTest } from './tests-of.js';

/** One take that was measured, with what it says. */
export interface Shown {
  readonly proof: string;
  readonly measurement: Measurement;
  readonly finding: Finding;
}

export interface TestAnswerInput {
  readonly tests: readonly FixTest[];
  /** Root relative to the tree. */
  readonly root: string;
  /** The whole fix taken back; null: not measured. */
  readonly whole: Shown | null;
  /** Single changes and joined ones, in order: what they show where the whole shows nothing. */
  readonly parts: readonly Shown[];
  /** Some of the fix could not be taken back, so that passing says nothing. */
  readonly isPartial: boolean;
}

type WithoutFix = FixTestRecord['withoutFix'];

interface Row {
  readonly id: string;
  readonly withoutFix: WithoutFix;
  readonly message: string | null;
  readonly proof: string | null;
}

/** From the worst news for the fix's absence to none: one row that fails makes the test notice. */
const ORDER: readonly WithoutFix[] = [
  'failed',
  'crashed',
  'timeout',
  'flaky',
  'broken',
  'not-run',
  'passed',
];

export function testAnswers(input: TestAnswerInput): readonly FixTestRecord[] {
  const baseline = input.whole?.measurement.evidence.baseline ?? null;
  const ids = baseline?.results.map(({ id }) => id) ?? [];
  return input.tests.map((one) => {
    const { kind } = one;
    const named = idsOf(one, input.root);
    const test = named.base(ids);
    const rows = ids.filter(named.of).map((id) => rowOf(id, baseline, input));
    const worst = ORDER.map((each) => rows.find(({ withoutFix }) => withoutFix === each)).find(
      (row) => row !== undefined,
    );
    const isPlain = rows.length === 1 && rows[0]?.id === test;
    return {
      test,
      kind,
      withoutFix: worst?.withoutFix ?? 'not-run',
      message: worst === undefined ? 'the lane does not select it' : worst.message,
      proof: worst?.proof ?? null,
      rows: isPlain
        ? []
        : rows.map(({ id, withoutFix, message }) => ({
            row: id.slice(test.length),
            withoutFix,
            message,
          })),
    };
  });
}

function rowOf(id: string, baseline: StepEvidence | null, input: TestAnswerInput): Row {
  const { whole, parts, isPartial } = input;
  const before = baseline?.results.find((result) => result.id === id)?.outcome;
  if (before !== 'passed')
    return {
      id,
      withoutFix: 'not-run',
      message: `${before ?? 'unknown'} with the fix`,
      proof: null,
    };
  const direct = whole === null ? null : outcomeIn(id, whole);
  if (direct !== null && direct.withoutFix !== 'passed' && direct.withoutFix !== 'not-run') {
    if (direct.withoutFix !== 'broken') return direct;
  } else if (direct?.withoutFix === 'passed') {
    return isPartial
      ? { ...direct, withoutFix: 'not-run', message: 'not all of the fix could be taken back' }
      : direct;
  }
  const shown = parts
    .map((part) => outcomeIn(id, part))
    .find((row) => row !== null && ['failed', 'crashed', 'timeout'].includes(row.withoutFix));
  return (
    shown ??
    direct ?? { id, withoutFix: 'not-run', message: 'the fix could not be taken back', proof: null }
  );
}

/** What the test did in the mutated run of one take; null: nothing is known of it. */
function outcomeIn(id: string, { measurement, finding, proof }: Shown): Row | null {
  const { baseline, mutated } = measurement.evidence;
  if (baseline === null || mutated === null) return null;
  const row = (withoutFix: WithoutFix, message: string | null): Row => ({
    id,
    withoutFix,
    message,
    proof,
  });
  const end = endedBy(mutated.ending);
  if (end?.test === id) return row(end.outcome, endMessage(end.outcome));
  if (finding.kind === 'no-evidence' && finding.verdict === 'flaky') return row('flaky', null);
  const view = viewOf(measurement, baseline, mutated);
  const result = view.resultOf(id);
  if (result === null) return unknown(id, finding, row);
  if (!isRed(result.outcome)) {
    if (finding.kind === 'no-evidence') return unknown(id, finding, row);
    const moved = result.outcome === 'passed' ? null : result.outcome;
    return row('passed', moved);
  }
  if (isAbsent(result, finding)) return row('broken', result.message);
  if (result.outcome === 'crashed' || result.outcome === 'timeout')
    return row(result.outcome, endMessage(result.outcome));
  return finding.kind === 'held' ? row('failed', result.message) : unknown(id, finding, row);
}

function viewOf(
  { evidence }: Measurement,
  baseline: StepEvidence,
  mutated: StepEvidence,
): StepView {
  return viewStep(baseline, evidence.withoutEnder ?? mutated);
}

/** A test without an outcome: its file could not be collected, or nothing is known of it. */
function unknown(
  id: string,
  finding: Finding,
  row: (withoutFix: WithoutFix, message: string | null) => Row,
): Row | null {
  if (finding.kind === 'held' || finding.kind === 'inseparable') {
    const file = id.split('::')[0] ?? id;
    const cause = finding.absent.find(
      ({ test, at }) => test === '' && at?.replace(/:\d+$/, '') === file,
    );
    if (cause !== undefined) return row('broken', cause.message);
    if (finding.kind === 'held') return null;
    return row('broken', finding.absent[0]?.message ?? finding.reason);
  }
  return finding.kind === 'no-evidence' && finding.verdict === 'broken'
    ? row('broken', finding.reason)
    : null;
}

function isAbsent({ id, broken }: TestResult, finding: Finding): boolean {
  if (broken !== null) return true;
  const absent = finding.kind === 'held' || finding.kind === 'inseparable' ? finding.absent : [];
  return absent.some(({ test }) => test === id);
}
