import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { byHand, config, spec, swap } from '../support/specs.js';

const ini = (addopts: string) => ({ 'pytest.ini': `[pytest]\naddopts = ${addopts}\n` });

const FILES = {
  'calc.py': `def add(a, b):
    return a + b


def never_called():
    return 1
`,
  'test_calc.py': `import pytest
from calc import add


def test_a():
    assert add(1, 1) == 2


@pytest.mark.parametrize("n", range(4))
def test_zero(n):
    assert add(n, 0) == n


def test_z():
    assert add(2, 2) == 4
`,
};

const MINUS = swap('minus', 'calc.py', ['a + b', 'a - b'], {
  flips: ['test_calc.py::test_a', 'test_calc.py::test_z'],
  controls: 'test_calc.py::test_zero',
});

describe('addopts of the project', () => {
  it('with -x, -n 2 and a coverage threshold leave every outcome there, once', async () => {
    const project = createProject({
      ...FILES,
      ...ini('-x --cov=calc --cov-fail-under=100 -n 2 -p no:hypothesispytest'),
      '.gitignore': '__pycache__/\n.coverage*\n',
      ...config(),
      ...spec([MINUS]),
    });
    const before = project.snapshot();

    const run = await prove(project, ['run'], { venv: 'plugins' });

    expect(verdicts(run)).toEqual({ minus: 'pinned' });
    expect(run.exitCode).toBe(0);
    const proof = run.proof('minus');
    expect(proof.loaded).toEqual({ proof: 'compiled', from: 'xdist worker' });
    expect(proof.controls).toMatchObject([{ held: true, total: 4 }]);
    expect(proof.steps).toMatchObject([
      { step: 'baseline', complete: true, counts: { passed: 6 }, exit: { code: 1 } },
      { step: 'mutated', complete: true, counts: { passed: 4, failed: 2 } },
      { step: 'mutated', complete: true, counts: { failed: 2 } },
      { step: 'restored', complete: true, counts: { passed: 6 } },
    ]);
    expect(run.record.lanes[0]?.notes.join('\n')).toContain('exit 1 does not fit the outcomes');
    const after = new Map([...project.snapshot()].filter(([name]) => name !== '.coverage'));
    expect(after).toEqual(before);
  });

  it.each(['--lf -q -q', '--ff --nf --sw --no-header -p no:terminal'])(
    'with %s run every test in every step, whatever failed before',
    async (addopts) => {
      const project = createProject({ ...FILES, ...config(), ...spec([MINUS]) });
      // What failed last is remembered by the user's own cache.
      project.write({ 'calc.py': FILES['calc.py'].replace('a + b', '1') });
      await byHand(project, ['sh', '-c', 'python -m pytest; true']);
      project.write({ 'calc.py': FILES['calc.py'], ...ini(addopts) });
      const before = project.snapshot();
      const cache = project.read('.pytest_cache/v/cache/lastfailed');

      const run = await prove(project);

      expect(verdicts(run)).toEqual({ minus: 'pinned' });
      expect(run.exitCode).toBe(0);
      expect(run.proof('minus').steps).toMatchObject([
        { counts: { passed: 6 } },
        { counts: { passed: 4, failed: 2 } },
        { counts: { failed: 2 } },
        { counts: { passed: 6 } },
      ]);
      expect(project.snapshot()).toEqual(before);
      expect(project.read('.pytest_cache/v/cache/lastfailed')).toEqual(cache);
    },
  );
});

it('-k in the PYTEST_ADDOPTS of the user narrows every step alike, and is recorded', async () => {
  const project = createProject({
    ...FILES,
    ...config(),
    ...spec([
      swap('inside', 'calc.py', ['a + b', 'a - b'], { flips: 'test_calc.py::test_a' }),
      swap('outside', 'calc.py', ['a + b', 'a - b'], { flips: 'test_calc.py::test_z' }),
    ]),
  });

  const run = await prove(project, ['run'], { env: { PYTEST_ADDOPTS: '-k test_a' } });

  expect(verdicts(run)).toEqual({ inside: 'pinned', outside: 'not-selected' });
  expect(run.exitCode).toBe(3);
  expect(run.record.lanes[0]).toMatchObject({ collected: 6, selected: 1, deselected: 5 });
  expect(run.record.environment.variables).toMatchObject({ PYTEST_ADDOPTS: '(set)' });
});
