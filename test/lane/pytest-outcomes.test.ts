import { describe, expect, it } from 'vitest';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project } from './pytest-harness.js';

const python = await venv('default');

const MANY = `
import pytest, unittest, os

def test_passes(): pass
def test_fails(): assert 1 == 2, "one is not two"
def test_skips(): pytest.skip("not today")
@pytest.mark.xfail
def test_xfails(): assert False
def test_xfails_imperatively(): pytest.xfail("known")
@pytest.mark.xfail
def test_xpasses(): pass
@pytest.mark.xfail(strict=True)
def test_xpasses_strictly(): pass

@pytest.fixture
def broken_setup(): raise RuntimeError("no setup")
@pytest.fixture
def broken_teardown():
    yield
    raise RuntimeError("no teardown")

def test_setup_errors(broken_setup): pass
def test_teardown_errors(broken_teardown): pass
def test_fails_and_teardown_errors(broken_teardown): assert False, "the call"
def test_exits(): raise SystemExit(0)
def test_base_exception(): raise BaseException("bare")
@pytest.mark.parametrize("value", [" - x", "a::b", "[b]", "ü", "p/q"])
def test_odd_ids(value): pass

class TestSub(unittest.TestCase):
    def test_sub(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1)
`;

describe('outcomes of a lane', () => {
  it('folds the phases and subtests of each test into its worst', async () => {
    const tree = project({ 'test_many.py': MANY });
    const run = await laneOver(tree, python).run();
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual({
      'test_many.py::TestSub::test_sub': 'failed',
      'test_many.py::test_base_exception': 'failed',
      'test_many.py::test_exits': 'failed',
      'test_many.py::test_fails': 'failed',
      'test_many.py::test_fails_and_teardown_errors': 'failed',
      'test_many.py::test_odd_ids[ - x]': 'passed',
      'test_many.py::test_odd_ids[[b]]': 'passed',
      'test_many.py::test_odd_ids[\\xfc]': 'passed',
      'test_many.py::test_odd_ids[a::b]': 'passed',
      'test_many.py::test_odd_ids[p/q]': 'passed',
      'test_many.py::test_passes': 'passed',
      'test_many.py::test_setup_errors': 'error',
      'test_many.py::test_skips': 'skipped',
      'test_many.py::test_teardown_errors': 'error',
      'test_many.py::test_xfails': 'xfailed',
      'test_many.py::test_xfails_imperatively': 'xfailed',
      'test_many.py::test_xpasses': 'xpassed',
      'test_many.py::test_xpasses_strictly': 'failed',
    });
    const byId = new Map(run.results.map((one) => [one.id.split('::').at(-1), one]));
    expect(byId.get('test_fails')).toMatchObject({
      phase: 'call',
      at: 'test_many.py:5',
      message: 'AssertionError: one is not two',
    });
    expect(byId.get('test_fails_and_teardown_errors')).toMatchObject({
      phase: 'call',
      message: 'AssertionError: the call',
    });
    expect(byId.get('test_setup_errors')?.phase).toBe('setup');
    expect(byId.get('test_teardown_errors')?.phase).toBe('teardown');
    expect(byId.get('test_sub')?.message).toContain('(n=1)');
    expect(run.selection.files).toEqual([{ file: 'test_many.py', collected: 18, selected: 18 }]);
    expect(run.notes).toEqual([]);
  });
});
