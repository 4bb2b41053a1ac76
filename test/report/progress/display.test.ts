import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/record/events.js';
import { type Ticker, createProgress } from '../../../src/report/progress/index.js';
import { acceptedProof, notLoadedProof, pinnedProof, survivedProof } from '../records.js';

interface Clock extends Ticker {
  /** Lets time pass, and calls what is due, in order. */
  readonly pass: (ms: number) => void;
  readonly timers: () => number;
}

function handClock(): Clock {
  let now = 0;
  const timers = new Map<
    number,
    { readonly every: number; due: number; readonly call: () => void }
  >();
  let next = 0;
  return {
    now: () => now,
    every(ms, call) {
      const id = next++;
      timers.set(id, { every: ms, due: now + ms, call });
      return () => void timers.delete(id);
    },
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const due = [...timers.values()].toSorted((a, b) => a.due - b.due)[0];
        if (due === undefined || due.due > until) break;
        now = due.due;
        due.due += due.every;
        due.call();
      }
      now = until;
    },
    timers: () => timers.size,
  };
}

const CLEAR = '\r\u001B[K';

function setUp(options: { isTTY: boolean; columns?: number; silent?: boolean; TERM?: string }) {
  const written: string[] = [];
  const clock = handClock();
  const display = createProgress({
    stream: {
      isTTY: options.isTTY,
      columns: options.columns ?? 80,
      write: (text: string) => written.push(text),
    },
    env: { NO_COLOR: '1', LANG: 'C.UTF-8', TERM: options.TERM ?? 'xterm' },
    platform: 'linux',
    color: 'auto',
    silent: options.silent ?? false,
    ticker: clock,
  });
  return { written, clock, display };
}

const started: RunEvent = {
  type: 'run-started',
  version: '0.1.0',
  command: ['counterproof', 'run'],
  startedAt: '2026-11-30T01:36:12Z',
  pid: 1,
  declared: Array.from({ length: 24 }, (_, index) => `m${index}`),
  mayGrow: false,
};
const place = { lane: 'unit', id: 'core-half-even', step: 'mutated', slot: 0 } as const;
const mutationStarted: RunEvent = { type: 'mutation-started', lane: 'unit', id: 'a', slot: 0 };
const stepStarted: RunEvent = { type: 'step-started', ...place, tests: 683 };
const progress = (done: number): RunEvent => ({
  type: 'step-progress',
  ...place,
  done,
  total: 683,
  running: 'tests/test_core.py::test_\u001B[31mx',
});
const finished: RunEvent = {
  type: 'step-finished',
  ...place,
  counts: { passed: 682, failed: 1 },
  complete: true,
  ending: 'complete',
  durationMs: 2900,
};
const ended: RunEvent = {
  type: 'run-finished',
  complete: true,
  exitCode: 0,
  durationMs: 1,
  summary: {
    declared: 24,
    graded: 24,
    pinned: 24,
    refuted: 0,
    noEvidence: 0,
    accepted: 0,
    notRestored: 0,
  },
};
const proofs: readonly RunEvent[] = [
  ...Array.from({ length: 9 }, () => pinnedProof),
  acceptedProof,
  survivedProof,
  survivedProof,
  notLoadedProof,
].map(
  (proof, index) => ({ type: 'proof-finished', proof: { ...proof, id: `m${index}` } }) as const,
);

/** What stands on a terminal: the lines, the last one being the moving one. */
function screen(written: readonly string[]): string[] {
  return written
    .join('')
    .split('\n')
    .map((line) => line.split(CLEAR).at(-1) ?? '');
}

describe('on a terminal', () => {
  test('a mutation that is measured anew counts once, as it was told last', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    const again = { type: 'proof-finished', proof: { ...survivedProof, id: 'm0' } } as const;
    for (const event of [started, mutationStarted, ...proofs, again, stepStarted])
      display.emit(event);
    clock.pass(100);
    expect(screen(written).at(-1)).toMatch(/^. 13\/24 {2}✓ 8 ~ 1 ✗ 3 \? 1 /);
  });

  test('the moving line says how far, what came out, what runs, and how long', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    for (const event of [started, mutationStarted]) display.emit(event);
    clock.pass(7000);
    for (const event of [...proofs, stepStarted, progress(412)]) display.emit(event);
    clock.pass(100);
    const last = screen(written).at(-1) ?? '';
    expect(last).toMatch(
      /^. 13\/24 {2}✓ 9 ~ 1 ✗ 2 \? 1 {2}mutated core-half-even {2}412\/683 {2}0:07 {2}~6s left$/,
    );
  });

  test.each([
    [120, /mutated core-half-even 412\/683 · restored b 1\/2 {2}0:07 {2}~6s left$/],
    [80, /restored b \+1 {2}1\/2 {2}0:07 {2}~6s left$/],
  ])('with several slots it says what each does, where %i columns have room', (columns, line) => {
    const { written, clock, display } = setUp({ isTTY: true, columns });
    for (const event of [started, mutationStarted]) display.emit(event);
    clock.pass(7000);
    for (const event of [...proofs, stepStarted, progress(412)]) display.emit(event);
    const other = { lane: 'unit', id: 'b', step: 'restored', slot: 1 } as const;
    display.emit({ type: 'step-started', ...other, tests: 2 });
    display.emit({ type: 'step-progress', ...other, done: 1, total: 2, running: null });
    clock.pass(100);
    expect(screen(written).at(-1)).toMatch(line);
  });

  test('counts each mutation as it is measured, and once, whenever its verdict comes', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    const measured = (id: string, pulledIn = false): RunEvent => ({
      type: 'mutation-measured',
      lane: 'unit',
      id,
      slot: 0,
      pulledIn,
    });
    display.emit(started);
    for (const id of ['m1', 'm2', pinnedProof.id, 'm1']) display.emit(measured(id));
    display.emit(measured('alive', true));
    clock.pass(1000);
    expect(screen(written).at(-1)).toContain('3/24');
    display.emit({ type: 'proof-finished', proof: pinnedProof });
    clock.pass(1000);
    expect(screen(written).at(-1)).toContain('3/24');
  });

  test('finished proofs stay as lines above it', () => {
    const { written, display, clock } = setUp({ isTTY: true });
    display.emit(started);
    for (const event of proofs.slice(8, 11)) display.emit(event);
    clock.pass(100);
    expect(screen(written).slice(0, 3)).toEqual([
      '✓ m8  pinned  3.2s',
      '~ m9  accepted  2.2s',
      '✗ m10  survived  2.2s',
    ]);
    expect(screen(written).at(-1)).toContain('3/24');
  });

  test('it is drawn at most ten times a second, however many tests end', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    display.emit(started);
    display.emit(stepStarted);
    for (let n = 0; n < 1000; n += 1) {
      display.emit(progress(n));
      clock.pass(1);
    }
    expect(written.length).toBeGreaterThan(8);
    expect(written.length).toBeLessThanOrEqual(12);
  });

  test.each([20, 30, 40, 60, 80, 200])(
    'it fits into %d columns without the last one',
    (columns) => {
      const { written, clock, display } = setUp({ isTTY: true, columns });
      for (const event of [started, mutationStarted]) display.emit(event);
      clock.pass(7000);
      for (const event of [...proofs, stepStarted, progress(412)]) display.emit(event);
      clock.pass(100);
      const last = screen(written).at(-1) ?? '';
      expect(last.length).toBeLessThan(columns);
      expect(last).toContain('13/24');
    },
  );

  test.each([
    ['the end of the run', ended],
    ['closing it', null],
  ])('%s leaves a clean line and no timer', (_, event) => {
    const { written, clock, display } = setUp({ isTTY: true });
    display.emit(started);
    clock.pass(300);
    if (event === null) display.close();
    else display.emit(event);
    expect(screen(written).at(-1)).toBe('');
    expect(clock.timers()).toBe(0);
    const before = written.length;
    display.close();
    display.emit(stepStarted);
    clock.pass(1000);
    expect(written).toHaveLength(before);
  });

  test('an interrupt is said at once, and until the tree is back', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    display.emit(started);
    display.emit(stepStarted);
    display.emit({ type: 'interrupted', signal: 'SIGINT' });
    clock.pass(100);
    expect(screen(written)).toEqual([
      'SIGINT: ending the tests and putting the tree back',
      expect.stringContaining('interrupted, putting the tree back'),
    ]);
  });

  test('names cannot steer it', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    display.emit(started);
    display.emit({ ...place, id: 'a\u001B[2J', type: 'step-started', tests: 1 });
    display.emit({ type: 'notice', level: 'warning', lane: null, id: null, text: 'x\u0007\ny' });
    clock.pass(100);
    const left = written.join('').replaceAll(CLEAR, '');
    expect(left.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(left).toContain('warning: x\\x07\\ny\n');
  });
});

describe('in a pipe', () => {
  test('each finished step and proof is a line; ticks say nothing', () => {
    const { written, display } = setUp({ isTTY: false });
    for (const event of [started, stepStarted, progress(1), finished]) display.emit(event);
    display.emit({ type: 'proof-finished', proof: survivedProof });
    display.emit({
      ...finished,
      id: null,
      step: 'baseline',
      complete: false,
      ending: 'step limit of 60s reached',
    });
    expect(written).toEqual([
      'mutated core-half-even: 682 passed, 1 failed, 2.9s\n',
      '✗ strip-request-ids  survived  2.2s  1/24\n',
      'baseline unit: step limit of 60s reached; 682 passed, 1 failed, 2.9s\n',
    ]);
  });

  test('once a minute a line says what is running', () => {
    const { written, clock, display } = setUp({ isTTY: false });
    for (const event of [started, stepStarted, progress(412)]) display.emit(event);
    clock.pass(59_999);
    expect(written).toEqual([]);
    clock.pass(60_001);
    expect(written).toEqual([
      '1:00 0/24 done; running: mutated core-half-even 412/683, in tests/test_core.py::test_\\x1b[31mx\n',
      '2:00 0/24 done; running: mutated core-half-even 412/683, in tests/test_core.py::test_\\x1b[31mx\n',
    ]);
    display.emit(ended);
    expect(clock.timers()).toBe(0);
  });

  test('and how much longer it will take, once that is known', () => {
    const { written, clock, display } = setUp({ isTTY: false });
    for (const event of [started, mutationStarted]) display.emit(event);
    for (const event of proofs) display.emit(event);
    clock.pass(60_000);
    expect(written.at(-1)).toBe('1:00 13/24 done, ~51s left; running: between steps\n');
  });

  test('a dumb terminal is read like a pipe', () => {
    const { written, display } = setUp({ isTTY: true, TERM: 'dumb' });
    for (const event of [started, stepStarted, finished]) display.emit(event);
    expect(written.join('')).not.toContain('\r');
    expect(written).toHaveLength(1);
  });
});

describe('where what is measured decides what else will be', () => {
  const growing = { ...started, declared: ['whole'], mayGrow: true } as const;

  test('a terminal shows how many are done, and neither of how many nor how long', () => {
    const { written, clock, display } = setUp({ isTTY: true });
    for (const event of [growing, mutationStarted]) display.emit(event);
    clock.pass(7000);
    for (const event of [...proofs, stepStarted, progress(412)]) display.emit(event);
    clock.pass(100);
    expect(screen(written).at(-1)).toMatch(
      /^. 13 done {2}✓ 9 ~ 1 ✗ 2 \? 1 {2}mutated core-half-even {2}412\/683 {2}0:07$/,
    );
  });

  test('a pipe has no count, and once a minute how many are done', () => {
    const { written, clock, display } = setUp({ isTTY: false });
    for (const event of [growing, ...proofs.slice(0, 2)]) display.emit(event);
    clock.pass(60_000);
    expect(written[0]).toMatch(/^✓ \S+ {2}pinned {2}[\d.]+s\n$/);
    expect(written.at(-1)).toBe('1:00 2 done; running: between steps\n');
  });
});

test('silent is silent', () => {
  const { written, clock, display } = setUp({ isTTY: true, silent: true });
  for (const event of [started, stepStarted, finished, ...proofs, ended]) display.emit(event);
  clock.pass(120_000);
  display.close();
  expect(written).toEqual([]);
});

test('a liveness mutation that a selection pulled in is no part of the count', () => {
  const { written, clock, display } = setUp({ isTTY: true });
  display.emit(started);
  display.emit({ type: 'proof-finished', proof: { ...pinnedProof, pulledIn: true } });
  clock.pass(100);
  expect(screen(written).at(-1)).toContain('0/24');
});
