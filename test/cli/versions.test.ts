import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';
import { absentPythons, availableMatrix } from '../support/venvs.js';

const FILES = {
  'calc.py': `def add(a, b):
    return a + b


def spare():
    unused = 1
    return 3
`,
  'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n',
  'pytest.ini': '[pytest]\nmarkers = slow: takes long\n',
  'test_calc.py': `import subprocess, sys, unittest
import pytest
import calc


@pytest.mark.parametrize("n", [0, 1])
def test_add(one, n):
    assert calc.add(one, n) == 1 + n


def test_spare():
    assert calc.spare() == 3


@pytest.mark.slow
def test_slow():
    assert True


def test_child():
    subprocess.run([sys.executable, "-c", "import calc; assert calc.add(2, 2) == 4"], check=True)


class TestCase(unittest.TestCase):
    def test_sub(self):
        for n in range(2):
            with self.subTest(n=n):
                self.assertEqual(calc.add(n, 0), n)
`,
  ...config({ select: 'not slow' }),
  ...spec([
    swap('minus', 'calc.py', ['a + b', 'a - b'], {
      flips: ['test_calc.py::test_add[1]', 'test_calc.py::test_child'],
      controls: ['test_calc.py::test_spare', 'test_calc.py::TestCase'],
      exact: true,
    }),
    swap('fixture', 'conftest.py', ['return 1', 'return 2'], { flips: 'test_calc.py::test_add' }),
    swap('unused', 'calc.py', ['unused = 1', 'unused = 2'], { flips: 'test_calc.py::test_spare' }),
    swap('syntax', 'calc.py', ['a + b', 'a +'], { flips: 'test_calc.py::test_add' }),
    swap('import', 'calc.py', ['def spare', 'import no_such_module\n\n\ndef spare'], {
      flips: 'test_calc.py::test_add',
    }),
    swap('slow', 'calc.py', ['return 3', 'return 4'], { flips: 'test_calc.py::test_slow' }),
  ]),
};

const matrix = await availableMatrix();
const absent = (await absentPythons()).join(', ') || 'none';

/** The newest is every other test's; those between are tried with the plugin and the lane. */
const ends = matrix.filter((name) => /^3\.9-|-8\./.test(name));
/** Where there is but one Python, that is the oldest. */
const ENDS = ends.length > 0 ? ends : matrix.slice(0, 1);

describe(`the oldest Python and pytest, and pytest 8 (of the supported not here: ${absent})`, () => {
  it.each(ENDS)('gives the same verdicts: %s', async (name) => {
    const project = createProject(FILES);
    const before = project.snapshot();

    const run = await prove(project, ['run'], { venv: name });

    expect(verdicts(run)).toEqual({
      minus: 'pinned',
      fixture: 'pinned',
      unused: 'survived',
      syntax: 'broken',
      import: 'broken',
      slow: 'not-selected',
    });
    expect(run.exitCode).toBe(1);
    expect(run.proof('minus').loaded).toEqual({ proof: 'compiled', from: 'test process' });
    expect(run.proof('minus').still).toEqual({ held: 3, total: 3 });
    expect(run.proof('unused').reach).toMatchObject({
      state: 'reached',
      by: ['test_calc.py::test_spare'],
    });
    const [python = '', pytest = ''] = name.split('-');
    const versions = run.record.lanes[0]?.versions ?? {};
    expect(versions['python']).toMatch(new RegExp(`^${python.replace('.', '\\.')}\\.`));
    expect(versions['pytest']).toBe(pytest);
    expect(project.snapshot()).toEqual(before);
  });
});
