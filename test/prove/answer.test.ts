import { describe, expect, test } from 'vitest';
import { answerOf } from '../../src/prove/answer.js';
import type { Change } from '../../src/prove/fix.js';
import { CI_SCRIPT, VERSION_NUMBER } from '../../src/prove/set-aside.js';
import type { Holding, Take } from '../../src/prove/take-model.js';

const take: Take = { changes: ['1'], lane: 'full', enders: [] };
const failure = { test: 't', to: 'failed', at: null, message: null } as const;
const HOLDINGS = {
  held: { kind: 'held', by: [failure], take },
  unheld: { kind: 'unheld', take },
  together: { kind: 'unheld-joined', with: ['2'], take, names: [] },
  'not-measurable': { kind: 'no-evidence', take, reason: 'not seen to run' },
} satisfies Readonly<Record<string, Holding>>;

const change = (why: string, more: Partial<Change> = {}): Change => ({
  id: '1',
  parts: [],
  class: 'source',
  why,
  scope: null,
  obstacle: null,
  ...more,
});

const range = { text: 'HEAD', from: 'a', to: 'b', commits: 1, subject: null, notes: [] };

function statusOf(
  one: Change,
  holding: Holding | null,
  arms: readonly [string, string] | null = null,
): string | undefined {
  const answer = answerOf({
    range,
    arms,
    breaks: [],
    tested: 'HEAD',
    changes: [one],
    state: {
      whole: { take, finding: { kind: 'unmoved', reason: 'none moved' } },
      changes: new Map(holding === null ? [] : [['1', holding]]),
      files: new Map(),
      support: null,
    },
    tests: [],
    red: new Set(),
    proofOf: () => 'whole',
    stopped: null,
  });
  return answer.changes[0]?.status;
}

describe('what no test need notice', () => {
  test.each([
    [VERSION_NUMBER, 'held', 'held'],
    [VERSION_NUMBER, 'unheld', 'aside'],
    [VERSION_NUMBER, 'together', 'together'],
    [VERSION_NUMBER, 'not-measurable', 'aside'],
    [CI_SCRIPT, 'held', 'held'],
    [CI_SCRIPT, 'unheld', 'unheld'],
    [CI_SCRIPT, 'not-measurable', 'aside'],
    ['code', 'unheld', 'unheld'],
    ['code', 'not-measurable', 'not-measurable'],
  ] as const)('a %s that is %s is %s', (why, known, status) => {
    expect(statusOf(change(why), HOLDINGS[known])).toBe(status);
  });

  test('is nothing of what is no source, nor of two trees', () => {
    const other = change(VERSION_NUMBER, { id: 'o1', class: 'other' });
    expect(statusOf(other, null)).toBe('stays');
    expect(statusOf(change(VERSION_NUMBER), null, ['v1', 'v2'])).toBe('skipped');
  });
});
