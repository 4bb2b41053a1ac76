import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts, type Files } from '../support/project.js';
import { venv, type VenvName } from '../support/venvs.js';
import { config, spec, swap } from '../support/specs.js';

const FILES: Files = {
  '.gitignore': '__pycache__/\n.tox/\n.nox/\n.venv/\n',
  'pytest.ini': '[pytest]\nmarkers = slow: takes long\n',
  'calc.py': 'def f():\n    return 1\n',
  'test_calc.py': `import pytest
from calc import f


def test_f():
    assert f() == 1


@pytest.mark.slow
def test_slow():
    assert f() == 1
`,
  ...spec([swap('two', 'calc.py', ['return 1', 'return 2'], { flips: 'test_calc.py::test_f' })]),
};

interface Wrapper {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly files: Files;
  readonly within: VenvName;
}

const WRAPPERS: readonly Wrapper[] = [
  {
    name: 'make',
    command: ['make', '-s', 'test'],
    files: { Makefile: 'test:\n\t@echo testing\n\t@python -m pytest -q\n' },
    within: 'default',
  },
  {
    name: 'a shell script',
    command: ['./run tests.sh', 'quietly'],
    files: {
      'run tests.sh': '#!/bin/sh\nset -e\ncd "$(dirname "$0")"\npython -m pytest -q || exit 9\n',
    },
    within: 'default',
  },
  {
    name: 'nox',
    command: ['nox', '-s', 'tests'],
    files: {
      'noxfile.py': `import nox


@nox.session(venv_backend="none")
def tests(session):
    session.run("python", "-m", "pytest", "-q")
`,
    },
    within: 'wrappers',
  },
  {
    name: 'tox',
    command: ['tox', '-q', '-e', 'unit'],
    files: {
      'tox.ini': `[tox]
no_package = true

[testenv:unit]
pass_env = OUTER_PYTHON
allowlist_externals = *
commands = {env:OUTER_PYTHON} -m pytest -q
`,
    },
    within: 'wrappers',
  },
  {
    name: 'uv run',
    command: ['uv', 'run', '--no-project', 'pytest', '-q'],
    files: {},
    within: 'wrappers',
  },
];

describe('a lane that is started by', () => {
  it.each(WRAPPERS)('$name is proven like any other', async ({ command, files, within }) => {
    const project = createProject({
      ...FILES,
      ...files,
      ...config({ command: [...command], select: 'not slow' }),
    });
    if ('run tests.sh' in files) chmodSync(join(project.folder, 'run tests.sh'), 0o755);
    project.git('commit', '-q', '-a', '--allow-empty', '-m', 'executable');
    const before = project.snapshot();

    const env = { OUTER_PYTHON: (await venv(within)).python };
    const run = await prove(project, ['run'], { venv: within, env });

    expect(verdicts(run)).toEqual({ two: 'pinned' });
    expect(run.exitCode).toBe(0);
    expect(run.record.lanes[0]).toMatchObject({ collected: 2, selected: 1 });
    expect(run.record.lanes[0]?.command.slice(0, command.length)).toEqual(command);
    expect(run.proof('two').loaded).toEqual({ proof: 'compiled', from: 'test process' });
    const after = [...project.snapshot()].filter(([name]) => !/^\.(tox|nox)\//.test(name));
    expect(new Map(after)).toEqual(before);
  });
});
