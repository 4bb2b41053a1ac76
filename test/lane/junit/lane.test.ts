/** Real commands, which write what a test tells them to; nothing here waits by the clock. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJunitLane } from '../../../src/lane/junit/lane.js';
import type { LaneProgress, LaneRun, LaneRunner, RunRequest } from '../../../src/lane/lane.js';
import { createNonce, runProcess } from '../../../src/lane/process.js';
import type { JunitLane } from '../../../src/spec/model.js';
import { suite, temporaryFolder } from './support.js';

const LANE: JunitLane = {
  name: 'web',
  runner: 'junit',
  select: null,
  command: ['node', 'run.mjs', '{report}'],
  report: '{report}',
  args: [],
  build: null,
  prepare: null,
  env: {},
  cwd: '.',
  slots: 'auto',
  limits: { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: 1 << 20 },
  quarantine: [],
  where: null,
};

interface Project {
  readonly folder: string;
  readonly runner: LaneRunner;
  readonly progress: LaneProgress[];
  readonly run: (request?: Partial<RunRequest>) => Promise<LaneRun>;
  readonly log: () => string;
}

/** @param script body of the command; `report` is the path that it was given */
function project(script: string, lane: Partial<JunitLane> = {}): Project {
  const base = realpathSync(temporaryFolder());
  const folder = path.join(base, 'project');
  mkdirSync(folder);
  const head = `import fs from 'node:fs';\nconst report = process.argv[2];\n`;
  writeFileSync(path.join(folder, 'run.mjs'), head + script);
  const runner = createJunitLane({
    tree: folder,
    root: folder,
    lane: { ...LANE, ...lane },
    description: { command: [], from: 'test', versions: {}, tool: 'node', seeds: {} },
    runProcess,
    createNonce,
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  });
  const progress: LaneProgress[] = [];
  let steps = 0;
  const request = (): RunRequest => {
    steps += 1;
    const scratch = path.join(base, `s${String(steps)}`);
    mkdirSync(scratch);
    return {
      step: 'baseline',
      scope: 'lane',
      without: [],
      targets: [],
      probes: [],
      limits: { stepMs: 60_000, testMs: 1, memoryBytes: 1 << 30, outputBytes: 1 << 16 },
      scratch,
      log: path.join(scratch, 'log'),
      signal: new AbortController().signal,
      onProgress: (step) => progress.push(step),
    };
  };
  return {
    folder,
    runner,
    progress,
    run: (more = {}) => runner.run({ ...request(), ...more }),
    log: () => readFileSync(path.join(base, `s${String(steps)}`, 'log'), 'utf8'),
  };
}

const writing = (xml: string): string => `fs.writeFileSync(report, ${JSON.stringify(xml)});\n`;

const outcomes = (run: LaneRun): Readonly<Record<string, string>> =>
  Object.fromEntries(run.results.map(({ id, outcome }) => [id, outcome]));

const MIXED = suite(
  '<testcase classname="a.test.js" name="adds" time="0.002"/>',
  '<testcase classname="a.test.js" name="divides"><failure message="by zero">    at x (run.mjs:2:1)</failure></testcase>',
  '<testcase classname="b.test.js" name="waits"><skipped/></testcase>',
);

describe('a junit lane', () => {
  it('gives each test its outcome, and the whole lane whatever was asked for', async () => {
    const { run, progress, log } = project(
      `${writing(MIXED)}console.log('hello');process.exitCode = 1;\n`,
    );
    const found = await run({ scope: ['a.test.js::adds'], targets: [{ path: 'x', sha256: null }] });

    expect(outcomes(found)).toEqual({
      'a.test.js::adds': 'passed',
      'a.test.js::divides': 'failed',
      'b.test.js::waits': 'skipped',
    });
    expect(found).toMatchObject({
      ending: { kind: 'complete' },
      exit: { code: 1, signal: null },
      scope: 'lane',
      selection: {
        collected: 3,
        selected: 3,
        files: [
          { file: 'a.test.js', collected: 2, selected: 2 },
          { file: 'b.test.js', collected: 1, selected: 1 },
        ],
      },
      loads: [{ path: 'x', proof: 'unwatched' }],
      notes: [],
    });
    expect(found.results[1]).toMatchObject({ message: 'by zero', at: 'run.mjs:2' });
    expect(progress[0]).toEqual({ kind: 'collected', selected: 3, deselected: 0 });
    expect(log()).toContain('hello');
  });

  it('tells progress only of what differs from the baseline', async () => {
    const { run, progress } = project(writing(MIXED));
    const { results } = await run();
    progress.length = 0;
    await run({
      step: 'mutated',
      baseline: results.map((result) => ({ ...result, outcome: 'passed' as const })),
    });
    expect(progress.flatMap((each) => (each.kind === 'finished' ? [each.test] : []))).toEqual([
      'a.test.js::divides',
      'b.test.js::waits',
    ]);
  });

  it('has an empty temporary folder, fixed seeds, and none of Node’s own test runner around it', async () => {
    const { run } = project(
      `const { TMPDIR, PYTHONHASHSEED, NODE_TEST_CONTEXT, OWN, COUNTERPROOF_REPORT } = process.env;
       const seen = [fs.readdirSync(TMPDIR).length, PYTHONHASHSEED, NODE_TEST_CONTEXT, OWN, COUNTERPROOF_REPORT === report];
       fs.writeFileSync(TMPDIR + '/left', '');
       fs.writeFileSync(report, '<testsuite><testcase name="' + seen.join(' ') + '"/></testsuite>');\n`,
      { env: { OWN: 'own' } },
    );
    process.env['NODE_TEST_CONTEXT'] = 'child-v8';
    try {
      expect(outcomes(await run())).toEqual({ '0 0  own true': 'passed' });
      expect(outcomes(await run())).toEqual({ '0 0  own true': 'passed' });
    } finally {
      delete process.env['NODE_TEST_CONTEXT'];
    }
  });

  it('may write several reports into the tree; older ones are not read, and stay', async () => {
    const { folder, run } = project(
      `fs.writeFileSync('out/TEST-a.xml', '<testsuite><testcase name="a"/></testsuite>');
       fs.writeFileSync('out/TEST-b.xml', '<testsuite><testcase name="b"/></testsuite>');\n`,
      { command: ['node', 'run.mjs'], report: 'out/*.xml' },
    );
    mkdirSync(path.join(folder, 'out'));
    const old = path.join(folder, 'out', 'TEST-old.xml');
    writeFileSync(old, '<testsuite><testcase name="old"><failure/></testcase></testsuite>');

    const found = await run();

    expect(outcomes(found)).toEqual({ a: 'passed', b: 'passed' });
    expect(found.notes).toEqual(['not read, as older than this run: out/TEST-old.xml']);
    expect(existsSync(old)).toBe(true);
  });

  it('does not take an old report for a new one', async () => {
    const { folder, run } = project('', { command: ['node', 'run.mjs'], report: 'out.xml' });
    writeFileSync(path.join(folder, 'out.xml'), MIXED);
    const found = await run();
    expect(found.ending).toMatchObject({ kind: 'no-channel' });
    expect(found.results).toEqual([]);
  });

  it('names the place of a report that its command left cut off', async () => {
    const { run } = project(
      `fs.writeFileSync(report, '<testsuites>\\n<testsuite>\\n<testcase name="a"/>\\n<testca');process.exit(7);\n`,
    );
    expect((await run()).ending).toMatchObject({
      kind: 'incomplete',
      why: expect.stringMatching(/report\.xml:4:\d+: unclosed tag: testsuite/) as unknown,
    });
  });

  it('tells a death, a hang and an interrupt from a failure', async () => {
    const died = project(
      `${writing(MIXED)}process.kill(process.pid, 'SIGABRT');setInterval(() => 0, 99);\n`,
    );
    expect((await died.run()).ending).toEqual({
      kind: 'crashed',
      how: 'SIGABRT',
      test: null,
    });

    const hangs = project(`${writing(MIXED)}setInterval(() => 0, 1000);\n`);
    expect((await hangs.run({ limits: { ...LIMITS, stepMs: 1_000 } })).ending).toEqual({
      kind: 'timeout',
      limit: 'step',
      limitMs: 1_000,
      test: null,
    });

    const controller = new AbortController();
    controller.abort();
    expect((await hangs.run({ signal: controller.signal })).ending).toEqual({ kind: 'cancelled' });
  });

  it('says that it ran its tests where they were only asked for', async () => {
    const { runner, folder } = project(writing(MIXED));
    const scratch = path.join(folder, '..', 'collect');
    mkdirSync(scratch);
    const collection = await runner.collect({
      step: 'baseline',
      scope: 'lane',
      without: [],
      targets: [],
      probes: [],
      limits: LIMITS,
      scratch,
      log: path.join(scratch, 'log'),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(collection.ids).toEqual(['a.test.js::adds', 'a.test.js::divides', 'b.test.js::waits']);
    expect(collection.notes[0]).toContain('they were run');
  });

  it('drops bytecode of what was written, and builds', async () => {
    const { runner, folder } = project('', { build: 'echo built >> built; test ! -e fail' });
    const { signal } = new AbortController();
    mkdirSync(path.join(folder, '__pycache__'));
    writeFileSync(path.join(folder, 'a.py'), '');
    const bytecode = path.join(folder, '__pycache__', 'a.cpython-313.pyc');
    writeFileSync(bytecode, '');

    await runner.written(['a.py']);
    expect(existsSync(bytecode)).toBe(false);
    expect(await runner.build(signal)).toEqual([]);
    expect(readFileSync(path.join(folder, 'built'), 'utf8')).toBe('built\n');

    writeFileSync(path.join(folder, 'fail'), '');
    expect(await runner.build(signal)).toMatchObject([
      { stage: 'build', message: '`build` failed: exit 1' },
    ]);
  });

  it('prepares once it is told to, and says what failed', async () => {
    const { signal } = new AbortController();
    const fine = project('', { prepare: ['node', '--version'] });
    expect(await fine.runner.prepare(signal)).toEqual({ ok: true, value: undefined });
    const faulty = project('', { prepare: 'echo no database >&2; exit 3' });
    expect(await faulty.runner.prepare(signal)).toMatchObject({
      ok: false,
      error: { message: '`prepare` of lane web failed: exit 3: no database' },
    });
  });
});

const LIMITS = { stepMs: 60_000, testMs: 1, memoryBytes: 1 << 30, outputBytes: 1 << 16 };
