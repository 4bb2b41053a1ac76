import { describe, expect, it } from 'vitest';
import { availableMatrix, venv } from '../support/venvs.js';
import { laneOver, outcomes, project } from './pytest-harness.js';

/** One project with something of everything, so that each interpreter starts only once. */
const FILES = {
  'pytest.ini': '[pytest]\nmarkers = slow\ntestpaths = tests\n',
  'pkg/__init__.py': '',
  'pkg/mod.py': 'def f():\n    return 1\n',
  'tests/__init__.py': '',
  'tests/conftest.py':
    'import pytest\n@pytest.fixture\ndef one(): return 1\n@pytest.fixture\ndef after():\n    yield\n    raise RuntimeError("no teardown")\n',
  'tests/test_a.py': `
import os, subprocess, sys, unittest, pytest
from pkg.mod import f
def test_f(one): assert f() == one
def test_fails(): assert f() == 2
def test_teardown(after): pass
@pytest.mark.slow
def test_slow(): pass
def test_skips(): pytest.skip("why not")
@pytest.mark.xfail
def test_xfails(): assert 0
@pytest.mark.xfail
def test_xpasses(): pass
@pytest.mark.parametrize("v", ["a b", "x::y"])
def test_ids(v): pass
def test_child(): subprocess.check_call([sys.executable, "-c", "import pkg.tool"])
def test_broken(): subprocess.check_call([sys.executable, "-c", "from pkg.mod import gone"])
def test_reaches():
    try: raise __import__("_counterproof_recorder").reached()
    except BaseException: pass
class TestUnit(unittest.TestCase):
    def test_sub(self):
        with self.subTest(n=1): self.assertEqual(f(), 2)
`,
  'tests/test_b.py': 'import nowhere_to_be_found\n',
  'tests/test_c.py': 'raise RuntimeError("a narrow run must not import this")\n',
  'pkg/tool.py': 'X = 1\n',
  'probes/check_p.py': 'def test_p(): pass\n',
};

describe.each(await availableMatrix())('Python and pytest %s', (name) => {
  it('give the same evidence', async () => {
    const python = await venv(name);
    const tree = project(FILES);
    const lane = laneOver(tree, python, { lane: { select: 'not slow' } });
    const run = await lane.run({
      targets: ['pkg/mod.py', 'tests/test_a.py', 'tests/conftest.py', 'pkg/tool.py'],
      probes: ['probes/check_p.py'],
    });
    expect(run.ending, lane.log()).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual({
      'tests/test_a.py::test_f': 'passed',
      'tests/test_a.py::test_fails': 'failed',
      'tests/test_a.py::test_teardown': 'error',
      'tests/test_a.py::test_skips': 'skipped',
      'tests/test_a.py::test_xfails': 'xfailed',
      'tests/test_a.py::test_xpasses': 'xpassed',
      'tests/test_a.py::test_ids[a b]': 'passed',
      'tests/test_a.py::test_ids[x::y]': 'passed',
      'tests/test_a.py::test_child': 'passed',
      'tests/test_a.py::test_broken': 'failed',
      'tests/test_a.py::test_reaches': 'passed',
      'tests/test_a.py::TestUnit::test_sub': 'failed',
      'probes/check_p.py::test_p': 'passed',
    });
    expect(run.loads.map((load) => [load.path, load.proof, load.by])).toEqual([
      ['pkg/mod.py', 'compiled', 'test process'],
      ['tests/test_a.py', 'compiled', 'test process'],
      ['tests/conftest.py', 'compiled', 'test process'],
      ['pkg/tool.py', 'compiled', 'child process'],
    ]);
    expect(run.collectionErrors.map((error) => [error.stage, error.file])).toEqual([
      ['import', 'tests/test_b.py'],
      ['collect', 'tests/test_c.py'],
    ]);
    expect(run.reached).toEqual(['tests/test_a.py::test_reaches']);
    expect(run.results.find((one) => one.id.endsWith('test_broken'))?.broken).toMatch(
      /^pkg\/mod\.py: ImportError/,
    );
    expect(run.selection.deselected).toEqual(['tests/test_a.py::test_slow']);

    const narrow = await lane.run({
      scope: ['tests/test_a.py::test_fails', 'probes/check_p.py::test_p'],
      probes: ['probes/check_p.py'],
    });
    expect(narrow.ending, lane.log()).toEqual({ kind: 'complete' });
    expect(outcomes(narrow)).toEqual({
      'tests/test_a.py::test_fails': 'failed',
      'probes/check_p.py::test_p': 'passed',
    });
    expect(narrow.collectionErrors).toEqual([]);
  });
});
