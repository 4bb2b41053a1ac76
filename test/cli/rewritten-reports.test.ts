import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

describe('a conftest that takes a failure back while it is reported', () => {
  it('leaves a survivor: the session is green, so nobody would notice', async () => {
    const project = createProject({
      'counterproof.yaml': lanes(),
      'calc.py': `def add(a, b):
    return a + b
`,
      'conftest.py': `import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    if report.when == "call" and report.failed:
        report.outcome = "passed"
        report.longrepr = None
`,
      'test_calc.py': `import calc


def test_add():
    assert calc.add(2, 3) == 5
`,
      'mutations/add.yaml': spec([
        {
          id: 'minus',
          file: 'calc.py',
          replace: { find: 'a + b', with: 'a - b' },
          flips: ['test_calc.py::test_add'],
        },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ minus: 'survived' });
    expect(run.exitCode).toBe(1);
  });
});
