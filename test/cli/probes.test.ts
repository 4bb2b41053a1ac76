import { describe, expect, it } from 'vitest';
import { counterproof, createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const FILES = {
  'pytest.ini': '[pytest]\ntestpaths = tests\nmarkers =\n    fast: quick\n',
  'conftest.py': 'import sys, os\nsys.path.insert(0, os.path.dirname(__file__))\n',
  'calc.py': `def add(a, b):
    return a + b


def zero():
    return 0
`,
  'tests/test_calc.py': `import calc
import pytest


@pytest.mark.fast
def test_add():
    assert calc.add(2, 3) == 5


def test_unmarked():
    assert calc.zero() == 0
`,
  // Outside testpaths: must not be collected because a probe stands beside it.
  'extra/test_extra.py': 'def test_extra():\n    assert False\n',
};

const PROBE = `import calc


def test_probe():
    assert calc.zero() == 0
`;
const minus = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };
const one = { file: 'calc.py', replace: { find: 'return 0', with: 'return 1' } };
const ADD = 'tests/test_calc.py::test_add';

describe('a probe file', () => {
  it('belongs to the selection of its mutation in every step, and is gone afterwards', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': lanes({ select: 'fast' }),
      'mutations/probes.yaml': spec([
        {
          id: 'with-a-probe',
          ...one,
          // Neither in testpaths, nor marked, nor named like a test file.
          probes: [{ path: 'extra/probe_zero.py', content: PROBE }],
          flips: ['extra/probe_zero.py::test_probe'],
          controls: [ADD],
          exact: true,
        },
        {
          id: 'without-it',
          ...one,
          flips: ['extra/probe_zero.py::test_probe'],
        },
        { id: 'lane-as-it-is', ...minus, flips: [ADD] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'with-a-probe': 'pinned',
      'without-it': 'not-selected',
      'lane-as-it-is': 'pinned',
    });
    const proof = run.proof('with-a-probe');
    expect(proof.flips.expected).toMatchObject([
      { test: 'extra/probe_zero.py::test_probe', from: 'passed', to: 'failed', restored: 'passed' },
    ]);
    expect(proof.probes).toMatchObject([{ path: 'extra/probe_zero.py' }]);
    expect(proof.steps.find(({ step }) => step === 'baseline')?.counts).toEqual({ passed: 2 });
    expect(run.proof('lane-as-it-is').probes).toEqual([]);
    const selected = run.record.lanes.map((lane) => [lane.probes.length, lane.selected]);
    expect(selected).toEqual(
      expect.arrayContaining([
        [1, 2],
        [0, 1],
      ]),
    );
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('of a spec stands for each of its mutations, also from a file that is no test here', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': lanes(),
      'mutations/material/zero.txt': PROBE,
      'mutations/probes.yaml': spec(
        [
          { id: 'zero', ...one, flips: ['tests/test_probe.py::test_probe'] },
          { id: 'add', ...minus, flips: [ADD], controls: ['tests/test_probe.py'] },
        ],
        { probes: [{ path: 'tests/test_probe.py', source: 'mutations/material/zero.txt' }] },
      ),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ zero: 'pinned', add: 'pinned' });
    expect(run.exitCode).toBe(0);
    expect(run.record.lanes).toHaveLength(1);
    expect(run.record.lanes[0]).toMatchObject({ collected: 3, selected: 3 });
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('never takes the place of a file that is there, also one that git does not know', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': lanes(),
      'mutations/probes.yaml': spec([
        {
          id: 'tracked',
          ...one,
          probes: [{ path: 'tests/test_calc.py', content: PROBE }],
          flips: ['tests/test_calc.py::test_probe'],
        },
        {
          id: 'untracked',
          ...one,
          probes: [{ path: 'tests/test_mine.py', content: PROBE }],
          flips: ['tests/test_mine.py::test_probe'],
        },
        { id: 'neither', ...minus, flips: [ADD] },
      ]),
    });
    project.write({ 'tests/test_mine.py': '# work of an hour\n' });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      tracked: 'not-applied',
      untracked: 'not-applied',
      neither: 'pinned',
    });
    expect(run.exitCode).toBe(3);
    expect(run.proof('tracked').reason).toContain('tests/test_calc.py');
    expect(run.proof('untracked').reason).toContain('tests/test_mine.py');
    expect(project.snapshot()).toEqual(before);
  });

  it('with two contents for one place is a fault of the specs, and nothing runs', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': lanes(),
      'mutations/probes.yaml': spec([
        { id: 'a', ...one, probes: [{ path: 'tests/p.py', content: PROBE }], flips: 'any' },
        { id: 'b', ...one, probes: [{ path: 'tests/p.py', content: '# other\n' }], flips: 'any' },
      ]),
    });
    const before = project.snapshot();

    const { exitCode, stdout, stderr } = await counterproof(project, ['run', '--json']);

    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('tests/p.py');
    expect(project.snapshot()).toEqual(before);
  });
});
