/** Each way in which a test executable can end, by executables that are really started. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureLaunches } from '../../../src/lane/cargo/capture.js';
import { targetVariable } from '../../../src/lane/cargo/configuration.js';
import type { ExecutedRun } from '../../../src/lane/cargo/execute.js';
import { buildActs, MARKER, type Acts } from './acts.js';

let acts: Acts;
beforeAll(async () => {
  acts = await buildActs();
});
afterAll(() => {
  acts.remove();
});

const LIB = { only: ['acts'] };
const IN_ONE_THREAD = { RUST_TEST_THREADS: '1' };

/** `passed` left out, so that a scenario shows what moved. */
const moved = (run: ExecutedRun): Readonly<Record<string, string>> =>
  Object.fromEntries(
    run.results
      .filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
      .map(({ id, outcome, message }) => [
        id,
        message === null ? outcome : `${outcome}: ${message}`,
      ]),
  );

const outcomes = (run: ExecutedRun): readonly string[] =>
  run.results.map(({ id, outcome }) => `${id}: ${outcome}`);

describe('a lane that is left alone', () => {
  test('passes as under cargo: folder, environment, configured runner, own temporary folder', async () => {
    const run = await acts.run({ doctests: true });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(moved(run)).toEqual({});
    expect(run.exit).toEqual({ code: 0, signal: null });
    expect(run.notes).toEqual([]);
    expect(run.results.map(({ id }) => id)).toEqual([
      ...['a', 'b', 'c', 'd', 'e', 'naïve_ü', 'needs_a', 'net', 'r#match', 'sp', 'spe'].map(
        (name) => `acts tests::${name}`,
      ),
      'acts::bin/tool of_the_tool',
      'acts::one same',
      'acts::pair first',
      'acts::pair second',
      'acts::place as_cargo_starts_it',
      'acts::place with_a_temporary_folder_of_its_own',
      'acts::place with_nothing_of_ours_but_the_mark',
      'acts::two same',
      'acts::doc src/lib.rs',
      'acts::doc src/lib.rs - two',
      'acts::doc src/lib.rs - two #2',
      'acts::doc src/lib.rs - two #3',
    ]);
    expect(run.results.find(({ id }) => id === 'acts tests::net')).toMatchObject({
      outcome: 'skipped',
      message: 'needs a net',
    });
    expect(run.selection).toMatchObject({ collected: 23, selected: 23, deselected: [] });
    expect(run.progress.slice(0, 2)).toEqual(['collected 19', 'started acts tests::a']);
    expect(run.progress).toContain('finished acts tests::naïve_ü: passed');
    expect(acts.log()).toContain('--logfile=');
  });

  test('selects by a part of the name, and says what it leaves', async () => {
    const run = await acts.run({ select: 'same naïve', doctests: true });
    expect(run.results.map(({ id }) => id).toSorted()).toEqual([
      'acts tests::naïve_ü',
      'acts::one same',
      'acts::two same',
    ]);
    expect(run.selection).toMatchObject({ collected: 23, selected: 3 });
    expect(run.selection.deselected).toContain('acts::doc src/lib.rs - two #2');
  });

  test('collects without running', async () => {
    const collection = await acts.collect({ select: 'net two', doctests: true });
    expect(collection.ids).toEqual([
      'acts tests::net',
      'acts::doc src/lib.rs - two',
      'acts::doc src/lib.rs - two #2',
      'acts::doc src/lib.rs - two #3',
    ]);
    expect(collection.ending).toEqual({ kind: 'complete' });
    expect(collection.notes).toEqual(['acts tests::net is ignored']);
    expect(collection.selection.files).toContainEqual({ file: 'acts', collected: 11, selected: 1 });
  });

  test('gives libtest what stands after `--`', async () => {
    const testArguments = ['--include-ignored', '--skip', 'na', '--test-threads=1', '--nocapture'];
    const run = await acts.run({ ...LIB, testArguments, run: { step: 'baseline' } });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.selection.deselected).toEqual(['acts tests::naïve_ü']);
    expect(outcomes(run)).toContain('acts tests::net: passed');
    expect(run.notes).toEqual(["`--nocapture` of the lane's `args` has no effect here"]);
    expect((await acts.run({ ...LIB, testArguments })).notes).toEqual([]);
    expect(acts.log()).toContain('--test-threads=1');
    const ignored = await acts.run({ ...LIB, testArguments: ['--ignored'], afresh: true });
    expect(outcomes(ignored)).toEqual(['acts tests::net: passed']);
    const refused = await acts.run({ ...LIB, testArguments: ['--exact'] });
    expect(refused.ending).toMatchObject({
      kind: 'broken',
      causes: [{ message: expect.stringMatching(/^`--exact` after/) }],
    });
  });

  test('that selects nothing is empty', async () => {
    expect((await acts.run({ select: 'nothing_has_this' })).ending).toEqual({
      kind: 'empty',
      deselected: 19,
      why: 'none of 19 tests has the filter in its name',
    });
  });
});

describe('a narrow run', () => {
  test('runs the named tests whole, in their own executables', async () => {
    const run = await acts.run({
      env: { ACT_A: 'panic', ACT_ONE: 'panic' },
      run: { scope: ['acts tests::sp', 'acts::two same', 'acts tests::gone'] },
    });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual(['acts tests::sp: passed', 'acts::two same: passed']);
    expect(run.progress.filter((line) => line.startsWith('started'))).toHaveLength(2);
  });

  test('leaves out what it is to run without', async () => {
    const run = await acts.run({
      ...LIB,
      env: { ACT_C: 'exit 0' },
      run: { without: ['acts tests::c'] },
    });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.results).toHaveLength(10);
    expect(moved(run)).toEqual({});
  });
});

describe('a failing test', () => {
  test('says where and why, and the next executable still runs', async () => {
    const run = await acts.run({
      env: { ACT_C: 'panic', ACT_UMLAUT: 'compare', ACT_SP: '1', ACT_TWO: 'panic' },
    });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.exit).toEqual({ code: 101, signal: null });
    expect(moved(run)).toEqual({
      'acts tests::c': 'failed: told to',
      'acts tests::naïve_ü':
        'failed: assertion `left == right` failed: in UMLAUT (left: 2, right: 3)',
      'acts tests::sp': 'failed: test did not panic as expected',
      'acts tests::spe':
        'failed: panic did not contain expected string       panic message: "x\\nok tests::a\\n"  expected substring: "told\\nto"',
      'acts::two same': 'failed: told to',
    });
    expect(outcomes(run)).toContain('acts::one same: passed');
    expect(outcomes(run)).toContain('acts::place as_cargo_starts_it: passed');
    expect(run.results.find(({ id }) => id === 'acts tests::c')?.at).toMatch(/^src\/lib\.rs:\d+$/);
    expect(run.results.find(({ id }) => id === 'acts tests::sp')?.at).toMatch(/^src\/lib\.rs:\d+$/);
  });

  test('of a doctest, with the others beside it', async () => {
    const run = await acts.run({ only: [], doctests: true, env: { ACT_DOC: '1' } });
    expect(moved(run)).toEqual({
      'acts::doc src/lib.rs - two #2': 'failed: told to, in a doctest',
    });
    expect(run.results).toHaveLength(4);
    expect(run.results.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      at: expect.stringMatching(/^src\/lib\.rs:\d+$/),
      broken: null,
    });
  });
});

describe('what a test prints past the capture decides nothing', () => {
  test.each([
    ['a verdict of another', 'raw \\ntest tests::d ... FAILED\\ntest tests::e ... ok\\n'],
    [
      'a summary',
      'raw \\ntest result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\\n',
    ],
    ['the head of the failures', 'raw \\nfailures:\\n\\n---- tests::d stdout ----\\nx\\n'],
    ['half a line', 'raw test tests::d ... '],
  ])('%s', async (_what, told) => {
    const run = await acts.run({ ...LIB, env: { ACT_C: told } });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(moved(run)).toEqual({});
    expect(run.results).toHaveLength(11);
  });

  test('nor does what a failing one prints', async () => {
    const run = await acts.run({
      ...LIB,
      env: { ACT_C: 'raw-panic test tests::d ... FAILED\\n---- tests::c stdout ----\\n' },
    });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(moved(run)).toEqual({ 'acts tests::c': 'failed: told to' });
  });

  test('a log file that a test takes away is read to its end', async () => {
    const run = await acts.run({ ...LIB, env: { ...IN_ONE_THREAD, ACT_B: 'unlink' } });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.results).toHaveLength(11);
  });

  test('a child with our own arguments, which writes into our log file, forges nothing', async () => {
    const env = { ...IN_ONE_THREAD, ACT_A: 'panic' };
    const run = await acts.run({ ...LIB, env: { ...env, ACT_C: 'twice' } });
    expect(moved(run)).toEqual({ 'acts tests::a': 'failed: told to' });
    // In the child `c` passes, and here it does not. Where the child's verdict was read, libtest's
    // own count tells; where its line was written over before, there is nothing to tell.
    const failing = await acts.run({ ...LIB, env: { ...env, ACT_C: 'twice and fail' } });
    expect([failing.ending.kind, moved(failing)['acts tests::c']?.split(':')[0]]).not.toEqual([
      'complete',
      undefined,
    ]);
  });
});

describe('a test that ends the process', () => {
  test.each([
    ['exit 0', 'the process ended: exit 0, no result'],
    ['exit 101', 'the process ended: exit 101, no result'],
    ['exit 3', 'the process ended: exit 3, no result'],
    ['abort', 'the process ended: SIGABRT'],
    ['overflow', 'the process ended: SIGABRT (stack overflow)'],
  ])('%s: it alone has crashed, and all others have their verdicts', async (told, message) => {
    const run = await acts.run({ ...LIB, env: { ACT_C: told, ACT_E: 'panic' } });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(moved(run)).toEqual({
      'acts tests::c': `crashed: ${message}`,
      'acts tests::e': 'failed: told to',
    });
    expect(run.results).toHaveLength(11);
    expect(run.progress).toContain('finished acts tests::c: crashed');
  });

  test('and the other executables run', async () => {
    const run = await acts.run({ env: { ACT_ONE: 'exit 0', ACT_A: 'abort' } });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(moved(run)).toEqual({
      'acts tests::a': 'crashed: the process ended: SIGABRT',
      'acts::one same': 'crashed: the process ended: exit 0, no result',
    });
    expect(run.exit.signal).toBe('SIGABRT');
  });

  test('several of them are each found', async () => {
    const env = { ACT_A: 'abort', ACT_B: 'exit 0', ACT_D: 'overflow', ACT_UMLAUT: 'exit 7' };
    const run = await acts.run({ ...LIB, env });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(Object.keys(moved(run))).toEqual(
      ['a', 'b', 'd', 'naïve_ü'].map((name) => `acts tests::${name}`),
    );
  });

  test('one that needs another in the same process does not fail for the crash', async () => {
    // In one thread `d` dies before `needs_a`, which then passes only in the company of `a`.
    const run = await acts.run({ ...LIB, env: { ...IN_ONE_THREAD, ORDER: '1', ACT_D: 'abort' } });
    expect(moved(run)).toEqual({ 'acts tests::d': 'crashed: the process ended: SIGABRT' });
  });

  test('where none does it alone, nobody is blamed and nothing is complete', async () => {
    const env = { PAIR: '1', RUST_TEST_THREADS: '2' };
    const run = await acts.run({ only: ['acts::one', 'acts::pair', 'acts::two'], env });
    expect(run.ending).toEqual({
      kind: 'crashed',
      how: 'SIGABRT; no test that was running does so alone',
      test: null,
    });
    expect(outcomes(run)).toEqual(['acts::one same: passed', 'acts::two same: passed']);
  });
});

describe('limits', () => {
  test('a test that hangs is named; what had ended is kept; nothing of it is left', async () => {
    const run = await acts.run({
      env: { ACT_E: 'hang', ACT_A: 'panic' },
      run: { limits: { testMs: 400 } },
    });
    expect(run.ending).toEqual({
      kind: 'timeout',
      limit: 'test',
      limitMs: 400,
      test: 'acts tests::e',
    });
    expect(moved(run)).toMatchObject({
      'acts tests::a': 'failed',
      'acts tests::e': 'timeout: ran into the time limit',
    });
    expect(outcomes(run)).toContain('acts tests::b: passed');
  });

  test('the step has a limit too', async () => {
    const run = await acts.run({
      ...LIB,
      env: { ACT_E: 'hang' },
      run: { limits: { stepMs: 1000 } },
    });
    expect(run.ending).toEqual({
      kind: 'timeout',
      limit: 'step',
      limitMs: 1000,
      test: 'acts tests::e',
    });
  });

  test('and memory', async () => {
    const run = await acts.run({
      ...LIB,
      env: { ...IN_ONE_THREAD, ACT_C: 'fill' },
      run: { limits: { memoryBytes: 300 * 1024 * 1024 } },
    });
    expect(run.ending).toMatchObject({ kind: 'out-of-memory', test: 'acts tests::c' });
  });

  test('a run that is cancelled says so', async () => {
    const abort = new AbortController();
    const running = acts.run({
      ...LIB,
      env: { ACT_E: 'hang' },
      run: {
        signal: abort.signal,
        onProgress: (one) => {
          if (one.kind === 'started' && one.test === 'acts tests::e') abort.abort();
        },
      },
    });
    expect((await running).ending).toEqual({ kind: 'cancelled' });
  });

  test.runIf(process.platform === 'linux')(
    'a daemon is swept, and the run does not wait for it',
    async () => {
      const run = await acts.run({ ...LIB, env: { ACT_C: 'daemon' } });
      expect(run.ending).toEqual({ kind: 'complete' });
      expect(moved(run)).toEqual({});
      expect(run.notes).toEqual([
        expect.stringMatching(/^acts: a process was left over and killed: sleep 999/),
      ]);
    },
  );
});

describe('who reaches the edit', () => {
  test('is told by what a test printed, also where it passed or another thread panicked', async () => {
    const run = await acts.run({
      env: {
        ACT_A: `swallow ${MARKER}`,
        ACT_B: `thread ${MARKER}`,
        ACT_C: 'swallow something else',
        ACT_TWO: `thread ${MARKER}`,
      },
      run: { step: 'reach' },
    });
    expect(moved(run)).toEqual({});
    expect(run.reached).toEqual(['acts tests::a', 'acts tests::b', 'acts::two same']);
  });

  test('is not asked for in other steps', async () => {
    const run = await acts.run({ ...LIB, env: { ACT_A: `thread ${MARKER}` } });
    expect(run.reached).toEqual([]);
  });
});

describe('a target with a harness of its own', () => {
  test('is refused, and never started', async () => {
    const file = path.join(acts.root, 'started-1');
    const told = { only: ['acts', 'acts::own'], env: { OWN_STARTED: file } };
    const run = await acts.run(told);
    expect(run.ending).toMatchObject({
      kind: 'broken',
      causes: [
        { stage: 'configure', message: expect.stringMatching(/^acts::own has `harness = false`/) },
      ],
    });
    expect(run.results).toEqual([]);
    expect((await acts.collect(told)).ending.kind).toBe('broken');
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['', 'passed', null],
    ['exit 3', 'failed', 'the program ended: exit 3'],
    ['abort', 'crashed', 'the program ended: SIGABRT'],
  ])('is one test where the lane says so: %j gives %s', async (told, outcome, message) => {
    const file = path.join(acts.root, `started-${outcome}`);
    const env = { OWN_STARTED: file, ACT_OWN: told };
    const run = await acts.run({ only: ['acts::own'], harness: 'exit-code', env });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.results).toMatchObject([{ id: 'acts::own own', outcome, message }]);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('that hangs is named', async () => {
    const run = await acts.run({
      only: ['acts::own'],
      harness: 'exit-code',
      env: { ACT_OWN: 'hang' },
      run: { limits: { testMs: 300 } },
    });
    expect(run.ending).toMatchObject({ kind: 'timeout', limit: 'test', test: 'acts::own own' });
  });
});

describe('a test that ends the process, but not so when it is alone', () => {
  test.each([
    ['it ends otherwise', 'abort', 'exit 3'],
    ['it is not run', 'exit 0', 'exec "$@" --skip tests::c'],
  ])('explains nothing: %s', async (_what, told, alone) => {
    const script = `case "$*" in *"--exact tests::c") ${alone};; esac; exec "$@"`;
    const run = await acts.run({
      ...LIB,
      env: { ...IN_ONE_THREAD, ACT_C: told },
      wrapper: { acts: ['sh', '-c', script, 'sh'] },
    });
    expect(run.ending).toMatchObject({ kind: 'crashed', test: null });
    expect(moved(run)).toEqual({});
  });
});

describe('the capture', () => {
  test('starts no executable, and builds nothing', async () => {
    const file = path.join(acts.root, 'started-by-capture');
    const env = { ...acts.captureRequest.env, OWN_STARTED: file };
    const before = acts.binaries.map(({ executable }) => statSync(executable).mtimeMs);
    const captured = await captureLaunches({ ...acts.captureRequest, env });
    expect(captured.ok && [...captured.value.launches.keys()].toSorted()).toEqual(
      acts.binaries.map(({ executable }) => executable).toSorted(),
    );
    expect(existsSync(file)).toBe(false);
    expect(acts.binaries.map(({ executable }) => statSync(executable).mtimeMs)).toEqual(before);
  });

  test('keeps the runner that the environment names, and shows it to the tests', async () => {
    const { triple } = acts.captureRequest;
    const env = {
      ...acts.captureRequest.env,
      [targetVariable(triple, 'RUNNER')]: 'env THROUGH_WRAPPER=no',
    };
    const captured = await captureLaunches({ ...acts.captureRequest, env });
    const [launch] = captured.ok ? captured.value.launches.values() : [];
    expect(launch?.wrapper).toEqual(['env', 'THROUGH_WRAPPER=no']);
    expect(launch?.env[targetVariable(triple, 'RUNNER')]).toBe('env THROUGH_WRAPPER=no');
  });

  test('leaves out what is no text, and says so', async () => {
    const [program, ...words] = acts.captureRequest.command;
    const script = `ODD_BYTES=$(printf '\\377') exec ${program} "$@"`;
    const captured = await captureLaunches({
      ...acts.captureRequest,
      command: ['sh', '-c', script, 'sh', ...words],
    });
    expect(captured.ok && captured.value.notes).toEqual([
      'the variable ODD_BYTES is not UTF-8: the tests run without it',
    ]);
  });

  test('says why cargo does not tell', async () => {
    const command = ['cargo', 'test', '--package', 'nobody'] as const;
    const captured = await captureLaunches({ ...acts.captureRequest, command });
    expect(!captured.ok && captured.error.message).toMatch(
      /^cargo does not say how it starts the tests \(exit 101\): .*nobody/,
    );
  });
});

/** Lists as it should, and does this instead of a run. */
const insteadOfRunning = (script: string): readonly string[] => [
  'sh',
  '-c',
  `case "$*" in *--list*) exec "$@";; esac; ${script}`,
  'sh',
];

describe('an executable that is not as it should be', () => {
  const broken = (script: readonly string[]) =>
    acts.run({ only: ['acts::one', 'acts::two'], wrapper: { 'acts::one': script }, afresh: true });

  test('cannot list its tests: the others run', async () => {
    const run = await broken(['sh', '-c', 'echo no luck >&2; exit 3', 'sh']);
    const message = 'acts::one does not list its tests: exit 3: no luck';
    expect(run.collectionErrors).toEqual([{ stage: 'collect', file: null, line: null, message }]);
    expect(outcomes(run)).toEqual(['acts::two same: passed']);
    const alone = await acts.run({
      only: ['acts::two'],
      wrapper: { 'acts::two': ['sh', '-c', 'exit 3', 'sh'] },
      afresh: true,
    });
    expect(alone.ending).toMatchObject({ kind: 'broken', causes: [{ stage: 'collect' }] });
  });

  test('dies before its first test', async () => {
    const run = await broken(insteadOfRunning('kill -SEGV $$'));
    expect(run.ending).toEqual({
      kind: 'crashed',
      how: 'SIGSEGV before any test of acts::one',
      test: null,
    });
    expect(outcomes(run)).toEqual(['acts::two same: passed']);
  });

  test('does not take --logfile', async () => {
    const run = await broken(
      insteadOfRunning(`echo "error: Unrecognized option: 'logfile'" >&2; exit 101`),
    );
    expect(run.ending).toMatchObject({ kind: 'no-channel' });
  });

  test('counts otherwise than it wrote down', async () => {
    const run = await broken(insteadOfRunning('"$@" | sed "s/ 1 passed/ 2 passed/"'));
    expect(run.ending).toEqual({
      kind: 'incomplete',
      why: 'acts::one wrote down 1 passed, 0 failed, 0 ignored, but counts 2 passed, 0 failed, 0 ignored',
      without: [],
    });
  });

  test('runs fewer tests than it lists', async () => {
    const run = await broken(insteadOfRunning('exec "$@" --skip same'));
    expect(run.ending).toMatchObject({ kind: 'incomplete', without: ['acts::one same'] });
  });

  test('dies after its last test: the verdicts stand, and it is noted', async () => {
    const run = await broken(insteadOfRunning('"$@"; kill -SEGV $$'));
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.notes).toEqual(['acts::one: every test was done, then the process ended: SIGSEGV']);
  });

  test('is not there', async () => {
    const run = await broken(['/nowhere/runner']);
    expect(run.collectionErrors).toMatchObject([
      { message: expect.stringMatching(/^acts::one does not list its tests: not started: ENOENT/) },
    ]);
  });
});
