import { expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';
import { venv } from '../support/venvs.js';

const python = (await venv('default')).python;

const FILES = {
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'test_calc.py': 'import calc\n\n\ndef test_add():\n    assert calc.add(2, 3) == 5\n',
  'mutations/add.yaml': spec([
    {
      id: 'minus',
      file: 'calc.py',
      replace: { find: 'a + b', with: 'a - b' },
      flips: ['test_calc.py::test_add'],
    },
  ]),
};

it.each([
  { how: 'args', lane: { args: ['-p', 'no:counterproof_pytest'] }, hint: /no:counterproof_pytest/ },
  {
    how: 'PYTEST_ADDOPTS',
    lane: { env: { PYTEST_ADDOPTS: '-p no:counterproof_pytest' } },
    hint: /no:counterproof_pytest/,
  },
  {
    how: 'python -I',
    lane: { command: [python, '-I', '-m', 'pytest'] as [string, ...string[]] },
    hint: /python -I/,
  },
  {
    how: 'an environment that was emptied',
    lane: { command: ['env', '-i', python, '-m', 'pytest'] as [string, ...string[]] },
    hint: /PYTEST_PLUGINS/,
  },
])(
  'a lane that loses the plugin through $how is incomplete, with a hint',
  async ({ lane, hint }) => {
    const project = createProject({ ...FILES, 'counterproof.yaml': lanes(lane) });
    const before = project.snapshot();

    const run = await prove(project);

    const { reason, facts, next, files, steps } = run.proof('minus');
    expect(verdicts(run)).toEqual({ minus: 'incomplete' });
    expect(run.exitCode).toBe(3);
    expect([reason, ...facts, ...next].join('\n')).toMatch(hint);
    expect(files).toEqual([]);
    expect(steps.map(({ step }) => step)).toEqual(['baseline']);
    expect(project.snapshot()).toEqual(before);
  },
);
