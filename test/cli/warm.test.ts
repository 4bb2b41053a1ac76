import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { probeOverlay } from '../support/overlay.js';
import { createProject, lanes, prove, verdicts } from '../support/project.js';
import { spec, swap } from '../support/specs.js';

const FILES = {
  'calc.py': `import os
import time


def add(a, b):
    return a + b


def double(a):
    return a * 2


def half(a):
    return a / 2


def wait():
    return 1


def leave():
    return 1


def unused():
    return 1
`,
  // Who starts a session: the interpreter that waits has the command line of one.
  'conftest.py': `import os


def pytest_sessionfinish():
    with open("/proc/%d/cmdline" % os.getppid(), "rb") as file:
        kind = "warm" if b"--maxfail=0" in file.read() else "cold"
    with open(os.environ["STARTS"], "a") as file:
        file.write(kind + "\\n")
`,
  'test_calc.py': `import calc
import pytest


def test_add():
    assert calc.add(2, 3) == 5


@pytest.mark.parametrize("n", [1, 2])
def test_double(n):
    assert calc.double(n) == 2 * n


def test_half():
    assert calc.half(2) == 1


def test_wait():
    assert calc.wait() == 1


def test_leave():
    assert calc.leave() == 1
`,
  ...spec([
    swap('add', 'calc.py', ['a + b', 'a - b'], { flips: ['test_calc.py::test_add'] }),
    swap('double', 'calc.py', ['a * 2', 'a * 3'], { flips: ['test_calc.py::test_double'] }),
    swap('half', 'calc.py', ['a / 2', 'a / 4'], { flips: ['test_calc.py::test_half'] }),
    swap('unused', 'calc.py', ['def unused():\n    return 1', 'def unused():\n    return 2'], {
      flips: 'any',
    }),
    swap('broken', 'calc.py', ['import time', 'import nothing_of_that_name'], { flips: 'any' }),
    swap('slow', 'calc.py', ['def wait():', 'def wait():\n    time.sleep(60)'], {
      flips: [{ test: 'test_calc.py::test_wait', to: ['timeout'] }],
    }),
    swap('gone', 'calc.py', ['def leave():', 'def leave():\n    os._exit(3)'], {
      flips: [{ test: 'test_calc.py::test_leave', to: ['crashed'] }],
    }),
    swap('part', 'calc.py', ['a + b', 'a - b'], {
      flips: ['test_calc.py::test_add', 'test_calc.py::test_half'],
    }),
  ]),
};

const LIMITS = { step: '60s', test: '3s' };

test('warm and cold runs leave equal records', async () => {
  const run = async (warm: 'auto' | 'off') => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': lanes({ warm, limits: LIMITS }),
    });
    const starts = join(project.state, '..', 'starts');
    const proven = await prove(project, ['run'], { env: { STARTS: starts } });
    expect(existsSync(starts)).toBe(true);
    return { proven, starts: readFileSync(starts, 'utf8').trimEnd().split('\n') };
  };
  const cold = await run('off');
  const warm = await run('auto');
  expect(verdicts(cold.proven)).toEqual({
    add: 'pinned',
    double: 'pinned',
    half: 'pinned',
    unused: 'survived',
    broken: 'broken',
    slow: 'pinned',
    gone: 'pinned',
    part: 'partial',
  });
  expect(comparable(warm.proven.record)).toEqual(comparable(cold.proven.record));
  expect(new Set(cold.starts)).toEqual(new Set(['cold']));
  // The comparison would say little if the runs had been cold after all.
  const isWarm = (kind: string): boolean => kind === 'warm';
  expect(warm.starts.filter(isWarm).length).toBeGreaterThan(warm.starts.length / 2);
});

test('in an overlay the second run of a step does not see what the first one wrote', async () => {
  const project = createProject({
    ...FILES,
    'test_left.py': `import os


def test_left():
    assert not os.path.exists("left")
    open("left", "w").close()
`,
    ...spec(
      ['-', '*', '//', '%'].map((sign) =>
        swap(`sign ${sign}`, 'calc.py', ['a + b', `a ${sign} b`], { flips: 'any', exact: true }),
      ),
    ),
    'counterproof.yaml': lanes({ limits: LIMITS }),
  });
  const starts = join(project.state, '..', 'starts');

  const run = await prove(project, ['run', '--isolation', 'auto', '-j', '1'], {
    env: { STARTS: starts },
  });

  const notes = run.record.lanes.flatMap((lane) => lane.notes);
  if (probeOverlay().kind === 'refused') {
    // What it wrote stays, and no run after the first one is as the baseline.
    expect(run.record.environment.isolation).toMatch(/^in place \(/);
    expect(notes.join()).toContain('test_left.py::test_left is passed cold and failed warm');
    expect(Object.values(verdicts(run))).not.toContain('pinned');
    return;
  }
  expect(new Set(Object.values(verdicts(run)))).toEqual(new Set(['pinned']));
  expect(notes).toEqual([]);
  expect(readFileSync(starts, 'utf8')).toContain('warm');
});

test('what a library that ages in its interpreter moved is measured again in new ones', async () => {
  const project = createProject({
    ...FILES,
    // Its age is the length of a file that grows with each session: no clock decides.
    'site-packages/aging.py': `import os


def size():
    return os.path.getsize(os.environ["STARTS"]) if os.path.exists(os.environ["STARTS"]) else 0


BORN = size()
`,
    'test_age.py': `import aging


def test_age():
    assert aging.size() - aging.BORN < 30
`,
    ...spec([
      swap('add', 'calc.py', ['a + b', 'a - b'], { flips: ['test_calc.py::test_add'] }),
      swap('double', 'calc.py', ['a * 2', 'a * 3'], { flips: ['test_calc.py::test_double'] }),
      swap('unused', 'calc.py', ['def unused():\n    return 1', 'def unused():\n    return 2'], {
        flips: 'any',
      }),
      swap('half', 'calc.py', ['a / 2', 'a / 4'], { flips: ['test_calc.py::test_half'] }),
    ]),
    'counterproof.yaml': lanes({ limits: LIMITS, env: { PYTHONPATH: 'site-packages' } }),
  });
  const starts = join(project.state, '..', 'starts');

  const run = await prove(project, ['run', '-j', '1'], { env: { STARTS: starts } });

  expect(readFileSync(starts, 'utf8')).toContain('warm');
  expect(verdicts(run)).toEqual({
    add: 'pinned',
    double: 'pinned',
    unused: 'survived',
    half: 'pinned',
  });
  expect(run.record.lanes.map(({ closing }) => closing?.equal)).toEqual([true]);
});

/** Without what differs between any two runs: times, places, and sums of what is configured. */
function comparable(record: unknown): unknown {
  const left = new Set(['startedAt', 'durationMs', 'commit', 'tree', 'planHash']);
  return JSON.parse(
    JSON.stringify(record, (key, value: unknown) => (left.has(key) ? undefined : value)),
  );
}
