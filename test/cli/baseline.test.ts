import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const CALC = {
  'counterproof.yaml': lanes(),
  'calc.py': `def add(a, b):
    return a + b


def zero():
    return 0
`,
  'test_calc.py': `import calc


def test_add():
    assert calc.add(2, 3) == 5


def test_two():
    assert calc.add(1, 1) == 2


def test_red():
    assert calc.add(1, 0) == 0, "red before"
`,
};

const minus = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };
const ADD = 'test_calc.py::test_add';

describe('a baseline that is not green', () => {
  it('stops a mutation that rests on a red test, and nothing is mutated', async () => {
    const project = createProject({
      ...CALC,
      'mutations/red.yaml': spec([
        { id: 'expected-is-red', ...minus, flips: ['test_calc.py::test_red'] },
        { id: 'one-of-two-is-red', ...minus, flips: [ADD, 'test_calc.py::test_red'] },
        { id: 'control-is-red', ...minus, flips: [ADD], controls: ['test_calc.py::test_red'] },
        {
          id: 'from-another-outcome',
          ...minus,
          flips: [{ test: ADD, from: 'xfailed', to: ['passed'] }],
        },
      ]),
    });
    const before = project.snapshot();
    const git = project.git('status', '--porcelain', '--ignored=no');

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'expected-is-red': 'baseline-red',
      'one-of-two-is-red': 'baseline-red',
      'control-is-red': 'baseline-red',
      'from-another-outcome': 'baseline-red',
    });
    expect(run.exitCode).toBe(3);
    for (const { files, steps } of run.record.proofs) {
      expect(files).toEqual([]);
      expect(steps.map(({ step }) => step)).toEqual(['baseline']);
    }
    expect(run.proof('expected-is-red').facts.join()).toContain('test_red');
    expect(project.git('status', '--porcelain', '--ignored=no')).toBe(git);
    expect(project.snapshot()).toEqual(before);
  });

  it('leaves the rest alone: red tests and a file that cannot be collected are listed once', async () => {
    const project = createProject({
      ...CALC,
      'test_broken.py': 'import no_such_module\n\n\ndef test_never():\n    pass\n',
      'mutations/rest.yaml': spec([
        { id: 'beside-them', ...minus, flips: [ADD, 'test_calc.py::test_two'], exact: true },
        { id: 'expected-in-there', ...minus, flips: ['test_broken.py::test_never'] },
        { id: 'control-in-there', ...minus, flips: [ADD], controls: ['test_broken.py'] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'beside-them': 'pinned',
      'expected-in-there': 'broken',
      'control-in-there': 'broken',
    });
    expect(run.exitCode).toBe(3);
    const [lane] = run.record.lanes;
    expect(lane?.preExisting).toMatchObject([
      { test: 'test_calc.py::test_red', outcome: 'failed' },
    ]);
    expect(lane?.collectionErrors).toMatchObject([
      { file: 'test_broken.py', message: expect.stringContaining('no_such_module') as string },
    ]);
    // Red before, and red with another value under the mutant: no flip, and no move.
    expect(run.proof('beside-them').flips.also).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });
});

describe('a test that disagrees with itself', () => {
  const FLAKY = {
    ...CALC,
    'test_flaky.py': `import os
import calc

COUNT = os.environ["COUNT_IN"]


def test_flaky():
    calc.zero()
    with open(COUNT, "a") as file:
        file.write("x")
    assert os.path.getsize(COUNT) != 2, "the second time"


def test_steady():
    assert calc.zero() == 0
`,
  };

  it('can neither prove nor refute, where further baseline runs show it', async () => {
    const project = createProject({
      ...FLAKY,
      'mutations/flaky.yaml': spec([
        { id: 'expected', ...minus, flips: ['test_flaky.py::test_flaky'] },
        { id: 'control', ...minus, flips: [ADD], controls: ['test_flaky.py::test_flaky'] },
        { id: 'beside', ...minus, flips: [ADD], controls: ['test_flaky.py::test_steady'] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project, ['run', '--baseline-runs', '3'], {
      env: { COUNT_IN: `${project.folder}-count` },
    });

    expect(verdicts(run)).toEqual({ expected: 'flaky', control: 'flaky', beside: 'pinned' });
    expect(run.exitCode).toBe(3);
    expect(run.proof('expected').files).toEqual([]);
    expect(run.proof('expected').facts.join()).toContain('test_flaky');
    expect(run.record.lanes[0]?.quarantined.map(({ test }) => test)).toEqual([
      'test_flaky.py::test_flaky',
    ]);
    expect(project.snapshot()).toEqual(before);
  });

  it('is not counted where the lane quarantines it', async () => {
    const because = 'depends on the moon';
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ quarantine: [{ test: 'test_calc.py::test_two', because }] }),
      'mutations/quarantine.yaml': spec([
        { id: 'expected', ...minus, flips: ['test_calc.py::test_two'] },
        { id: 'control', ...minus, flips: [ADD], controls: ['test_calc.py::test_two'] },
        { id: 'beside', ...minus, flips: [ADD], exact: true },
        { id: 'one-of-a-group', ...minus, flips: [{ test: 'test_calc.py', count: 1 }] },
        { id: 'nothing-else', file: 'calc.py', within: 'def zero', raise: true, flips: 'none' },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      expected: 'flaky',
      control: 'flaky',
      beside: 'pinned',
      'one-of-a-group': 'pinned',
      'nothing-else': 'pinned',
    });
    expect(run.exitCode).toBe(3);
    expect(run.proof('expected').facts.join()).toContain(because);
    expect(project.snapshot()).toEqual(before);
  });
});
