import { describe, expect, it } from 'vitest';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project } from './pytest-harness.js';

const python = await venv('plugins');

/** Starting a worker costs a second more where hypothesis is loaded. */
const ALONE = ['-p', 'no:hypothesispytest'];

const PKG = { 'pkg/__init__.py': '', 'pkg/mod.py': 'def f(): return 1\n' };

describe('with pytest-xdist', () => {
  it('takes every outcome once and merges what the workers loaded', async () => {
    const tree = project({
      ...PKG,
      'pytest.ini': `[pytest]\naddopts = -x -n 2 ${ALONE.join(' ')}\n`,
      'test_a.py':
        'from pkg.mod import f\nimport pytest\n@pytest.mark.parametrize("n", range(6))\ndef test_f(n): assert f() == n or n != 3\n',
      'test_b.py': 'import nowhere_to_be_found\n',
      'probe.py': 'def test_p(): pass\n',
    });
    const lane = laneOver(tree, python);
    const run = await lane.run({ targets: ['pkg/mod.py'], probes: ['probe.py'] });
    expect(run.ending, lane.log()).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toMatchObject({
      'test_a.py::test_f[2]': 'passed',
      'test_a.py::test_f[3]': 'failed',
      'probe.py::test_p': 'passed',
    });
    expect(run.results).toHaveLength(7);
    expect(run.collectionErrors).toHaveLength(1);
    expect(run.loads[0]).toMatchObject({ proof: 'compiled', by: 'xdist worker' });
    expect(run.selection).toMatchObject({ collected: 7, selected: 7, deselected: [] });
    expect(lane.progress.filter((step) => step.kind === 'collected')).toHaveLength(1);
  });

  it('keeps to the ids of a narrow run', async () => {
    const tree = project({
      'test_a.py': 'import pytest\n@pytest.mark.parametrize("n", range(6))\ndef test_f(n): pass\n',
    });
    const run = await laneOver(tree, python, { lane: { args: ['-n', '2', ...ALONE] } }).run({
      scope: ['test_a.py::test_f[1]', 'test_a.py::test_f[4]'],
    });
    expect(outcomes(run)).toEqual({
      'test_a.py::test_f[1]': 'passed',
      'test_a.py::test_f[4]': 'passed',
    });
  });

  it('names the test in which a worker died, and has the outcomes of the others', async () => {
    const tree = project({
      'test_a.py':
        'import os, pytest\n@pytest.mark.parametrize("n", range(6))\ndef test_f(n):\n    if n == 3: os._exit(1)\n',
    });
    const run = await laneOver(tree, python, { lane: { args: ['-n', '2', ...ALONE] } }).run();
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toMatchObject({
      'test_a.py::test_f[2]': 'passed',
      'test_a.py::test_f[3]': 'crashed',
    });
    expect(run.results).toHaveLength(6);
  });

  it('knows why a test of a worker is no evidence', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': 'def (\n',
      'test_a.py': 'def test_f(): import pkg.mod\n',
    });
    const run = await laneOver(tree, python, { lane: { args: ['-n', '1', ...ALONE] } }).run({
      targets: ['pkg/mod.py'],
    });
    expect(run.results[0]).toMatchObject({
      outcome: 'failed',
      broken: expect.stringMatching(/^pkg\/mod\.py:1: SyntaxError/),
    });
  });
});

it('runs a lane whose coverage threshold fails, and only notes the exit code', async () => {
  const tree = project({
    ...PKG,
    'pytest.ini': `[pytest]\naddopts = -x --cov=pkg --cov-fail-under=100 -n 2 ${ALONE.join(' ')}\n`,
    'pkg/mod.py': 'def f(): return 1\ndef g():\n    return 2\n',
    'test_a.py': 'from pkg.mod import f\ndef test_f(): assert f() == 1\ndef test_g(): pass\n',
  });
  const run = await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
  expect(run.ending).toEqual({ kind: 'complete' });
  expect(run.results.map((one) => one.outcome)).toEqual(['passed', 'passed']);
  expect(run.loads[0]).toMatchObject({ proof: 'compiled' });
  expect(run.notes).toEqual(['exit 1 does not fit the outcomes, which stand: they would give 0']);
});

it('takes the last real outcome of a test that was run again, and says so', async () => {
  const tree = project({
    'test_a.py':
      'import pathlib\ndef test_f():\n    seen = pathlib.Path("seen"); n = len(seen.read_text()) if seen.exists() else 0\n    seen.write_text("x" * (n + 1)); assert n == 2\n',
  });
  const run = await laneOver(tree, python, { lane: { args: ['--reruns', '3', ...ALONE] } }).run();
  expect(outcomes(run)).toEqual({ 'test_a.py::test_f': 'passed' });
  expect(run.notes).toEqual(['test_a.py::test_f was run again 2 times by a plugin']);
});

describe('hypothesis', () => {
  const SEEN =
    'import pathlib\nfrom hypothesis import given, strategies as st, settings\n@settings(max_examples=20)\n@given(st.integers())\ndef test_f(n):\n    with pathlib.Path("seen").open("a") as f: f.write(f"{n},")\n';

  it('draws the same examples in every step and leaves no folder in the tree', async () => {
    const tree = project({ 'test_a.py': SEEN });
    const lane = laneOver(tree, python);
    await lane.run();
    const first = tree.read('seen');
    tree.write('seen', '');
    await lane.run();
    expect(tree.read('seen')).toBe(first);
    expect(() => tree.read('.hypothesis/.gitignore')).toThrow('ENOENT');
  });

  it('is left out of a lane that switches it off', async () => {
    const tree = project({
      'pytest.ini': '[pytest]\naddopts = -p no:hypothesispytest\n',
      'test_a.py': 'def test_a(): pass\n',
    });
    const run = await laneOver(tree, python, {
      env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' },
    }).run();
    expect(run.ending).toEqual({ kind: 'complete' });
  });
});

it('counts an id that --keep-duplicates runs twice once, by its worst', async () => {
  const tree = project({
    'sub/test_a.py':
      'import pathlib\ndef test_f():\n    first = not pathlib.Path("seen").exists(); pathlib.Path("seen").touch(); assert not first\n',
  });
  const run = await laneOver(tree, python, {
    lane: { args: ['--keep-duplicates', ...ALONE], paths: ['sub', 'sub'] },
  }).run();
  expect(outcomes(run)).toEqual({ 'sub/test_a.py::test_f': 'failed' });
});
