import { expect, it } from 'vitest';
import { createProject, lanes, prove, spec } from '../support/project.js';
import { venv } from '../support/venvs.js';

const python = (await venv('default')).python;

const calc = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };

it('a lane that loses the plugin is incomplete, with a hint, and nothing is mutated', async () => {
  const switchedOff = '-p no:counterproof_pytest';
  const hints = {
    args: /no:counterproof_pytest/,
    addopts: /no:counterproof_pytest/,
    isolated: /python -I/,
    emptied: /PYTEST_PLUGINS/,
  };
  const project = createProject({
    'calc.py': 'def add(a, b):\n    return a + b\n',
    'test_calc.py': 'import calc\n\n\ndef test_add():\n    assert calc.add(2, 3) == 5\n',
    'counterproof.yaml': lanes(
      {},
      {
        args: { args: switchedOff.split(' ') },
        addopts: { env: { PYTEST_ADDOPTS: switchedOff } },
        isolated: { command: [python, '-I', '-m', 'pytest'] },
        emptied: { command: ['env', '-i', python, '-m', 'pytest'] },
      },
    ),
    'mutations/add.yaml': spec(
      Object.keys(hints).map((lane) => ({
        id: lane,
        lane,
        ...calc,
        flips: ['test_calc.py::test_add'],
      })),
    ),
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(run.exitCode).toBe(3);
  for (const [id, hint] of Object.entries(hints)) {
    const { verdict, reason, facts, next, files, steps } = run.proof(id);
    expect({ id, verdict }).toEqual({ id, verdict: 'incomplete' });
    expect([reason, ...facts, ...next].join('\n')).toMatch(hint);
    expect(files).toEqual([]);
    expect(steps.map(({ step }) => step)).toEqual(['baseline']);
  }
  expect(project.snapshot()).toEqual(before);
});
