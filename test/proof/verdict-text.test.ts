import { describe, expect, it } from 'vitest';
import { explain } from '../../src/proof/verdict-text.js';
import { VERDICTS } from '../../src/proof/verdict.js';
import type { Verdict } from '../../src/proof/verdict.js';
import { A, B, C, SOURCE, crash, hang, syntax } from './build.js';

const move = (test: string, to: 'failed' | 'error' | 'skipped') =>
  ({ test, from: 'passed', to, phase: null, at: 'tests/a.py:3', message: 'assert 1' }) as const;
const run = { lane: 'unit', step: 'mutated' } as const;
const base = { lane: 'unit', step: 'baseline' } as const;

/** Each verdict, with what a reader must find in its reason, its facts and its next lines. */
const ROWS: readonly (readonly [verdict: Verdict, reason: string, facts: string, next: string])[] =
  [
    [
      { code: 'not-restored', files: [{ path: SOURCE, why: 'EIO' }], original: '/kept/x' },
      SOURCE,
      'EIO',
      '/kept/x',
    ],
    [{ code: 'not-applied', problem: { kind: 'no-file', path: SOURCE } }, SOURCE, '', 'root'],
    [{ code: 'not-applied', problem: { kind: 'exists', path: SOURCE } }, 'exists', '', 'free'],
    [
      {
        code: 'not-applied',
        problem: {
          kind: 'no-match',
          path: SOURCE,
          what: 'the patch',
          nearest: { line: 7, expected: 'a', found: 'b' },
        },
      },
      'nowhere',
      `${SOURCE}:7`,
      'as it is now',
    ],
    [
      {
        code: 'not-applied',
        problem: { kind: 'ambiguous', path: SOURCE, what: 'the patch', expected: 1, lines: [3, 9] },
      },
      '2 times',
      '3, 9',
      'within',
    ],
    [
      { code: 'not-applied', problem: { kind: 'no-change', path: SOURCE, what: 'the edit' } },
      'no byte',
      '',
      'differs',
    ],
    [
      {
        code: 'not-applied',
        problem: {
          kind: 'no-change',
          path: SOURCE,
          what: 'the edit',
          why: 'the file is the same in abc123',
        },
      },
      `the edit changes no byte of ${SOURCE}: the file is the same in abc123.`,
      '',
      'differs',
    ],
    [
      { code: 'not-applied', problem: { kind: 'no-revision', rev: 'abc123', hint: 'git fetch' } },
      'abc123',
      '',
      'git fetch',
    ],
    [
      { code: 'not-applied', problem: { kind: 'refused', path: SOURCE, why: 'line 3 is blank' } },
      'line 3 is blank',
      '',
      'another place',
    ],
    [
      { code: 'not-applied', problem: { kind: 'unwritable', path: SOURCE, why: 'it is a mount' } },
      'a mount',
      '',
      'writable',
    ],
    [
      {
        code: 'not-selected',
        lane: 'unit',
        problems: [{ kind: 'lane-empty', deselected: 8, why: 'none match' }],
      },
      'no test',
      '8 deselected',
      'select',
    ],
    [
      {
        code: 'not-selected',
        lane: 'unit',
        problems: [
          { kind: 'deselected', role: 'expected', selector: A, tests: [A], select: 'gpu_0' },
        ],
      },
      'gpu_0',
      '1 test',
      'unit',
    ],
    [
      {
        code: 'not-selected',
        lane: 'unit',
        problems: [{ kind: 'unknown', role: 'expected', selector: 'x', nearest: [A] }],
      },
      'x',
      A,
      `did you mean ${A}`,
    ],
    [
      {
        code: 'not-selected',
        lane: 'unit',
        problems: [
          { kind: 'ambiguous', role: 'expected', selector: 'x', between: ['jail x', 'tool x'] },
        ],
      },
      'could be one of 2',
      'jail x, tool x',
      'write out which one is meant: jail x',
    ],
    [
      { code: 'not-selected', lane: 'unit', problems: [{ kind: 'nothing-left', selector: A }] },
      A,
      'flips',
      'control',
    ],
    [
      {
        code: 'baseline-red',
        lane: 'unit',
        problems: [
          {
            kind: 'expected',
            selector: A,
            from: 'passed',
            tests: [{ test: A, outcome: 'failed', message: 'assert 0' }],
          },
        ],
      },
      A,
      'assert 0',
      'from',
    ],
    [
      {
        code: 'baseline-red',
        lane: 'unit',
        problems: [{ kind: 'control', selector: C, counts: { skipped: 2 } }],
      },
      C,
      '2 skipped',
      'untouched',
    ],
    [
      { code: 'broken', run, causes: [syntax], tests: [{ test: B, why: 'ImportError' }] },
      'SyntaxError',
      `${SOURCE}:3`,
      'compiles',
    ],
    [
      { code: 'broken', run: base, causes: [syntax], tests: [] },
      'before any mutation',
      SOURCE,
      'untouched',
    ],
    [{ code: 'timeout', run, limit: 'test', limitMs: 10_000, test: A }, '10 s', A, `to: [timeout]`],
    [{ code: 'out-of-memory', run, limitBytes: 1 << 30, test: A }, '1024 MiB', A, 'limits.memory'],
    [
      {
        code: 'tree-touched',
        touched: [{ path: SOURCE, by: 'lane' }],
        kept: [{ path: SOURCE, keptAs: '/kept' }],
      },
      SOURCE,
      'written by the lane',
      'keep the lane from writing',
    ],
    [
      { code: 'tree-touched', touched: [{ path: SOURCE, by: 'somebody' }], kept: [] },
      SOURCE,
      'changed by somebody, and not by the lane',
      'while nobody edits',
    ],
    [
      { code: 'tree-touched', touched: [{ path: SOURCE, by: 'either' }], kept: [] },
      SOURCE,
      'written by a test or somebody',
      'a test writes there',
    ],
    [{ code: 'incomplete', run, gap: { kind: 'ending', ending: crash(A) } }, A, A, 'to: [crashed]'],
    [
      { code: 'incomplete', run: base, gap: { kind: 'ending', ending: crash(A) } },
      'baseline',
      A,
      'log',
    ],
    [
      {
        code: 'incomplete',
        run,
        gap: { kind: 'ending', ending: { kind: 'no-channel', why: '-I', hint: 'drop -I' } },
      },
      'by name',
      '',
      'drop -I',
    ],
    [
      {
        code: 'incomplete',
        run,
        gap: { kind: 'ending', ending: { kind: 'incomplete', why: 'exit 0', without: [B] } },
      },
      'exit 0',
      B,
      'log',
    ],
    [
      {
        code: 'incomplete',
        run,
        gap: { kind: 'ending', ending: { kind: 'empty', deselected: 1, why: 'all out' } },
      },
      'all out',
      '',
      'collects',
    ],
    [
      { code: 'incomplete', run, gap: { kind: 'ending', ending: { kind: 'cancelled' } } },
      'interrupted',
      '',
      'again',
    ],
    [{ code: 'incomplete', run, gap: { kind: 'ending', ending: hang(A) } }, 'timeout', '', ''],
    [
      { code: 'incomplete', run, gap: { kind: 'not-run', why: 'the repeat was not run' } },
      'the repeat',
      '',
      'again',
    ],
    [{ code: 'incomplete', run, gap: { kind: 'no-outcome', tests: [B] } }, B, B, 'log'],
    [
      {
        code: 'not-loaded',
        step: 'baseline',
        problem: { kind: 'elsewhere', path: SOURCE, elsewhere: '/usr/lib/r.py' },
      },
      'do not import',
      '/usr/lib/r.py',
      'in place',
    ],
    [
      {
        code: 'not-loaded',
        step: 'mutated',
        problem: { kind: 'other-bytes', path: SOURCE, expected: 'aa', found: null },
      },
      SOURCE,
      'from a cache',
      'caches',
    ],
    [
      {
        code: 'not-loaded',
        step: 'mutated',
        problem: {
          kind: 'unseen',
          files: [{ path: SOURCE, why: null }],
          flipped: [],
          turned: [],
          watched: true,
        },
      },
      SOURCE,
      SOURCE,
      'use that file',
    ],
    [
      {
        code: 'not-loaded',
        step: 'mutated',
        problem: {
          kind: 'unseen',
          files: [{ path: SOURCE, why: null }],
          flipped: [A],
          turned: [],
          watched: false,
        },
      },
      A,
      SOURCE,
      'use that file',
    ],
    [
      {
        code: 'not-loaded',
        step: 'mutated',
        problem: {
          kind: 'unseen',
          files: [{ path: SOURCE, why: null }],
          flipped: [],
          turned: [],
          watched: false,
        },
      },
      SOURCE,
      'load proof: none',
      'throw at the head',
    ],
    [
      {
        code: 'not-loaded',
        step: 'mutated',
        problem: {
          kind: 'unseen',
          files: [{ path: SOURCE, why: null }],
          flipped: [],
          turned: [A],
          watched: false,
        },
      },
      `${A} moved from red to passed`,
      'load proof: none',
      '`from` and `to`',
    ],
    [
      {
        code: 'flaky',
        disagreements: [{ test: A, between: 'mutated runs', outcomes: ['failed', null] }],
        quarantined: [],
        changing: [],
      },
      A,
      'failed, then not there',
      'steady',
    ],
    [
      {
        code: 'flaky',
        disagreements: [{ test: `${A}[7]`, between: 'mutated runs', outcomes: ['passed', null] }],
        quarantined: [],
        changing: [{ was: `${A}[1]`, now: `${A}[2]` }],
      },
      '1 id is made anew at each run',
      `another id at each run: ${A}[1], then ${A}[2]`,
      'ids that stay',
    ],
    [
      {
        code: 'unsettled',
        step: 'closing',
        tests: [{ test: `${A}[1]`, baseline: 'passed', restored: 'missing' }],
        changing: [{ was: `${A}[1]`, now: `${A}[2]` }],
      },
      `${A}[1] was ${A}[2] in a later one`,
      `another id at each run: ${A}[1], then ${A}[2]`,
      `quarantine: [{ test: "${A}", because: "…" }]`,
    ],
    [
      {
        code: 'unsettled',
        step: 'closing',
        tests: [
          { test: `${A}[1]`, baseline: 'passed', restored: 'missing' },
          { test: B, baseline: 'passed', restored: 'failed' },
        ],
        changing: [{ was: `${A}[1]`, now: `${A}[${'2'.repeat(200)}]` }],
      },
      'twice',
      `${A}[1], then ${A}[`,
      'outside the tree',
    ],
    [
      {
        code: 'flaky',
        disagreements: [],
        quarantined: [{ test: A, because: 'a port' }],
        changing: [],
      },
      'quarantined',
      'a port',
      'another',
    ],
    [
      {
        code: 'unsettled',
        step: 'restored',
        tests: [{ test: A, baseline: 'passed', restored: 'failed' }],
        changing: [],
      },
      'twice',
      'passed in the baseline',
      'outside the tree',
    ],
    [{ code: 'dead-lane', by: 'alive', own: true, ran: 111, reach: null }, '111 tests', '', 'mock'],
    [{ code: 'dead-lane', by: 'alive', own: false, ran: 111, reach: null }, 'alive', '', 'mock'],
    [
      {
        code: 'survived',
        ran: 111,
        reach: { state: 'reached', by: [A], noticed: [] },
        liveness: { kind: 'alive', by: 'gate', flipped: B },
        unrun: [],
      },
      '111 tests ran, none moved',
      A,
      'accept: { verdict: survived',
    ],
    [
      {
        code: 'survived',
        ran: 1,
        reach: { state: 'unreached' },
        liveness: { kind: 'not-shown' },
        unrun: [{ tests: 'doctests of jail', why: 'no doc' }],
      },
      '1 test ran',
      'no test gets',
      'gets to the edited function; or run first what the lane leaves out: doctests of jail',
    ],
    [
      {
        code: 'survived',
        ran: 1,
        reach: { state: 'unknown', why: 'module level' },
        liveness: { kind: 'not-shown' },
        unrun: [],
      },
      '1 test ran',
      'module level',
      'write a test',
    ],
    [
      {
        code: 'partial',
        flipped: [move(A, 'failed')],
        missing: [B, C],
        otherwise: [move(B, 'error')],
        required: 3,
      },
      '1 of 3',
      'passed → error',
      'flips',
    ],
    [
      { code: 'moved-otherwise', moves: [move(A, 'error')], over: [], message: [] },
      'to error',
      'passed → error',
      `{ test: "${A}", to: [error] }`,
    ],
    [
      {
        code: 'moved-otherwise',
        moves: [],
        over: [{ selector: 'tests', count: 1, flipped: 2 }],
        message: [],
      },
      '2 tests of tests',
      'not 1',
      'count: 2',
    ],
    [
      {
        code: 'moved-otherwise',
        moves: [move(A, 'failed')],
        over: [],
        message: [{ test: A, pattern: 'Key' }],
      },
      A,
      '/Key/',
      'message',
    ],
    [
      { code: 'caught-elsewhere', expected: [A], moves: [move(C, 'failed')] },
      C,
      `did not move: ${A}`,
      'flips',
    ],
    [
      {
        code: 'control-moved',
        why: 'declared',
        controls: [{ selector: 'tests', lane: 'unit', total: 3, moved: [move(C, 'skipped')] }],
        others: [],
      },
      C,
      '1 of 3',
      'controls',
    ],
    [
      { code: 'control-moved', why: 'exact', controls: [], others: [move(C, 'failed')] },
      'exact',
      C,
      'narrow',
    ],
    [
      { code: 'control-moved', why: 'none', controls: [], others: [move(C, 'failed')] },
      'nothing was to move',
      C,
      'equivalent',
    ],
    [
      {
        code: 'stale-acceptance',
        accepted: 'survived',
        because: 'known',
        found: {
          code: 'pinned',
          flipped: 1,
          held: 3,
          total: 4,
          controls: 0,
          only: A,
          flips: 'tests',
        },
      },
      'now pinned',
      'known',
      'accept',
    ],
    [
      { code: 'pinned', flipped: 1, held: 682, total: 682, controls: 0, only: A, flips: 'tests' },
      '1 test notices, 682 others did not move.',
      '',
      '',
    ],
    [
      { code: 'pinned', flipped: 2, held: 680, total: 682, controls: 1, only: null, flips: 'any' },
      '680 of 682',
      '1 declared control held',
      '',
    ],
    [
      { code: 'pinned', flipped: 0, held: 5, total: 5, controls: 0, only: null, flips: 'none' },
      'as declared',
      '',
      '',
    ],
  ];

describe('wording', () => {
  for (const [verdict, reason, facts, next] of ROWS) {
    const text = explain(verdict);
    it(`${verdict.code}: ${text.reason}`, () => {
      expect(text.reason).toContain(reason);
      expect(text.facts.join('\n')).toContain(facts);
      expect(text.next.join('\n')).toContain(next);
    });
    it(`${verdict.code}: is one sentence, and says what to do unless it is proven`, () => {
      expect(text.reason).toMatch(/^[^\n]+\.$/);
      expect([...text.facts, ...text.next].every((line) => !line.includes('\n'))).toBe(true);
      if (verdict.code !== 'pinned' && next !== '') expect(text.next.length).toBeGreaterThan(0);
    });
  }

  it('has a row for every verdict', () => {
    expect(new Set(ROWS.map(([{ code }]) => code))).toEqual(new Set(VERDICTS));
  });

  it('cuts long lists and counts the rest', () => {
    const expected = Array.from({ length: 50 }, (_, at) => `t${at}`);
    const { facts } = explain({ code: 'caught-elsewhere', expected, moves: [move(C, 'failed')] });
    expect(facts).toHaveLength(12);
    expect(facts.at(-1)).toBe('and 40 more');
  });

  it.each([
    ['it said: Set FOO first.', 'crashed: it said: Set FOO first.'],
    ['it said: Set FOO first', 'crashed: it said: Set FOO first.'],
    ['it said: Is FOO set?', 'crashed: it said: Is FOO set?'],
  ])('ends %j with one sign', (how, end) => {
    const ending = { kind: 'crashed', how, test: null } as const;
    const { reason } = explain({ code: 'incomplete', run, gap: { kind: 'ending', ending } });
    expect(reason.endsWith(end)).toBe(true);
  });
});
