import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const FILES = {
  'counterproof.yaml': lanes(),
  'store.py': `def items():
    return [1, 2]


def opened():
    return True


def closed():
    return True


def late():
    return False


def never():
    return False
`,
  'test_store.py': `import unittest

import pytest
import store


class TestItems(unittest.TestCase):
    def test_each(self):
        for n in store.items():
            with self.subTest(n=n):
                self.assertLess(n, 3)

    def test_some(self):
        self.assertTrue(store.items())


@pytest.fixture
def handle():
    assert store.opened(), "cannot be opened"
    yield 1
    assert store.closed(), "left open"


def test_handle(handle):
    assert handle


@pytest.mark.xfail(strict=False)
def test_late():
    assert store.late()


@pytest.mark.xfail(strict=True)
def test_never():
    assert store.never()
`,
};

const returns = (name: string, [from, to]: readonly [string, string]) => ({
  file: 'store.py',
  within: `def ${name}()`,
  replace: { find: `return ${from}`, with: `return ${to}` },
});

const three = returns('items', ['[1, 2]', '[1, 2, 3]']);
const unopened = returns('opened', ['True', 'False']);
const unclosed = returns('closed', ['True', 'False']);
const xpass = returns('late', ['False', 'True']);
const strict = returns('never', ['False', 'True']);
const EACH = 'test_store.py::TestItems::test_each';
const HANDLE = 'test_store.py::test_handle';
const LATE = 'test_store.py::test_late';
const NEVER = 'test_store.py::test_never';

describe('an outcome other than passed and failed', () => {
  it('is a flip where `to` names it, and otherwise a move, and the report says what would accept it', async () => {
    const project = createProject({
      ...FILES,
      'mutations/outcomes.yaml': spec([
        { id: 'subtest', ...three, flips: [EACH], controls: ['test_store.py::TestItems'] },
        { id: 'setup-error', ...unopened, flips: [HANDLE] },
        { id: 'setup-error-named', ...unopened, flips: [{ test: HANDLE, to: ['error'] }] },
        { id: 'teardown-error', ...unclosed, flips: [HANDLE] },
        {
          id: 'teardown-error-named',
          ...unclosed,
          flips: [{ test: HANDLE, to: ['error'], message: 'left open' }],
        },
        { id: 'xpass-of-a-control', ...xpass, flips: 'none', controls: [HANDLE] },
        {
          id: 'xpass-named',
          ...xpass,
          flips: [{ test: LATE, from: 'xfailed', to: ['xpassed'] }],
        },
        { id: 'strict-xpass', ...strict, flips: [{ test: NEVER, from: 'xfailed' }] },
        { id: 'xfailed-is-not-passed', ...strict, flips: [NEVER] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      subtest: 'pinned',
      'setup-error': 'moved-otherwise',
      'setup-error-named': 'pinned',
      'teardown-error': 'moved-otherwise',
      'teardown-error-named': 'pinned',
      'xpass-of-a-control': 'control-moved',
      'xpass-named': 'pinned',
      'strict-xpass': 'pinned',
      'xfailed-is-not-passed': 'baseline-red',
    });
    expect(run.exitCode).toBe(1);

    const { flips, controls } = run.proof('subtest');
    expect(flips.expected).toMatchObject([
      { test: EACH, to: 'failed', message: expect.stringContaining('n=3') as string },
    ]);
    // The parent passes, and is reported beside its subtests: one test all the same.
    expect(controls).toMatchObject([{ total: 1, held: true }]);
    expect(run.record.lanes[0]?.baseline?.counts).toEqual({ passed: 3, xfailed: 2 });

    const { also, missing } = run.proof('teardown-error').flips;
    expect(missing).toEqual([HANDLE]);
    expect(also).toMatchObject([
      { test: HANDLE, to: 'error', phase: 'teardown', restored: 'passed' },
    ]);
    expect(run.proof('setup-error').flips.also).toMatchObject([{ phase: 'setup' }]);
    expect(run.proof('setup-error').next.join()).toContain('to: [error]');
    expect(run.proof('xpass-of-a-control').flips.also).toMatchObject([
      { test: LATE, from: 'xfailed', to: 'xpassed' },
    ]);
    expect(run.proof('strict-xpass').flips.expected).toMatchObject([
      { test: NEVER, from: 'xfailed', to: 'failed' },
    ]);
    expect(project.snapshot()).toEqual(before);
  });
});
