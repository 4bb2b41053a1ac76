import { describe, expect, it } from 'vitest';
import type { Ending } from '../../src/proof/evidence.js';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project, type LaneOptions } from './pytest-harness.js';

const python = await venv('default');

const OK = 'def test_ok(): pass\n';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: LaneOptions;
  readonly ending: Ending | object;
  readonly outcomes?: Readonly<Record<string, string>>;
  readonly notes?: readonly unknown[];
}

/** The second of three tests misbehaves. */
const three = (body: string, more = ''): Readonly<Record<string, string>> => ({
  'test_a.py': `import os, signal, sys, time, threading, atexit, pytest\n${more}\ndef test_a(): pass\ndef test_b(): ${body}\ndef test_c(): pass\n`,
});

const ids = (b: string, c: string | null = 'passed'): Readonly<Record<string, string>> => ({
  'test_a.py::test_a': 'passed',
  'test_a.py::test_b': b,
  ...(c === null ? {} : { 'test_a.py::test_c': c }),
});

const crashedIn = (how: string): Ending => ({ kind: 'crashed', how, test: 'test_a.py::test_b' });

const CASES: readonly Case[] = [
  {
    name: 'os._exit(0) in a test',
    files: three('os._exit(0)'),
    ending: crashedIn('exit 0'),
    outcomes: ids('crashed', null),
  },
  {
    name: 'os._exit(1) in a test',
    files: three('os._exit(1)'),
    ending: crashedIn('exit 1'),
    outcomes: ids('crashed', null),
  },
  {
    name: 'an abort',
    files: three('os.abort()'),
    ending: crashedIn('SIGABRT'),
    outcomes: ids('crashed', null),
  },
  {
    name: 'a SIGKILL',
    files: three('os.kill(os.getpid(), signal.SIGKILL)'),
    ending: crashedIn('SIGKILL'),
    outcomes: ids('crashed', null),
  },
  {
    name: 'os._exit(0) in a teardown, after the call failed',
    files: three(
      'assert False',
      '@pytest.fixture(autouse=True)\ndef after(request):\n    yield\n    if request.node.name == "test_b": os._exit(0)\n',
    ),
    ending: crashedIn('exit 0'),
    outcomes: ids('crashed', null),
  },
  {
    name: 'os._exit(0) at import',
    files: { 'test_a.py': 'import os\nos._exit(0)\n' },
    ending: { kind: 'crashed', how: 'exit 0', test: null },
    outcomes: {},
  },
  {
    name: 'sys.exit(0) in a test is an ordinary failure',
    files: three('sys.exit(0)'),
    ending: { kind: 'complete' },
    outcomes: ids('failed'),
  },
  {
    name: 'endless recursion is an ordinary failure',
    files: three('test_b()'),
    ending: { kind: 'complete' },
    outcomes: ids('failed'),
  },
  {
    name: 'sys.exit(0) at import',
    files: { 'test_a.py': 'import sys\nsys.exit(0)\n', 'test_b.py': OK },
    ending: {
      kind: 'broken',
      causes: [{ stage: 'collect', file: 'test_a.py', line: 2, message: 'SystemExit: 0' }],
    },
  },
  {
    name: 'KeyboardInterrupt raised by code',
    files: three('raise KeyboardInterrupt'),
    ending: {
      kind: 'incomplete',
      why: 'the session was ended: KeyboardInterrupt',
      without: ['test_a.py::test_b', 'test_a.py::test_c'],
    },
    outcomes: { 'test_a.py::test_a': 'passed' },
  },
  {
    name: 'pytest.exit with code 0',
    files: three('pytest.exit("enough", returncode=0)'),
    ending: {
      kind: 'incomplete',
      why: 'the session was ended: Exit: enough',
      without: ['test_a.py::test_b', 'test_a.py::test_c'],
    },
    outcomes: { 'test_a.py::test_a': 'passed' },
  },
  {
    name: 'an exit handler that turns the exit code to 0',
    files: three('assert False', 'atexit.register(os._exit, 0)'),
    ending: { kind: 'complete' },
    outcomes: ids('failed'),
    notes: ['exit 0 does not fit the outcomes, which stand: they would give 1'],
  },
  {
    name: 'a conftest that turns the exit code to 0',
    files: {
      ...three('assert False'),
      'conftest.py':
        'import pytest\n@pytest.hookimpl(trylast=True)\ndef pytest_sessionfinish(session): session.exitstatus = 0\n',
    },
    ending: { kind: 'complete' },
    outcomes: ids('failed'),
    notes: [expect.stringContaining('exit 0 does not fit')],
  },
  {
    name: 'an exception in a thread',
    files: three('t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()'),
    ending: { kind: 'complete' },
    outcomes: ids('passed'),
  },
  {
    name: '-x and --maxfail in addopts and in PYTEST_ADDOPTS',
    files: { ...three('assert False'), 'pytest.ini': '[pytest]\naddopts = -x --maxfail=1\n' },
    options: { env: { PYTEST_ADDOPTS: '-x' } },
    ending: { kind: 'complete' },
    outcomes: ids('failed'),
    notes: [],
  },
  {
    name: '--stepwise, --pdb and --lf in addopts',
    files: {
      ...three('assert False'),
      'pytest.ini': '[pytest]\naddopts = --sw --pdb --lf -q -q --no-summary\n',
    },
    ending: { kind: 'complete' },
    outcomes: ids('failed'),
    notes: [
      '--stepwise was switched off: every test has to run',
      '--pdb was switched off: every test has to run',
    ],
  },
  {
    name: 'a private cache folder without the cache plugin',
    files: {
      ...three('pass'),
      'pytest.ini': '[pytest]\naddopts = -p no:cacheprovider -p no:terminal\n',
    },
    ending: { kind: 'complete' },
    outcomes: ids('passed'),
  },
  {
    name: '--setup-only, which runs no body',
    files: { ...three('pass'), 'pytest.ini': '[pytest]\naddopts = --setup-only\n' },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'configure',
          file: expect.stringContaining('pytest.ini'),
          line: null,
          message: '--setup-only is in force: no test body runs',
        },
      ],
    },
  },
  {
    name: '--collect-only, which runs no test',
    files: { ...three('pass'), 'pytest.ini': '[pytest]\naddopts = --co\n' },
    ending: {
      kind: 'broken',
      causes: [expect.objectContaining({ message: expect.stringContaining('--collect-only') })],
    },
  },
  {
    name: 'an unknown option',
    files: { ...three('pass'), 'pytest.ini': '[pytest]\naddopts = --no-such-option\n' },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'configure',
          file: null,
          line: null,
          message: 'unrecognized arguments: --no-such-option',
        },
      ],
    },
  },
  {
    name: 'a configuration file that does not parse',
    files: { ...three('pass'), 'pytest.ini': '[pytest\naddopts\n' },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'configure',
          file: null,
          line: null,
          message: expect.stringContaining('pytest.ini'),
        },
      ],
    },
  },
  {
    name: 'a path that is not there',
    files: three('pass'),
    options: { lane: { paths: ['nowhere'] } },
    ending: {
      kind: 'broken',
      causes: [
        { stage: 'configure', file: null, line: null, message: expect.stringContaining('nowhere') },
      ],
    },
  },
  {
    name: 'a marker expression that fits no test',
    files: three('pass'),
    options: { lane: { select: 'nosuch' } },
    ending: { kind: 'empty', deselected: 3, why: 'none of 3 collected tests was selected' },
  },
  {
    name: 'a marker expression that does not parse',
    files: three('pass'),
    options: { lane: { select: 'a and (' } },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'configure',
          file: null,
          line: null,
          message: expect.stringMatching(/Wrong expression.*a and \(/),
        },
      ],
    },
  },
  {
    name: 'an empty folder',
    files: {},
    ending: { kind: 'empty', deselected: 0, why: 'no test was collected' },
  },
  {
    name: 'a first conftest.py that cannot be imported',
    files: { ...three('pass'), 'conftest.py': '\nimport nowhere_to_be_found\n' },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'import',
          file: 'conftest.py',
          line: 2,
          message: "ModuleNotFoundError: No module named 'nowhere_to_be_found'",
        },
      ],
    },
  },
  {
    name: 'a conftest.py with a SyntaxError',
    files: { ...three('pass'), 'conftest.py': 'x = 1\ndef (\n' },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'compile',
          file: 'conftest.py',
          line: 2,
          message: expect.stringContaining('SyntaxError: '),
        },
      ],
    },
  },
  {
    name: 'an internal error of a plugin while tests run',
    files: {
      ...three('pass'),
      'conftest.py':
        'def pytest_runtest_logreport(report):\n    if "test_b" in report.nodeid: raise ValueError("bad hook")\n',
    },
    ending: {
      kind: 'incomplete',
      why: 'pytest had an internal error: ValueError: bad hook',
      without: ['test_a.py::test_b', 'test_a.py::test_c'],
    },
  },
  {
    name: 'a warning filter whose module does not run',
    files: {
      ...three('pass'),
      'pytest.ini': '[pytest]\nfilterwarnings = ignore::lib.Loud\n',
      'lib.py': 'UNSET\nclass Loud(Warning): pass\n',
    },
    ending: {
      kind: 'broken',
      causes: [
        {
          stage: 'configure',
          file: null,
          line: null,
          message:
            "NameError: name 'UNSET' is not defined (while parsing the following warning configuration)",
        },
      ],
    },
  },
  {
    name: '-p no:counterproof_pytest',
    files: three('pass'),
    options: { env: { PYTEST_ADDOPTS: '-p no:counterproof_pytest' } },
    ending: {
      kind: 'no-channel',
      why: expect.stringContaining('exit 0'),
      hint: expect.stringContaining('-p no:counterproof_pytest'),
    },
  },
  {
    name: 'python -I',
    files: three('pass'),
    options: { command: [python.python, '-I', '-m', 'pytest'] },
    ending: {
      kind: 'no-channel',
      why: expect.anything(),
      hint: expect.stringContaining('-I and -E'),
    },
  },
  {
    name: 'a command that is not there',
    files: three('pass'),
    options: { command: ['/no/such/python', '-m', 'pytest'] },
    ending: {
      kind: 'broken',
      causes: [
        { stage: 'configure', file: null, line: null, message: expect.stringContaining('ENOENT') },
      ],
    },
  },
  {
    name: 'an exception in pytest_configure, by its own words',
    files: {
      'conftest.py': 'def pytest_configure(config): raise RuntimeError("no database")\n',
      'test_a.py': OK,
    },
    ending: {
      kind: 'crashed',
      how: expect.stringMatching(
        /^exit \d before it collected a test; it said: RuntimeError: no database$/,
      ),
      test: null,
    },
    outcomes: {},
  },
  {
    name: 'sys.exit in pytest_configure, by its own words',
    files: {
      'conftest.py': 'import sys\ndef pytest_configure(config): sys.exit("no licence")\n',
      'test_a.py': OK,
    },
    ending: {
      kind: 'crashed',
      how: expect.stringMatching(
        /^exit \d before it collected a test; it said: (SystemExit: )?no licence$/,
      ),
      test: null,
    },
    outcomes: {},
  },
  {
    name: 'a test that empties the event stream',
    files: three('open(os.environ["COUNTERPROOF_DIR"] + "/events.jsonl", "w").close()'),
    ending: {
      kind: 'incomplete',
      why: 'lines of the event stream are missing',
      without: expect.anything(),
    },
  },
  {
    name: 'a test that cuts the event stream',
    files: three(
      'f = open(os.environ["COUNTERPROOF_DIR"] + "/events.jsonl", "r+"); lines = f.readlines(); f.seek(0); f.truncate(); f.writelines(lines[:-2])',
    ),
    ending: {
      kind: 'incomplete',
      why: 'lines of the event stream are missing',
      without: expect.anything(),
    },
  },
  {
    name: 'a test that writes a report for another test',
    files: three(
      'f = open(os.environ["COUNTERPROOF_DIR"] + "/events.jsonl", "r+"); line = [x for x in f if "\\"report\\"" in x][0]; f.write(line.replace("test_a\\"", "test_c\\""))',
    ),
    ending: {
      kind: 'incomplete',
      why: 'a line of the event stream came twice',
      without: expect.anything(),
    },
  },
  {
    name: 'a test that deletes the event stream',
    files: three('os.remove(os.environ["COUNTERPROOF_DIR"] + "/events.jsonl")'),
    ending: { kind: 'complete' },
    outcomes: ids('passed'),
  },
  {
    name: 'a forked child that runs on through the session',
    files: three('os.fork()'),
    ending: { kind: 'complete' },
    outcomes: ids('passed'),
  },
  {
    name: 'an inner session started by a test in its own process and in a child',
    files: {
      'test_a.py': `
import pytest, subprocess, sys
pytest_plugins = ["pytester"]
def test_in_process(pytester):
    pytester.makepyfile("def test_inner(): assert False")
    pytester.runpytest_inprocess().assert_outcomes(failed=1)
def test_in_child(pytester):
    pytester.makepyfile("def test_inner(): assert False")
    pytester.runpytest_subprocess().assert_outcomes(failed=1)
`,
    },
    ending: { kind: 'complete' },
    outcomes: { 'test_a.py::test_in_process': 'passed', 'test_a.py::test_in_child': 'passed' },
  },
];

describe('how a run ends', () => {
  it.each(CASES)('$name', async ({ files, options, ending, outcomes: expected, notes }) => {
    const tree = project(files);
    const lane = laneOver(tree, python, options);
    const run = await lane.run();
    expect(run.ending, lane.log()).toEqual(ending);
    if (expected !== undefined) expect(outcomes(run)).toEqual(expected);
    if (notes !== undefined) expect(run.notes).toEqual(notes);
  });

  it('names the test that ran into the limit of a test, and keeps what was known', async () => {
    const lane = laneOver(project(three('time.sleep(60)')), python);
    const run = await lane.run({ limits: { ...LIMITS, testMs: 1500 } });
    expect(run.ending).toEqual({
      kind: 'timeout',
      limit: 'test',
      limitMs: 1500,
      test: 'test_a.py::test_b',
    });
    expect(outcomes(run)).toEqual(ids('timeout', null));
  });

  it('names the test that ran when the limit of the step was over', async () => {
    const lane = laneOver(project(three('time.sleep(60)')), python);
    const run = await lane.run({ limits: { ...LIMITS, stepMs: 4000 } });
    expect(run.ending).toEqual({
      kind: 'timeout',
      limit: 'step',
      limitMs: 4000,
      test: 'test_a.py::test_b',
    });
    expect(outcomes(run)).toEqual(ids('timeout', null));
  });

  it('is complete where a thread keeps the process alive after its last test', async () => {
    const tree = project(three('threading.Thread(target=time.sleep, args=(60,)).start()'));
    const run = await laneOver(tree, python).run();
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual(ids('passed'));
    expect(run.notes).toEqual([
      'the process did not end within 5 s of its last test and was killed',
    ]);
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const run = await laneOver(project(three('time.sleep(60)')), python).run({
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.kind === 'started' && progress.test.endsWith('test_b')) controller.abort();
      },
    });
    expect(run.ending).toEqual({ kind: 'cancelled' });
    expect(outcomes(run)).toEqual({ 'test_a.py::test_a': 'passed' });
  });
});

const LIMITS = { stepMs: 60_000, testMs: 30_000, memoryBytes: 1 << 30, outputBytes: 1 << 16 };
