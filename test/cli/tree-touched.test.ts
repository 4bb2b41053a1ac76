import { expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const FILES = {
  'calc.py': 'def f():\n    return 1\n',
  'data.txt': 'one\n',
  ...config(),
};

const TWO = swap('two', 'calc.py', ['return 1', 'return 2'], { flips: 'test_calc.py::test_f' });

/** Writes into a file, where the mutant stands or always, then fails under the mutant. */
const writing = (file: string, when: string, text = '# somebody was here\\n') => ({
  'test_calc.py': `import calc


def test_f():
    if ${when}:
        with open("${file}", "w") as out:
            out.write("${text}")
    assert calc.f() == 1
`,
});

it('a test that rewrites the mutated file is found out, and the original is back', async () => {
  const project = createProject({
    ...FILES,
    ...writing('calc.py', 'calc.f() != 1'),
    ...spec([TWO]),
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ two: 'tree-touched' });
  expect(run.exitCode).toBe(3);
  const { kept, reason } = run.proof('two');
  expect(reason).toContain('calc.py');
  expect(kept.map(({ path }) => path)).toEqual(['calc.py']);
  const [{ keptAs } = { keptAs: '' }] = kept;
  const after = new Map(project.snapshot());
  if (after.has(keptAs)) expect(project.read(keptAs).toString()).toBe('# somebody was here\n');
  after.delete(keptAs);
  expect(after).toEqual(before);
});

it('a test that rewrites another tracked file voids what was measured', async () => {
  const project = createProject({
    ...FILES,
    ...writing('data.txt', 'calc.f() != 1'),
    ...spec([TWO]),
  });

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ two: 'tree-touched' });
  expect(run.exitCode).toBe(3);
  expect(run.proof('two').reason).toContain('data.txt');
  expect(project.read('calc.py').toString()).toBe(FILES['calc.py']);
});

it('a baseline that rewrites a tracked file ends there', async () => {
  const project = createProject({ ...FILES, ...writing('data.txt', 'True'), ...spec([TWO]) });

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ two: 'tree-touched' });
  expect(run.exitCode).toBe(3);
  expect(run.proof('two').reason).toContain('data.txt');
  expect(run.proof('two').steps.map(({ step }) => step)).toEqual(['baseline']);
  expect(project.read('calc.py').toString()).toBe(FILES['calc.py']);
});

it('a lane that writes what was there already changes nothing', async () => {
  const project = createProject({
    ...FILES,
    ...writing('data.txt', 'True', 'one\\n'),
    ...spec([TWO]),
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ two: 'pinned' });
  expect(run.exitCode).toBe(0);
  expect(project.snapshot()).toEqual(before);
});
