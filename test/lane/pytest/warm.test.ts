import { existsSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { LaneRun, RunRequest } from '../../../src/lane/lane.js';
import { runProcess } from '../../../src/lane/process.js';
import { venv } from '../../support/venvs.js';
import { laneOver, outcomes, project, type LaneOptions } from '../pytest-harness.js';

const MOD = 'def one():\n    return 1\n\n\ndef two():\n    return 2\n';
const TESTS =
  'import mod\n\n\ndef test_one():\n    assert mod.one() == 1\n\n\ndef test_two():\n    assert mod.two()\n';
/** True in a forked child alone, whose parent is the interpreter that waits. */
const IS_WARM = "b'pytest' in open('/proc/%d/cmdline' % __import__('os').getppid(), 'rb').read()";
const FILES = { 'mod.py': MOD, 'test_mod.py': TESTS };

const FLIP = MOD.replace('return 1', 'return 3');
const SURVIVOR = MOD.replace('return 2', 'return 4');

type Step = Partial<Omit<RunRequest, 'targets'>>;

/** A lane after its baseline. `started`: how many processes a call has started. */
async function lane(files: Readonly<Record<string, string>> = FILES, options: LaneOptions = {}) {
  const tree = project(files);
  const over = laneOver(tree, await venv('default'), { runProcess, ...options });
  const baseline = await over.run({ step: 'baseline', ahead: 9, targets: ['mod.py'] });
  const run = async (text: string, request: Step = {}): Promise<LaneRun & { started: number }> => {
    tree.write('mod.py', text);
    const before = over.started.length;
    const step = await over.run({
      step: 'mutated',
      targets: ['mod.py'],
      baseline: baseline.results,
      ...request,
    });
    return { ...step, started: over.started.length - before };
  };
  return { tree, over, baseline, run };
}

it('after a baseline and a first flip, a step starts no process', async () => {
  const { over, baseline, run } = await lane();
  expect(baseline.notes).toEqual([]);
  expect(over.started).toHaveLength(2);
  const first = await run(FLIP);
  expect(first).toMatchObject({ started: 1, ending: { kind: 'complete' }, exit: { code: 1 } });
  const second = await run(FLIP);
  expect(second.started).toBe(0);
  expect({ ...second, durationMs: 0, started: 1, results: [], asked: undefined }).toEqual({
    ...first,
    durationMs: 0,
    results: [],
  });
  expect(outcomes(second)).toEqual({
    'test_mod.py::test_one': 'failed',
    'test_mod.py::test_two': 'passed',
  });
  expect(second.loads[0]).toMatchObject({ proof: 'compiled', by: 'test process' });
  const restored = await run(MOD, { step: 'restored', scope: ['test_mod.py::test_one'] });
  expect(restored).toMatchObject({ started: 0, ending: { kind: 'complete' } });
  expect(outcomes(restored)).toEqual({ 'test_mod.py::test_one': 'passed' });
  expect(over.log()).toContain('1 passed');
});

it('every survivor is confirmed by a cold run', async () => {
  const { run } = await lane();
  for (let time = 0; time < 2; time += 1)
    expect(await run(SURVIVOR)).toMatchObject({ started: 1, notes: [] });
});

it('what a mutant shows cold alone stands, and the lane is cold from then on', async () => {
  const { run } = await lane();
  const only = await run(MOD.replace('return 2', `return ${IS_WARM}`));
  expect(outcomes(only)).toMatchObject({ 'test_mod.py::test_two': 'failed' });
  expect(only.notes).toEqual([
    'every step starts a new interpreter: test_mod.py::test_two is failed cold and passed warm',
  ]);
  for (let time = 0; time < 2; time += 1)
    expect(await run(FLIP)).toMatchObject({ started: 1, notes: [] });
});

it('a first flip that is there warm alone is none', async () => {
  const { run } = await lane();
  const only = await run(MOD.replace('return 2', `return not ${IS_WARM}`));
  expect(outcomes(only)).toMatchObject({ 'test_mod.py::test_two': 'passed' });
  expect(only.notes[0]).toContain('test_mod.py::test_two is passed cold and failed warm');
});

it('a restored tree that differs warm alone is as it was', async () => {
  const { run } = await lane();
  expect((await run(FLIP)).started).toBe(1);
  const restored = await run(MOD.replace('return 2', `return not ${IS_WARM}`), {
    step: 'restored',
  });
  expect(outcomes(restored)).toMatchObject({ 'test_mod.py::test_two': 'passed' });
  expect(restored.notes[0]).toContain('test_mod.py::test_two is passed cold and failed warm');
  expect(restored.differsWarm).toEqual(['test_mod.py::test_two']);
});

it('a baseline that differs warm leaves the lane cold, with the test that does', async () => {
  const told = `${TESTS}\n\ndef test_told():\n    assert not ${IS_WARM}\n`;
  const { baseline, run } = await lane({ ...FILES, 'test_mod.py': told });
  expect(outcomes(baseline)).toMatchObject({ 'test_mod.py::test_told': 'passed' });
  expect(baseline.notes).toEqual([
    'every step starts a new interpreter: test_mod.py::test_told is passed cold and failed warm',
  ]);
  expect((await run(FLIP)).started).toBe(1);
  expect((await run(FLIP)).started).toBe(1);
});

it('a quarantined test may differ', async () => {
  const told = `${TESTS}\n\ndef test_told():\n    assert not ${IS_WARM}\n`;
  const quarantine = [{ test: 'test_mod.py::test_told', because: 'it looks at its parent' }];
  const { baseline, run } = await lane({ ...FILES, 'test_mod.py': told }, { lane: { quarantine } });
  expect(baseline.notes).toEqual([]);
  expect((await run(SURVIVOR)).started).toBe(1);
  expect((await run(FLIP)).started).toBe(1);
  expect((await run(FLIP)).started).toBe(0);
});

it('what stands in the way is left out, and the rest is warm', async () => {
  const { baseline, run } = await lane(
    { ...FILES, 'site-packages/lib.py': 'import mod\n', 'test_mod.py': `import lib\n${TESTS}` },
    { env: { PYTHONPATH: 'site-packages' } },
  );
  expect(baseline.notes).toEqual([]);
  expect((await run(FLIP)).started).toBe(1);
  expect((await run(FLIP)).started).toBe(0);
});

it('a mutant that alters what a library reads at its import is measured cold, each time', async () => {
  const lib = "import os\nSTRICT = 'STRICT' in os.environ\n";
  const { baseline, run } = await lane(
    {
      ...FILES,
      'site-packages/lib.py': lib,
      'test_mod.py': `${TESTS}\n\ndef test_lib():\n    import lib\n    assert not lib.STRICT\n`,
    },
    { env: { PYTHONPATH: 'site-packages' } },
  );
  expect(baseline.notes).toEqual([]);
  await run(FLIP);
  expect((await run(FLIP)).started).toBe(0);
  const strict = `import os\nos.environ['STRICT'] = '1'\n${FLIP}`;
  for (let time = 0; time < 2; time += 1) {
    const step = await run(strict);
    expect(step).toMatchObject({ started: 1, notes: [] });
    expect(step.differsWarm).toBeUndefined();
    expect(outcomes(step)).toMatchObject({ 'test_mod.py::test_lib': 'failed' });
  }
  expect((await run(FLIP)).started).toBe(0);
});

/** The kind of lane in which an import that the collection skips shows, once `FLAG` keeps it from running. */
const SKIPPING = {
  'mod.py': `import xml

FLAG = True


def one():
    return FLAG


def load():
    if FLAG:
        import xml.dom.minidom


def read():
    return xml.dom.minidom.parseString("<a/>").documentElement.tagName
`,
  'test_mod.py': `import mod

mod.load()


def test_one():
    assert mod.one()


def test_read():
    assert mod.read() == "a"
`,
};
const flipped = (text: string): string => text.replace('return FLAG', 'return not FLAG');
const SKIPPED = SKIPPING['mod.py'].replace('FLAG = True', 'FLAG = False');

it('a step that skips an import is measured cold, each time and in each part', async () => {
  const { baseline, run } = await lane(SKIPPING);
  expect(baseline.notes).toEqual([]);
  await run(flipped(SKIPPING['mod.py']));
  expect((await run(flipped(SKIPPING['mod.py']))).started).toBe(0);
  for (const request of [{}, {}, { scope: ['test_mod.py::test_read'] }]) {
    const step = await run(SKIPPED, request);
    expect(step).toMatchObject({ started: 1, notes: [] });
    expect(step.differsWarm).toBeUndefined();
    expect(outcomes(step)).toMatchObject({ 'test_mod.py::test_read': 'failed' });
  }
  // It says nothing of others.
  expect((await run(flipped(SKIPPING['mod.py']))).started).toBe(0);
});

it.each([
  ['an import', '+import xml.dom.minidom', 1],
  ['the time of its process', '-    return time.process_time()', 1],
  ['no more than it did', '+    return 3', 0],
])(
  'a mutant that asks for %s is measured by as many new interpreters',
  async (_, line, started) => {
    const { run } = await lane();
    await run(FLIP);
    const patch = `--- a/mod.py\n+++ b/mod.py\n@@ -1,1 +1,1 @@\n import mod\n${line}\n`;
    expect((await run(FLIP, { patch })).started).toBe(started);
    // The interpreter that waits is there for the others.
    expect((await run(FLIP)).started).toBe(0);
  },
);

it('where another slot saw a difference, no interpreter waits any more', async () => {
  const { run } = await lane();
  await run(FLIP);
  expect((await run(FLIP, { isCold: true })).started).toBe(1);
  expect((await run(FLIP)).started).toBe(1);
});

it('every step has its temporary folder at the path of the baseline', async () => {
  const inIds = `import pytest, tempfile

${TESTS}

@pytest.mark.parametrize("folder", [tempfile.gettempdir()])
def test_folder(folder): pass
`;
  const { baseline, run } = await lane({ ...FILES, 'test_mod.py': inIds });
  expect(baseline.notes).toEqual([]);
  const ids = Object.keys(outcomes(baseline));
  expect(ids).toHaveLength(3);
  for (const started of [1, 0]) {
    const step = await run(FLIP);
    expect(step.started).toBe(started);
    expect(Object.keys(outcomes(step))).toEqual(ids);
  }
});

it('a plugin of the project itself leaves the lane cold, with the reason', async () => {
  const { baseline, run } = await lane(
    { ...FILES, 'own.py': '' },
    { lane: { args: ['-p', 'own'] } },
  );
  expect(baseline.notes).toEqual([
    'every step starts a new interpreter: own of the project is loaded before any test is (own.py)',
  ]);
  expect((await run(FLIP)).started).toBe(1);
});

it.each<[why: string, options: LaneOptions, request: Step]>([
  ['warm: off', { lane: { warm: 'off' } }, { ahead: 9 }],
  ['a lane with little ahead', {}, { ahead: 3 }],
  ['a wrapper', { kind: 'wrapper', command: ['sh', '-c', 'exec "$0" -m pytest'] }, { ahead: 9 }],
])('%s starts no server', async (_, options, request) => {
  const { python } = await venv('default');
  const [first = '', ...rest] = options.command ?? [];
  const command =
    options.command === undefined ? {} : { command: [first, ...rest, python] as const };
  const over = laneOver(project(FILES), await venv('default'), {
    runProcess,
    ...options,
    ...command,
  });
  const baseline = await over.run({ step: 'baseline', ...request });
  expect(baseline).toMatchObject({ notes: [], ending: { kind: 'complete' } });
  expect(over.started).toHaveLength(1);
});

it('a file that is read before the fork is proven cold, and the others warm', async () => {
  const { tree, over, baseline, run } = await lane({ ...FILES, 'pytest.ini': '[pytest]\n' });
  await run(FLIP);
  tree.write('pytest.ini', '[pytest]\npython_functions = test_one\n');
  const before = over.started.length;
  const { results } = baseline;
  const ini = await over.run({ step: 'mutated', baseline: results, targets: ['pytest.ini'] });
  expect(outcomes(ini)).toEqual({ 'test_mod.py::test_one': 'failed' });
  expect(over.started.length - before).toBe(1);
  tree.write('pytest.ini', '[pytest]\n');
  expect((await run(FLIP)).started).toBe(0);
});

it('limits, leftovers and deaths are those of a cold step', async () => {
  const { run } = await lane();
  const spawn = `import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True, stdout=-3, stderr=-3)`;
  const leaves = await run(MOD.replace('    return 1', `    ${spawn}\n    return 3`));
  expect(leaves.started).toBe(1);
  const leavesAgain = await run(MOD.replace('    return 1', `    ${spawn}\n    return 3`));
  expect(leavesAgain.started).toBe(0);
  expect(leavesAgain.notes).toEqual([
    expect.stringMatching(/^a process was left over and killed: sleep 60/),
  ]);

  const crash = MOD.replace(
    'return 1',
    "return __import__('os').kill(__import__('os').getpid(), 11)",
  );
  expect(await run(crash)).toMatchObject({
    started: 1,
    ending: { kind: 'crashed', how: 'SIGSEGV', test: 'test_mod.py::test_one' },
    notes: [],
  });

  const hang = MOD.replace('return 1', "return __import__('time').sleep(60)");
  const limits = { stepMs: 60_000, testMs: 2_000, memoryBytes: 1 << 30, outputBytes: 1 << 16 };
  const ending = { kind: 'timeout', limit: 'test', test: 'test_mod.py::test_one' };
  expect(await run(hang, { limits })).toMatchObject({ started: 1, ending, notes: [] });
  expect(await run(hang, { limits })).toMatchObject({ started: 0, ending });

  const hog = MOD.replace(
    'return 1',
    'return len([bytearray(1 << 20) for _ in range(800)]) * 0 + __import__("time").sleep(60)',
  );
  const tight = { ...limits, testMs: 60_000, memoryBytes: 400 << 20 };
  expect((await run(hog, { limits: tight })).ending.kind).toBe('out-of-memory');

  const broken = await run('def one(:\n');
  expect(broken).toMatchObject({ started: 1, ending: { kind: 'broken' } });
  expect(await run('def one(:\n')).toMatchObject({ started: 0, ending: { kind: 'broken' } });
  expect((await run(FLIP)).started).toBe(0);
});

it('a server that a test kills costs nothing but its speed, which is told once', async () => {
  const { run } = await lane();
  const killer = MOD.replace(
    '    return 1',
    `    if ${IS_WARM}: __import__('os').kill(__import__('os').getppid(), 9)\n    return 3`,
  );
  const step = await run(killer);
  expect(outcomes(step)).toMatchObject({ 'test_mod.py::test_one': 'failed' });
  expect(step).toMatchObject({
    started: 1,
    ending: { kind: 'complete' },
    notes: ['every step starts a new interpreter: the warm interpreter ended'],
  });
  expect(await run(FLIP)).toMatchObject({ started: 1, notes: [] });
});

it.each(['while it starts', 'in its first run'])(
  'a run that is cancelled %s says nothing of its warm interpreter',
  async (when) => {
    const told = `${TESTS}\n\ndef test_told():\n    if ${IS_WARM}:\n        open('here', 'w').close()\n        __import__('time').sleep(60)\n`;
    const tree = project({ ...FILES, 'test_mod.py': told });
    const cancel = new AbortController();
    let started = 0;
    const over = laneOver(tree, await venv('default'), {
      runProcess: (request) => {
        started += 1;
        if (started === 2 && when === 'while it starts') cancel.abort();
        return runProcess(request);
      },
    });
    const { signal } = cancel;
    const baseline = over.run({ step: 'baseline', ahead: 9, targets: ['mod.py'], signal });
    if (when === 'in its first run') {
      await vi.waitUntil(() => existsSync(tree.path('here')), { timeout: 60_000 });
      cancel.abort();
    }
    expect(await baseline).toMatchObject({ ending: { kind: 'complete' }, notes: [] });
  },
);

it('a lane that is closed leaves nothing behind', async () => {
  const { tree, over, run } = await lane();
  const tell = `open('parent', 'w').write(str(__import__('os').getppid()))`;
  await run(FLIP);
  await run(MOD.replace('    return 1', `    ${tell}\n    return 3`));
  const server = Number(readFileSync(tree.path('parent'), 'utf8'));
  expect(() => process.kill(server, 0)).not.toThrow();
  await over.runner.close?.();
  expect(() => process.kill(server, 0)).toThrow();
});
