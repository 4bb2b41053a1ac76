import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBudget } from '../../src/engine/budget.js';
import type { FirstSlot } from '../../src/engine/isolation.js';
import { proveAll } from '../../src/engine/prove-all.js';
import type { RunOrder } from '../../src/engine/run.js';
import type { runFiles } from '../../src/engine/runner.js';
import type { ClosedPool, SlotPool } from '../../src/engine/slot-pool.js';
import { ok } from '../../src/result.js';
import { asOneError } from '../../src/slot/all-of.js';
import type { StepRequest } from '../../src/slot/protocol.js';
import { A, flips, MUTANT, mutation, ORIGINAL, SELECTION, SOURCE, step } from '../proof/build.js';
import { laneNamed } from './builders.js';

const CLOSED: ClosedPool = { outcomes: [], notes: ['a note'], faults: [] };
const PROJECT = { root: '', commit: null, tree: null, dirty: [] };

/** As the runner does it; that one cannot be run inside itself. */
const oneByOne: typeof runFiles = async (files, { onFault }) => {
  const faults: unknown[] = [];
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      faults.push(error);
      onFault(error);
    }
  };
  for (const { around, bodies } of files)
    await guarded(() =>
      around(async () => {
        for (const { run } of bodies) await guarded(run);
      }),
    );
  if (faults.length > 0) throw asOneError(faults);
};

/** Proves `a`, `b` and `c` in one slot, in which `fails` may throw when a call is made. */
async function proving(
  fails: (name: string, label: string | null) => void,
  closed: ClosedPool = CLOSED,
) {
  const tree = mkdtempSync(join(tmpdir(), 'counterproof proving '));
  onTestFinished(() => {
    rmSync(tree, { recursive: true, force: true });
  });
  mkdirSync(dirname(join(tree, SOURCE)), { recursive: true });
  writeFileSync(join(tree, SOURCE), 'a = 1\n');
  const answers: Readonly<Record<string, (params: StepRequest) => unknown>> = {
    apply: () => ok([{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT }]),
    restore: () => ({ kind: 'restored', files: [{ path: SOURCE, sha256: ORIGINAL }] }),
    sums: () => new Map([[SOURCE, MUTANT]]),
    written: () => [],
    compile: () => [],
    run: ({ step: name, scope }) => ({
      evidence: step(name, name === 'mutated' ? { [A]: 'failed' } : {}, { scope }),
      selection: SELECTION,
      build: [],
    }),
  };
  const described = { command: ['x'], from: 'test', versions: {}, tool: 'x', seeds: {} };
  const slot = {
    number: 0,
    isolation: 'overlay',
    openLane: () => Promise.resolve(ok(described)),
    rememberBaseline: () => undefined,
    async call(name: string, params: StepRequest) {
      await Promise.resolve();
      fails(name, params?.label ?? null);
      return answers[name]?.(params) ?? null;
    },
  };
  const first = { slot, order: {}, isolation: 'overlay', because: null } as unknown as FirstSlot;
  let closings = 0;
  const pool = {
    take: () => Promise.resolve([slot]),
    close() {
      closings += 1;
      return Promise.resolve(closed);
    },
    size: () => 1,
  } as unknown as SlotPool;
  const order = {
    tree,
    root: tree,
    folder: tree,
    command: ['run'],
    version: '1',
    startedAt: new Date(0),
    lanes: [laneNamed('unit')],
    mutations: ['a', 'b', 'c'].map((id) => ({
      spec: mutation({ id, ...flips(A) }),
      pulledIn: false,
      notApplied: null,
    })),
    settings: {
      verify: 'full',
      closing: true,
      baselineRuns: 1,
      tellMoves: false,
      failFast: false,
      budget: null,
    },
    jobs: 1,
    allow: [],
    otherLanes: [],
    notVerified: [],
    emit: () => undefined,
    interrupts: { onSignal: () => undefined, received: () => null },
    onLockLost: () => undefined,
  } as unknown as RunOrder;
  const ran = await proveAll(
    order,
    { first, pool, budget: createBudget(null), run: oneByOne },
    PROJECT,
    [],
  );
  const verdicts = ran.record.proofs.map(({ id, verdict }) => `${id} ${verdict}`);
  return { ...ran, verdicts, closings };
}

test('without a fault all of it is proven', async () => {
  const { record, fault, verdicts } = await proving(() => undefined);
  expect(verdicts).toEqual(['a pinned', 'b pinned', 'c pinned']);
  expect(record).toMatchObject({ complete: true, stopped: null, exitCode: 0 });
  expect(fault).toBeNull();
});

test.each(['apply', 'run', 'sums', 'restore'])(
  'a fault in `%s` leaves the record of what was settled before it, and nothing is taken up after it',
  async (failing) => {
    const seen: string[] = [];
    const { record, fault, verdicts, closings } = await proving((name, label) => {
      if (name === 'apply') seen.push(label ?? '');
      if (name === failing && seen.length === 2) throw new Error('bug\nwith its stack');
    });
    expect(verdicts.slice(0, 2)).toEqual(['a pinned', 'b incomplete']);
    expect(seen).toEqual(['a', 'b']);
    expect(fault?.message).toBe('bug\nwith its stack');
    expect(closings).toBe(1);
    expect(record).toMatchObject({
      complete: false,
      stopped: 'a bug in Counterproof: bug',
      exitCode: 70,
    });
    expect(record.notVerified).toContain('a note');
  },
);

test('a fault as a slot ends does not hide the first one, and costs no verdict', async () => {
  const end = new Error('end');
  const closed = { ...CLOSED, faults: [end] };
  const alone = await proving(() => undefined, closed);
  expect([alone.fault, alone.record.exitCode]).toEqual([end, 70]);
  expect(alone.verdicts).toEqual(['a pinned', 'b pinned', 'c pinned']);
  const both = await proving((name) => {
    if (name === 'written') throw new Error('begin');
  }, closed);
  expect((both.fault as AggregateError).errors).toMatchObject([{ message: 'begin' }, end]);
});
