import { describe, expect, test } from 'vitest';
import { ofArms, ofParts, withBreaks, withNewTests } from '../../src/prove/overall.js';
import type { ChangeRecord, ProveRecord } from '../../src/record/schema.js';

type Status = ChangeRecord['status'];
type Whole = ProveRecord['whole'];

const record = (id: string, status: Status, kind: ChangeRecord['class']): ChangeRecord => ({
  id,
  file: 'src/a.py',
  line: 1,
  lines: { added: 1, removed: 1 },
  scope: null,
  class: kind,
  why: '',
  status,
  joined: [],
  joinedBy: null,
  names: [],
  proof: null,
  heldBy: [],
  reason: status === 'not-measurable' ? 'it hangs' : null,
});
const source = (...statuses: readonly Status[]): readonly ChangeRecord[] =>
  statuses.map((status, at) => record(String(at + 1), status, 'source'));
const test1 = record('t1', 'stays', 'test');

const whole = (state: 'held' | 'unheld' | 'not-measurable'): Whole => ({
  proof: 'whole',
  state,
  heldBy: state === 'held' ? ['t'] : [],
  reason: state === 'held' ? null : 'so it was',
});

describe('the answer for a range', () => {
  test.each([
    ['held', source('held'), 'held', 'A test fails without the fix.'],
    ['held', source('held', 'held'), 'held', 'The tests hold both hunks.'],
    ['held', source('held', 'held', 'held'), 'held', 'The tests hold all 3 hunks.'],
    [
      'held',
      source('held', 'unheld', 'together'),
      'partly-held',
      'The tests hold hunk 1. Nothing notices when hunks 2 and 3 are gone.',
    ],
    [
      'held',
      source('unheld', 'not-measurable'),
      'partly-held',
      'The tests hold the fix as a whole. Nothing notices when hunk 1 is gone. There is no evidence about hunk 2.',
    ],
    ['unheld', source('skipped', 'skipped'), 'unheld', 'No test fails without the fix.'],
    [
      'not-measurable',
      source('held', 'not-measurable'),
      'not-measurable',
      'The tests hold hunk 1. There is no evidence about hunk 2.',
    ],
    [
      'held',
      source('not-measurable', 'not-measurable'),
      'not-measurable',
      'The tests hold the fix as a whole. There is no evidence about hunks 1 and 2.',
    ],
    [
      'not-measurable',
      source('unheld', 'not-measurable'),
      'not-measurable',
      'Nothing notices when hunk 1 is gone. There is no evidence about hunk 2.',
    ],
    [
      'not-measurable',
      source('not-measurable'),
      'not-measurable',
      'There is no answer: so it was.',
    ],
  ] as const)('%s as a whole, %j', (state, records, overall, reason) => {
    expect(ofParts([...records, test1], whole(state))).toEqual({ overall, reason });
  });

  test.each([
    ['held', 0, 0, 'So it is.'],
    ['held', 1, 0, 'So it is. But 1 new test passes without it.'],
    ['held', 2, 0, 'So it is. But 2 new tests pass without it.'],
    ['unheld', 2, 0, 'So it is.'],
    ['held', 0, 1, 'So it is. But 1 new test fails with the fix in place.'],
    ['unheld', 2, 2, 'So it is. 2 new tests fail with the fix in place.'],
    [
      'held',
      1,
      1,
      'So it is. But 1 new test passes without it. 1 new test fails with the fix in place.',
    ],
  ] as const)('%s, new tests: %i pass without the fix, %i fail with it', (...row) => {
    const [overall, vacuous, red, reason] = row;
    expect(withNewTests({ overall, reason: 'So it is.' }, { vacuous, red }).reason).toBe(reason);
  });

  test.each([
    ['unheld', null, ['a.py::test_a'], 'test_a fails with this change and passes without it. So.'],
    ['held', null, ['a', 'b'], 'So. But a and b fail with this change and pass without it.'],
    [
      'unheld',
      ['2', '3'],
      ['a', 'b', 'c'],
      'a and 2 more fail with hunks 2 and 3 and pass without them. So.',
    ],
    ['held', ['2'], ['a'], 'So. But a fails with hunk 2 and passes without it.'],
  ] as const)('%s, and hunks %j break %j', (overall, ids, tests, reason) => {
    const answer = { overall, reason: 'So.' };
    expect(withBreaks(answer, [{ hunks: ids, tests }], null)).toEqual({ overall, reason });
  });

  test('names the arms where two trees were compared', () => {
    const breaks = [{ hunks: null, tests: ['a'] }];
    expect(withBreaks({ overall: 'unheld', reason: 'So.' }, breaks, ['v1', 'v2']).reason).toBe(
      'a fails on v2 and passes on v1. So.',
    );
  });

  test('names a few of many hunks', () => {
    const many = source('held', ...Array.from({ length: 9 }, () => 'unheld' as const));
    expect(ofParts(many, whole('held')).reason).toBe(
      'The tests hold hunk 1. Nothing notices when hunks 2, 3, 4, 5 and 5 more are gone.',
    );
  });

  test.each([
    [
      'held',
      ['held', 'aside', 'held'],
      'held',
      'The tests hold hunks 1 and 3. Hunk 2 is a version number that no test notices.',
    ],
    [
      'held',
      ['held', 'unheld', 'aside', 'aside'],
      'partly-held',
      'The tests hold hunk 1. Nothing notices when hunk 2 is gone. Hunks 3 and 4 are version numbers that no test notices.',
    ],
    [
      'unheld',
      ['skipped', 'aside'],
      'unheld',
      'No test fails without the fix. Hunk 2 is a version number that no test notices.',
    ],
    [
      'not-measurable',
      ['not-measurable', 'aside'],
      'not-measurable',
      'There is no answer: so it was. Hunk 2 is a version number that no test notices.',
    ],
    [
      'unheld',
      ['aside'],
      'nothing-to-prove',
      'The range changes nothing that a test has to notice. Hunk 1 is a version number that no test notices.',
    ],
  ] as const)(
    '%s as a whole, %j: what is set aside is said, and spoils nothing',
    (state, statuses, overall, reason) => {
      const records = source(...statuses).map((one) => ({ ...one, why: 'version number' }));
      expect(ofParts(records, whole(state))).toEqual({ overall, reason });
    },
  );

  test('what is set aside and could not be measured has no evidence', () => {
    const [held, ...scripts] = source('held', 'aside', 'aside');
    const unread = scripts.map((one) => ({
      ...one,
      why: 'script of CI',
      reason: 'not seen to run',
    }));
    const records = held === undefined ? [] : [held, ...unread];
    expect(ofParts(records, whole('held'))).toEqual({
      overall: 'held',
      reason: 'The tests hold hunk 1. There is no evidence about hunks 2 and 3, scripts of CI.',
    });
  });

  test('of what is set aside, what was measured is told from what was not', () => {
    const [held, quiet, unread] = source('held', 'aside', 'aside').map((one) => ({
      ...one,
      why: 'version number',
      reason: one.id === '3' ? 'not seen to run' : null,
    }));
    const records = [held, quiet, unread].filter((one) => one !== undefined);
    expect(ofParts(records, whole('held')).reason).toBe(
      'The tests hold hunk 1. Hunk 2 is a version number that no test notices. There is no evidence about hunk 3, a version number.',
    );
  });

  test('is none where there is no source, and says whether there are tests', () => {
    expect(ofParts([], null).reason).toBe('The range changes no source.');
    expect(ofParts([test1], null)).toEqual({
      overall: 'nothing-to-prove',
      reason: 'The range changes tests, and no source that they could hold.',
    });
  });
});

test('a cause that is a sentence gets no second full stop', () => {
  const cause = { ...whole('not-measurable'), reason: 'it said: Set FOO first.' } as Whole;
  const said = 'There is no answer: it said: Set FOO first.';
  expect(ofParts(source('not-measurable'), cause).reason).toBe(said);
  expect(ofArms(source('skipped'), ['v1', 'v2'], cause).reason).toBe(said);
});

test.each([
  [source('skipped'), 'held', 'Tests that pass on v2 fail on v1.'],
  [source('skipped'), 'unheld', 'No test that passes on v2 fails on v1.'],
  [source('skipped'), 'not-measurable', 'There is no answer: so it was.'],
  [[], 'nothing-to-prove', 'v1 and v2 differ in nothing that a test could notice.'],
] as const)('of two trees %j: %s', (records, overall, reason) => {
  const measured = overall === 'nothing-to-prove' ? null : whole(overall);
  expect(ofArms(records, ['v1', 'v2'], measured)).toEqual({ overall, reason });
});
