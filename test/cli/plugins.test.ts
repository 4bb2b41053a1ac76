import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject, prove, verdicts, type Files } from '../support/project.js';
import type { VenvName } from '../support/venvs.js';
import { config, spec, swap } from '../support/specs.js';

/** Notes a line of text for each run of pytest, outside the tree. */
const NOTE = `import os


def note(text):
    name = os.environ["COUNTERPROOF_RUN"].replace("/", "-")
    with open(os.path.join(os.environ["STATE"], name), "a") as out:
        out.write(text + " ")
`;

const withNotes = (files: Files, lane: Parameters<typeof config>[0] = {}) => {
  const project = createProject({ 'note.py': NOTE, ...files });
  const folder = join(project.state, 'notes');
  mkdirSync(folder, { recursive: true });
  project.write(config({ ...lane, env: { STATE: folder } }));
  return { project, folder };
};

it('hypothesis draws the same examples in every step, from no database of the user', async () => {
  const { project, folder } = withNotes({
    'calc.py': 'def f(x):\n    return x\n',
    'test_calc.py': `from hypothesis import Phase, given, settings, strategies as st
from calc import f
from note import note


@settings(deadline=None, max_examples=20, phases=[Phase.reuse, Phase.generate])
@given(st.integers(0, 10**6))
def test_f(x):
    note(str(x))
    assert f(x) == x


@settings(deadline=None)
@given(st.integers())
def test_other(x):
    assert x == x
`,
    ...spec([
      swap('narrow', 'calc.py', ['return x', 'return 0 if x > 1000 else x'], {
        flips: 'test_calc.py::test_f',
        controls: 'test_calc.py::test_other',
      }),
      swap('narrower', 'calc.py', ['return x', 'return 0 if x > 5000 else x'], {
        flips: 'test_calc.py::test_f',
      }),
    ]),
  });
  const before = project.snapshot();

  const run = await prove(project, ['run'], { venv: 'plugins' });

  expect(verdicts(run)).toEqual({ narrow: 'pinned', narrower: 'pinned' });
  expect(run.record.environment.seeds).toMatchObject({ hypothesis: '0' });
  // The second is the first that chance drew; what fails is run again from there on.
  const draws = notes(folder).map((text) => text.split(' ').slice(0, 2).join(' '));
  expect(draws).toHaveLength(7);
  expect(new Set(draws).size).toBe(1);
  expect(project.snapshot()).toEqual(before);
});

it.each<{ readonly name: VenvName; readonly args: readonly string[]; readonly seed: string }>([
  { name: 'randomly', args: [], seed: 'pytest-randomly' },
  {
    name: 'plugins',
    args: ['--random-order', '-p', 'no:hypothesispytest'],
    seed: 'pytest-random-order',
  },
])('$seed shuffles, but alike in every step', async ({ name, args, seed }) => {
  const { project, folder } = withNotes(
    {
      'calc.py': 'def f():\n    return 1\n',
      'test_calc.py': `import random
import pytest
from calc import f
from note import note


@pytest.mark.parametrize("n", range(8))
def test_n(n):
    note("%d:%s" % (n, random.random() if ${name === 'randomly' ? 'True' : 'False'} else ""))
    assert f() == 1 or n != 5
`,
      ...spec([
        swap('two', 'calc.py', ['return 1', 'return 2'], { flips: 'test_calc.py::test_n[5]' }),
      ]),
    },
    { args: [...args] },
  );
  const before = project.snapshot();

  const run = await prove(project, ['run'], { venv: name });

  expect(verdicts(run)).toEqual({ two: 'pinned' });
  expect(run.exitCode).toBe(0);
  expect(run.record.environment.seeds).toHaveProperty(seed);
  const orders = notes(folder);
  const whole = orders.filter((order) => order.split(' ').length > 8);
  expect(whole).toHaveLength(3);
  expect(new Set(whole).size).toBe(1);
  // What flipped is run again alone.
  const narrow = orders.filter((order) => !whole.includes(order));
  expect(narrow.map((order) => whole[0]?.includes(order.trim()))).toEqual([true]);
  expect(
    orders[0]
      ?.split(' ')
      .map((word) => word[0] ?? '')
      .join(''),
  ).not.toBe('01234567');
  expect(project.snapshot()).toEqual(before);
});

it('rerunfailures gives the last outcome of each test, and the step says how often', async () => {
  const { project } = withNotes(
    {
      'calc.py': 'def f():\n    return 1\n',
      'test_calc.py': `from calc import f

tries = []


def test_f():
    assert f() == 1


def test_second_try():
    tries.append(1)
    assert len(tries) == 2
`,
      ...spec([
        swap('two', 'calc.py', ['return 1', 'return 2'], {
          flips: 'test_calc.py::test_f',
          controls: 'test_calc.py::test_second_try',
        }),
      ]),
    },
    { args: ['--reruns', '2', '-p', 'no:hypothesispytest'] },
  );
  const before = project.snapshot();

  const run = await prove(project, ['run'], { venv: 'plugins' });

  expect(verdicts(run)).toEqual({ two: 'pinned' });
  expect(run.exitCode).toBe(0);
  const mutated = run.proof('two').steps.find(({ step }) => step === 'mutated');
  expect(mutated?.counts).toEqual({ passed: 1, failed: 1 });
  expect(mutated?.notes.join('\n')).toMatch(
    /test_f was run again 2 times[^]*test_second_try was run again 1 times/,
  );
  expect(project.snapshot()).toEqual(before);
});

/** What was noted, by run of pytest. */
function notes(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
}
