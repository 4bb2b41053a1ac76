import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LaneRun, LaneRunner, RunRequest } from '../../src/lane/lane.js';
import type { Breakage } from '../../src/proof/evidence.js';
import { err, ok, type Result } from '../../src/result.js';
import type { StepAnswer, StepRequest } from '../../src/slot/protocol.js';
import type { KeptWork } from '../../src/workspace/workspace.js';
import { leaveSlot } from '../../src/slot/leave.js';
import { createWorker, type Worker } from '../../src/slot/worker.js';
import type { LaneConfig } from '../../src/spec/model.js';
import type { ApplyProblem, RestoreOutcome, Workspace } from '../../src/workspace/workspace.js';
import { results, type Outcomes } from '../proof/build.js';

const nothing = (): void => undefined;
const BUILD_FAILED: Breakage = {
  stage: 'build',
  file: null,
  line: null,
  message: '`build` failed: exit 1',
};

/** What the fake lanes and the fake workspace were asked, in its order. */
let asked: string[];
/** What a test run finds; the build's failures, while there are any. */
let outcomes: Outcomes;
let builds: Breakage[][];
let restored: RestoreOutcome;
let unplaced: RestoreOutcome;
let applied: Result<readonly [], ApplyProblem>;
let during: (request: RunRequest) => void | Promise<void>;
/** What runs wrote over the tree. */
let written: readonly string[];
let logs: string;

beforeEach(() => {
  asked = [];
  outcomes = { a: 'passed', b: 'passed' };
  builds = [];
  restored = { kind: 'restored', files: [{ path: 'calc.py', sha256: 's' }] };
  unplaced = { kind: 'restored', files: [] };
  applied = ok([]);
  during = nothing;
  written = [];
  logs = mkdtempSync(join(tmpdir(), 'cp-worker-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(logs, { recursive: true, force: true });
});

const SELECTION = {
  collected: 2,
  selected: 2,
  deselected: [],
  files: [],
  idPrefix: '',
  idForm: 'path',
} as const;

const laneRun = (): LaneRun => ({
  ending: { kind: 'complete' },
  exit: { code: 0, signal: null },
  durationMs: 1,
  results: results(outcomes),
  selection: SELECTION,
  collectionErrors: [],
  loads: [],
  reached: [],
  notes: [],
});

function fakeLane({ name }: LaneConfig): LaneRunner {
  return {
    describe: () => Promise.resolve(name === 'gone' ? err(GONE) : ok(DESCRIPTION)),
    prepare: () => Promise.resolve(name === 'unprepared' ? err(GONE) : ok(undefined)),
    compile: () => Promise.resolve([]),
    written(paths) {
      asked.push(`${name} written ${paths.join(' ')}`);
      return Promise.resolve();
    },
    build() {
      asked.push(`${name} build`);
      return Promise.resolve(builds.shift() ?? []);
    },
    async run(request) {
      asked.push(`${name} run ${request.step}`);
      await during(request);
      return laneRun();
    },
    collect(request) {
      asked.push(`${name} collect`);
      void during(request);
      const ids = ['a', 'b'];
      const { ending, selection, collectionErrors, notes } = laneRun();
      return Promise.resolve({ ending, ids, selection, collectionErrors, notes });
    },
    close() {
      asked.push(`${name} close`);
      return name === 'stuck' ? Promise.reject(new Error('it does not close')) : Promise.resolve();
    },
  };
}

const GONE = { message: 'no such runner', hint: null };
const DESCRIPTION = { command: ['x'], from: 'test', versions: {}, tool: 'x', seeds: {} };

const workspace: Workspace = {
  isolation: 'in-place',
  fresh: () => Promise.resolve(false),
  settled: () => Promise.resolve(),
  freeze: () => Promise.resolve(),
  written: () => Promise.resolve([]),
  apply(label) {
    asked.push(`apply ${label}`);
    return Promise.resolve(applied);
  },
  restore() {
    asked.push('restore');
    return Promise.resolve(restored);
  },
  place() {
    asked.push('place');
    return Promise.resolve(ok(undefined));
  },
  unplace() {
    asked.push('unplace');
    return Promise.resolve(unplaced);
  },
  notes: () => [],
  sums: () => Promise.resolve(new Map()),
};

/** One that says what becomes of its layers. */
const overlay: Workspace = {
  ...workspace,
  isolation: 'overlay',
  fresh() {
    asked.push('fresh');
    return Promise.resolve(true);
  },
  freeze(made) {
    asked.push(`freeze ${made}`);
    return Promise.resolve();
  },
  written: () => Promise.resolve(written),
};

const worker = (own: Workspace = workspace): Worker =>
  createWorker({
    openWorkspace: () => Promise.resolve(ok(own)),
    createLane: ({ lane }) => fakeLane(lane),
    killAll: () => {
      asked.push('kill all');
    },
  });

/** Its name says whether it builds. */
const laneNamed = (name: string): LaneConfig =>
  ({ name, build: name === 'plain' ? null : 'make' }) as LaneConfig;

async function opened(
  stale: readonly string[] = [],
  lanes = ['unit'],
  own = workspace,
): Promise<Worker> {
  const one = worker(own);
  const place = { kind: 'in-place' } as const;
  const setup = {
    tree: '/tree',
    root: '/tree',
    runId: 'r',
    logs,
    stale,
    slot: 0,
    generation: 0,
    place,
  };
  await one.handlers.open(setup, nothing);
  for (const name of lanes)
    await one.handlers.lane({ lane: laneNamed(name), python: null }, nothing);
  return one;
}

const run = (
  one: Worker,
  step: StepRequest['step'],
  more: Partial<StepRequest> = {},
): Promise<StepAnswer> =>
  one.handlers.run(
    {
      lane: 'unit',
      step,
      label: null,
      scope: 'lane',
      without: [],
      targets: [],
      probes: [],
      limits: { stepMs: 1, testMs: 1, memoryBytes: 1, outputBytes: 1 },
      ...more,
    },
    nothing,
  );

const apply = (one: Worker, ...paths: readonly string[]): Promise<unknown> => {
  const edits = paths.map((path) => ({ path, before: null, after: Buffer.from('x') }));
  return one.handlers.apply({ label: 'm', edits }, nothing);
};

describe('what was written since a lane last ran', () => {
  test('is told to every lane before it runs, once, each file once', async () => {
    const one = await opened([], ['unit', 'other']);
    await run(one, 'baseline');
    await apply(one, 'calc.py', 'data.txt');
    await one.handlers.restore(null, nothing);
    await run(one, 'restored');
    await run(one, 'closing');
    await run(one, 'baseline', { lane: 'other' });
    expect(asked).toEqual([
      'unit run baseline',
      'apply m',
      'restore',
      'unit written calc.py data.txt',
      'unit build',
      'unit run restored',
      'unit run closing',
      'other written calc.py data.txt',
      'other build',
      'other run baseline',
    ]);
  });

  test('begins with what a dead predecessor wrote, in every lane', async () => {
    const one = await opened(['calc.py'], ['unit', 'other']);
    await run(one, 'mutated');
    await run(one, 'mutated');
    await run(one, 'mutated', { lane: 'other' });
    expect(asked).toEqual([
      'unit written calc.py',
      'unit build',
      'unit run mutated',
      'unit run mutated',
      'other written calc.py',
      'other build',
      'other run mutated',
    ]);
  });

  test('holds probe files, and what came back as the workspace says', async () => {
    const one = await opened();
    await one.handlers.place({ files: [{ path: 'p.py', content: Buffer.from('') }] }, nothing);
    unplaced = { kind: 'kept', files: [{ path: 'q.py', sha256: null }], kept: [] };
    await one.handlers.unplace(null, nothing);
    await run(one, 'baseline');
    expect(asked.slice(-3, -1)).toEqual(['unit written p.py q.py', 'unit build']);
  });

  test('is told again after a build that failed, which keeps the lane from running', async () => {
    const one = await opened();
    await apply(one, 'calc.py');
    builds = [[BUILD_FAILED]];
    const failed = await run(one, 'mutated');
    expect(failed.build).toEqual([BUILD_FAILED]);
    expect(failed.evidence.ending).toEqual({ kind: 'broken', causes: [BUILD_FAILED] });
    await run(one, 'restored');
    expect(asked).toEqual([
      'apply m',
      'unit written calc.py',
      'unit build',
      'unit written calc.py',
      'unit build',
      'unit run restored',
    ]);
  });
});

describe('in an overlay', () => {
  const after = async (...steps: readonly ((one: Worker) => Promise<unknown>)[]) => {
    const one = await opened([], ['unit'], overlay);
    asked = [];
    for (const step of steps) await step(one);
    return asked;
  };
  const baseline = (one: Worker) => run(one, 'baseline');
  const restore = (one: Worker) => one.handlers.restore(null, nothing);
  const mutate = (one: Worker) => apply(one, 'calc.py');

  test('a lane builds before its baseline, and what that made lies below every fresh layer', async () => {
    expect(await after(baseline, (one) => run(one, 'closing'))).toEqual([
      'fresh',
      'unit build',
      'freeze built',
      'unit run baseline',
      'fresh',
      'unit run closing',
    ]);
  });

  test('a mutant is built once for all of its runs', async () => {
    const mutated = (one: Worker) => run(one, 'mutated');
    const all = await after(baseline, mutate, mutated, mutated);
    expect(all.slice(4)).toEqual([
      'apply m',
      'fresh',
      'unit written calc.py',
      'unit build',
      'freeze built',
      'unit run mutated',
      'fresh',
      'unit run mutated',
    ]);
  });

  test('a run alone builds anew what another slot may have overwritten', async () => {
    const alone = (one: Worker) => run(one, 'mutated', { isAlone: true });
    const all = await after(baseline, mutate, (one) => run(one, 'mutated'), alone);
    expect(all.slice(9)).toEqual([
      'unit run mutated',
      'fresh',
      'unit build',
      'freeze built',
      'unit run mutated',
    ]);
  });

  test('it builds after a restore, over the build of before, which is frozen once', async () => {
    const all = await after(baseline, mutate, restore, (one) => run(one, 'restored'));
    expect(all.slice(6)).toEqual([
      'fresh',
      'unit written calc.py',
      'unit build',
      'unit run restored',
    ]);
  });

  test('a build that failed is never frozen', async () => {
    const failing = (one: Worker) => {
      builds = [[BUILD_FAILED]];
      return run(one, 'mutated');
    };
    expect(await after(baseline, mutate, failing)).not.toContainEqual('unit run mutated');
    expect(asked.filter((each) => each.startsWith('freeze'))).toEqual(['freeze built']);
  });

  test('probe files need a build of their own, and so does the tree without them', async () => {
    const files = [{ path: 'p.py', content: Buffer.from('') }];
    unplaced = { kind: 'restored', files: [{ path: 'p.py', sha256: null }] };
    await after(
      baseline,
      (one) => one.handlers.place({ files }, nothing),
      baseline,
      (one) => one.handlers.unplace(null, nothing),
      baseline,
    );
    expect(asked.filter((each) => each === 'freeze built')).toHaveLength(3);
  });

  test('a lane without a build has nothing frozen but what it prepared', async () => {
    const one = await opened([], ['plain'], overlay);
    await run(one, 'baseline', { lane: 'plain' });
    await apply(one, 'calc.py');
    await run(one, 'mutated', { lane: 'plain' });
    expect(asked).not.toContain('plain build');
    expect(asked.filter((each) => each.startsWith('freeze'))).toEqual(['freeze prepared']);
  });

  test('a second run in one step finds a fresh layer, and what the first one wrote is known', async () => {
    const one = await opened([], ['unit'], overlay);
    during = async ({ renew, scratch }) => {
      asked = [];
      written = ['by-first'];
      writeFileSync(join(scratch, 'left'), '');
      expect(readdirSync((await renew?.()) ?? '')).toEqual([]);
      written = ['by-second'];
      expect(asked).toEqual(['fresh']);
    };
    await run(one, 'baseline');
    expect(await one.handlers.written(null, nothing)).toEqual(['by-first', 'by-second']);
    during = nothing;
    await run(one, 'baseline');
    expect(await one.handlers.written(null, nothing)).toEqual(['by-second']);
    expect.assertions(4);
  });
});

describe('a baseline', () => {
  test('is what later steps differ from, until another one is adopted', async () => {
    const one = await opened();
    expect((await run(one, 'baseline')).evidence.results).toHaveLength(2);
    outcomes = { a: 'failed', b: 'passed' };
    expect((await run(one, 'mutated')).evidence.results).toMatchObject([{ id: 'a' }]);

    await one.handlers.adopt({ lane: 'unit', baseline: results({ a: 'failed' }) }, nothing);
    expect((await run(one, 'mutated')).evidence.results).toMatchObject([{ id: 'b' }]);

    await one.handlers.adopt({ lane: 'unit', baseline: null }, nothing);
    expect((await run(one, 'baseline')).evidence.results).toHaveLength(2);
    expect((await run(one, 'restored')).evidence.results).toEqual([]);
  });
});

describe('a step', () => {
  test('has an empty folder of its own, which is gone afterwards', async () => {
    const one = await opened();
    const seen: string[] = [];
    during = ({ scratch }) => {
      expect(readdirSync(scratch)).toEqual([]);
      writeFileSync(join(scratch, 'left'), '');
      seen.push(scratch);
    };
    await run(one, 'baseline');
    await run(one, 'mutated');
    expect(seen).toHaveLength(2);
    for (const folder of seen) expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  test('names its log by number, mutation and step, where one was written', async () => {
    const one = await opened();
    const silent = await run(one, 'baseline');
    during = ({ log }) => {
      writeFileSync(log, 'said');
    };
    const told = await run(one, 'mutated', { label: 'a/b c' });
    expect(silent.evidence.log).toBeNull();
    expect(told.evidence.log).toBe('0002-a_b_c-mutated.log');
    expect(readdirSync(logs)).toEqual(['0002-a_b_c-mutated.log']);
  });

  test('is no evidence where the system refuses it a file, and the next one is measured', async () => {
    const one = await opened();
    during = () => {
      writeFileSync('/dev/full', 'x');
    };
    const { evidence, build } = await run(one, 'baseline');
    expect(evidence.ending).toEqual({
      kind: 'incomplete',
      why: 'ENOSPC: no space left on device, write',
      without: [],
    });
    expect(build).toEqual([]);
    during = nothing;
    expect((await run(one, 'baseline')).evidence.ending).toEqual({ kind: 'complete' });
  });

  test('is no evidence where there is no folder for it', async () => {
    const one = await opened();
    vi.stubEnv('TMPDIR', join(logs, 'gone'));
    const { evidence } = await run(one, 'baseline');
    expect(evidence.ending).toMatchObject({
      kind: 'incomplete',
      why: expect.stringContaining('mkdtemp') as string,
    });
    expect(asked).toEqual([]);
  });

  test('fails by a bug of ours', async () => {
    const one = await opened();
    during = () => {
      throw new TypeError('Internal error: a bug');
    };
    await expect(run(one, 'baseline')).rejects.toThrow('a bug');
  });

  test('does not start after a cancel that came between two of them', async () => {
    const one = await opened();
    one.cancel('soon');
    const { evidence } = await run(one, 'mutated');
    expect(evidence.ending).toEqual({ kind: 'cancelled' });
    expect(asked).toEqual([]);
    one.cancel('now');
    expect(asked).toEqual(['kill all']);
  });

  test('is cancelled by a signal that it was given before', async () => {
    const one = await opened();
    during = ({ signal }) => {
      one.cancel('soon');
      expect(signal.aborted).toBe(true);
    };
    await run(one, 'mutated');
    expect.assertions(1);
  });
});

describe('a lane', () => {
  test.each(['gone', 'unprepared'])(
    'that cannot be had is a problem, not open: %s',
    async (name) => {
      const one = await opened();
      expect(await one.handlers.lane({ lane: laneNamed(name), python: null }, nothing)).toEqual(
        err(GONE),
      );
      await expect(run(one, 'baseline', { lane: name })).rejects.toThrow('is not open');
      expect(asked).toEqual(name === 'unprepared' ? ['unprepared close'] : []);
    },
  );

  test('is not collected where there is no folder for it', async () => {
    vi.stubEnv('TMPDIR', join(logs, 'gone'));
    const limits = { stepMs: 1, testMs: 1, memoryBytes: 1, outputBytes: 1 };
    const place = { tree: '/tree', root: '/tree', python: null, limits };
    const found = await worker().handlers.collect({ ...place, lane: laneNamed('unit') }, nothing);
    expect(found).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('mkdtemp') as string },
    });
    expect(asked).toEqual(['unit close']);
  });

  test('is collected without a workspace, in a folder that is gone afterwards', async () => {
    const one = worker();
    let folder = '';
    during = ({ scratch }) => {
      folder = scratch;
    };
    const limits = { stepMs: 1, testMs: 1, memoryBytes: 1, outputBytes: 1 };
    const place = { tree: '/tree', root: '/tree', python: null, limits };
    const found = await one.handlers.collect({ ...place, lane: laneNamed('unit') }, nothing);
    expect(found).toMatchObject({ ok: true, value: { collection: { ids: ['a', 'b'] } } });
    expect(asked).toEqual(['unit collect', 'unit close']);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    const none = await one.handlers.collect({ ...place, lane: laneNamed('gone') }, nothing);
    expect(none).toEqual(err(GONE));
    expect(await one.handlers.takeBack(null, nothing)).toEqual({ kind: 'restored', files: [] });
    expect(await one.handlers.rebuild(null, nothing)).toEqual([]);
    expect(await one.handlers.close(null, nothing)).toBeNull();
  });
});

describe('a restore that failed', () => {
  test('leaves the edits in place: what is built then goes with them', async () => {
    const one = await opened([], ['unit'], overlay);
    await run(one, 'baseline');
    await apply(one, 'calc.py');
    restored = { kind: 'failed', path: 'calc.py', why: 'full', original: '/o' };
    await one.handlers.restore(null, nothing);
    asked = [];
    await run(one, 'mutated');
    expect(asked).toContain('freeze built');
  });
});

describe('leaving', () => {
  const leave = async (
    one: Worker,
    last: Promise<void> = Promise.resolve(),
    { isClosed } = { isClosed: false },
  ) => {
    const said: string[] = [];
    const word: KeptWork[] = [];
    const left: string[] = [];
    const code = await leaveSlot(one, last, (text) => said.push(text), {
      isClosed,
      kept: (kept) => Promise.resolve(void word.push(...kept)),
      built: (unbuilt) => Promise.resolve(void left.push(...unbuilt.map(({ lane }) => lane))),
    });
    return {
      code,
      said: said.join(''),
      ...(word.length > 0 ? { word } : {}),
      ...(left.length > 0 ? { left } : {}),
    };
  };

  test('restores and builds first, and closes the lanes then', async () => {
    const one = await opened();
    await apply(one, 'calc.py');
    asked = [];
    expect(await leave(one)).toEqual({ code: 0, said: '' });
    expect(asked).toEqual([
      'restore',
      'unplace',
      'unit written calc.py',
      'unit build',
      'unit close',
    ]);
  });

  test('leaves word of what was set aside, since nobody else tells it', async () => {
    const one = await opened();
    await apply(one, 'calc.py');
    const word = [{ path: 'calc.py', keptAs: '/kept/calc.py' }];
    restored = { kind: 'kept', files: [], kept: word };
    expect(await leave(one)).toEqual({ code: 0, said: '', word });
  });

  test('restores where a lane does not close, and says it', async () => {
    const one = await opened([], ['stuck']);
    const { code, said } = await leave(one);
    expect(asked.slice(0, 2)).toEqual(['restore', 'unplace']);
    expect(code).toBe(1);
    expect(said).toContain('it does not close');
  });

  test('restores where the last call failed, and says what did not come back', async () => {
    const one = await opened();
    await apply(one, 'calc.py');
    restored = { kind: 'failed', path: 'calc.py', why: 'no room', original: '/o' };
    asked = [];
    const { code, said } = await leave(one, Promise.reject(new Error('it broke')));
    expect(code).toBe(1);
    expect(said).toContain('it broke');
    expect(said).toContain('calc.py is not back: no room');
    expect(asked).toEqual(['restore', 'unplace', 'unit close']);
  });

  test('builds nothing again once it was asked to close', async () => {
    const one = await opened();
    await apply(one, 'calc.py');
    builds = [[BUILD_FAILED]];
    await one.handlers.takeBack(null, nothing);
    await one.handlers.rebuild(null, nothing);
    asked = [];
    expect(await leave(one, Promise.resolve(), { isClosed: true })).toEqual({ code: 0, said: '' });
    expect(asked).toEqual(['restore', 'unplace', 'unit close']);
  });

  test('says which lane could not be built anew', async () => {
    const one = await opened();
    await apply(one, 'calc.py');
    builds = [[BUILD_FAILED]];
    expect(await leave(one)).toEqual({
      code: 1,
      said: `lane unit: ${BUILD_FAILED.message}
`,
      left: ['unit'],
    });
    expect(asked.at(-1)).toBe('unit close');
  });
});

describe('closing', () => {
  test('takes back edits and probes, and then what the lane built of them', async () => {
    const one = await opened();
    await run(one, 'baseline');
    await apply(one, 'calc.py');
    asked = [];
    one.cancel('soon');
    expect((await one.handlers.takeBack(null, nothing)).kind).toBe('restored');
    expect(await one.handlers.rebuild(null, nothing)).toEqual([]);
    await one.handlers.close(null, nothing);
    expect(asked).toEqual([
      'restore',
      'unplace',
      'unit written calc.py',
      'unit build',
      'unit close',
    ]);
  });

  test('tells of each lane whose build of the restored tree failed', async () => {
    const one = await opened([], ['unit', 'plain', 'other']);
    await apply(one, 'calc.py');
    builds = [[BUILD_FAILED]];
    await one.handlers.takeBack(null, nothing);
    expect(await one.handlers.rebuild(null, nothing)).toEqual([
      { lane: 'unit', why: BUILD_FAILED.message },
    ]);
    expect(asked.filter((each) => each.endsWith('build'))).toEqual(['unit build', 'other build']);
  });

  test('goes on with the other lanes where one does not close, and fails', async () => {
    const one = await opened([], ['stuck', 'unit']);
    await expect(one.handlers.close(null, nothing)).rejects.toThrow('it does not close');
    expect(asked).toEqual(['stuck close', 'unit close']);
  });

  test('takes probes back where the edits cannot be, and fails', async () => {
    const restore = () => Promise.reject(new Error('the journal is gone'));
    const one = await opened([], ['unit'], { ...workspace, restore });
    await expect(one.handlers.takeBack(null, nothing)).rejects.toThrow('the journal is gone');
    expect(asked).toEqual(['unplace']);
  });

  test('builds nothing where nothing was written', async () => {
    restored = { kind: 'restored', files: [] };
    const one = await opened();
    await one.handlers.takeBack(null, nothing);
    expect(await one.handlers.rebuild(null, nothing)).toEqual([]);
    expect(asked).toEqual(['restore', 'unplace']);
  });

  test('says the worse of both', async () => {
    const one = await opened();
    restored = { kind: 'failed', path: 'calc.py', why: 'full', original: '/o' };
    expect(await one.handlers.takeBack(null, nothing)).toBe(restored);
    restored = { kind: 'restored', files: [] };
    unplaced = { kind: 'failed', path: 'p.py', why: 'full', original: '/o' };
    expect(await one.handlers.takeBack(null, nothing)).toBe(unplaced);
  });
});
