/** What each new or changed test does without the fix. */
import { viewStep } from '../proof/moves.js';
import type { StepEvidence } from '../proof/evidence.js';
import { isRed, type Outcome } from '../proof/outcome.js';
import type { FixTestRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import { endMessage, type Failure, type Finding, type Measurement } from './finding.js';
import { createRustPlaces, type ReadSource } from './rust-places.js';
import { idsOf, type FixTest, type TestIds } from './tests-of.js';

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
  readonly read: ReadSource;
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
  'error',
  'flaky',
  'broken',
  'not-run',
  'passed',
];

/**
 * A test fails without the fix only where a take shows a failure of it that counts as evidence for
 * what was taken back. One that fails by a name that is gone is `broken`, in whichever take.
 */
export function testAnswers(input: TestAnswerInput): readonly FixTestRecord[] {
  const first = input.whole ?? input.parts[0] ?? null;
  const baseline = first?.measurement.evidence.baseline ?? null;
  const ids = baseline?.results.map(({ id }) => id) ?? [];
  const placesOf = createRustPlaces(baseline?.executables?.sums ?? [], input.read);
  return input.tests.flatMap((one) => {
    const named = idsOf(one, input.root, placesOf);
    if (named.length === 0) return [unplaced(one)];
    return named.map((each) => answerOf(each, one.kind, ids, baseline, input));
  });
}

function unplaced({ path, name, kind }: FixTest): FixTestRecord {
  const message = 'which executable of the lane holds it is not known';
  return {
    test: `${path} ${name}`,
    kind,
    withoutFix: 'not-run',
    message,
    proof: null,
    rows: [],
  };
}

function answerOf(
  { test, among }: TestIds,
  kind: FixTest['kind'],
  ids: readonly string[],
  baseline: StepEvidence | null,
  input: TestAnswerInput,
): FixTestRecord {
  const rows = among(ids).map((id) => rowOf(id, baseline, input));
  const worst = ORDER.map((each) => rows.find(({ withoutFix }) => withoutFix === each)).find(
    (row) => row !== undefined,
  );
  const isPlain = rows.length === 1 && rows[0]?.id === test;
  return {
    test,
    kind,
    withoutFix: worst?.withoutFix ?? 'not-run',
    message: worst === undefined ? unselected(baseline) : worst.message,
    proof: worst?.proof ?? null,
    rows: isPlain
      ? []
      : rows.map(({ id, withoutFix, message }) => ({
          row: id.slice(test.length),
          withoutFix,
          message,
        })),
  };
}

function unselected(baseline: StepEvidence | null): string {
  if (baseline === null) return 'its lane was not run';
  return baseline.ending.kind === 'complete'
    ? 'the lane does not select it'
    : 'its lane did not run to its end';
}

const EVIDENCE: ReadonlySet<WithoutFix> = new Set(['failed', 'crashed', 'timeout', 'error']);

function rowOf(id: string, baseline: StepEvidence | null, input: TestAnswerInput): Row {
  const { whole, parts, isPartial } = input;
  const nothing = (message: string): Row => ({ id, withoutFix: 'not-run', message, proof: null });
  const before = baseline?.results.find((result) => result.id === id)?.outcome;
  if (before !== 'passed') return nothing(`${before ?? 'unknown'} with the fix`);
  const direct = whole === null ? null : outcomeIn(id, whole);
  if (direct?.withoutFix === 'passed')
    return isPartial
      ? { ...direct, ...nothing('not all of the fix could be taken back'), proof: direct.proof }
      : direct;
  if (direct !== null && (direct.withoutFix === 'flaky' || EVIDENCE.has(direct.withoutFix)))
    return direct;
  const inParts = parts.map((part) => outcomeIn(id, part)).filter((row) => row !== null);
  return (
    inParts.find(({ withoutFix }) => EVIDENCE.has(withoutFix)) ??
    direct ??
    inParts.find(({ withoutFix }) => withoutFix === 'broken') ??
    nothing(whole === null ? 'the fix could not be taken back' : 'no run shows what it does')
  );
}

const GONE = 'it is gone without the fix';

/** What one take says of the test, by the same finding that speaks for its changes; null: nothing. */
function outcomeIn(id: string, { measurement, finding, proof }: Shown): Row | null {
  const row = (withoutFix: WithoutFix, message: string | null): Row => ({
    id,
    withoutFix,
    message,
    proof,
  });
  switch (finding.kind) {
    case 'held': {
      const flip = finding.flips.find(({ test }) => test === id);
      if (flip?.to === 'crashed' || flip?.to === 'timeout')
        return row(flip.to, endMessage(flip.to));
      if (flip !== undefined) return row(flip.to === 'error' ? 'error' : 'failed', flip.message);
      break;
    }
    case 'no-evidence':
      if (finding.verdict === 'flaky') return row('flaky', null);
      if (finding.verdict === 'broken') return row('broken', finding.reason);
      return outcomeOf(id, measurement) === 'missing' ? row('not-run', GONE) : null;
    case 'ended':
      return null;
    case 'inseparable':
    case 'unmoved':
    case 'gone':
      break;
    default:
      return unreachable(finding);
  }
  const absence = 'absent' in finding ? absenceOf(id, finding.absent) : undefined;
  if (absence !== undefined) return row('broken', absence.message);
  const outcome = outcomeOf(id, measurement);
  if (outcome === 'missing') return row('not-run', GONE);
  if (outcome !== null && !isRed(outcome))
    return row('passed', outcome === 'passed' ? null : outcome);
  // Nothing was built, or its file was not collected.
  return outcome === null && finding.kind === 'inseparable'
    ? row('broken', finding.absent[0]?.message ?? finding.reason)
    : null;
}

/** Its own failure by a missing name, or that of its file. */
function absenceOf(id: string, absent: readonly Failure[]): Failure | undefined {
  const file = id.split('::')[0] ?? id;
  return (
    absent.find(({ test }) => test === id) ??
    absent.find(({ test, at }) => test === '' && at?.replace(/:\d+$/, '') === file)
  );
}

function outcomeOf(id: string, { evidence }: Measurement): Outcome | null {
  const { baseline, mutated, withoutEnder } = evidence;
  if (baseline === null || mutated === null) return null;
  return viewStep(baseline, withoutEnder ?? mutated).resultOf(id)?.outcome ?? null;
}
