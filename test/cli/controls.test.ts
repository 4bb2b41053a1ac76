import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const CALC = {
  'counterproof.yaml': lanes(
    { paths: ['test_calc.py'] },
    { smoke: { paths: ['smoke'] }, red: { paths: ['red'] } },
  ),
  'calc.py': `FAST = True
CASES = [1, 2, 3]


def add(a, b):
    return a + b


def zero():
    return 0
`,
  'test_calc.py': `import calc
import pytest


def test_add():
    assert calc.add(2, 3) == 5


def test_zero():
    assert calc.zero() == 0


class TestSum:
    def test_two(self):
        assert calc.add(1, 1) == 2

    def test_none(self):
        assert calc.add(0, 0) == 0


@pytest.mark.parametrize("n", calc.CASES)
def test_case(n):
    assert n


@pytest.mark.skipif(not calc.FAST, reason="slow here")
def test_fast():
    assert calc


def test_red():
    assert calc.add(0, 0) == 1, "red before"


def test_red_by_chance():
    assert calc.zero() == 1
`,
  'smoke/test_smoke.py': `import calc


def test_smoke():
    assert calc.add(4, 4) == 8


def test_smoke_zero():
    assert calc.zero() == 0
`,
  'red/test_red.py': `import calc
import pytest


def test_wrong():
    assert calc.zero() == 1


@pytest.mark.skip
def test_skipped():
    pass
`,
};

const minus = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };
const ADD = 'test_calc.py::test_add';
const TWO = 'test_calc.py::TestSum::test_two';

describe('a test that nobody named', () => {
  it('is listed where it moves, and refutes as a declared control or with exact', async () => {
    const project = createProject({
      ...CALC,
      'mutations/minus.yaml': spec([
        { id: 'also', ...minus, flips: [ADD] },
        { id: 'control', ...minus, flips: [ADD], controls: ['test_calc.py::TestSum'] },
        { id: 'exact', ...minus, flips: [ADD], exact: true },
        { id: 'whole', ...minus, flips: [ADD, TWO], controls: ['test_calc.py'], exact: true },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      also: 'pinned',
      control: 'control-moved',
      exact: 'control-moved',
      whole: 'pinned',
    });
    expect(run.exitCode).toBe(1);
    const move = { test: TWO, from: 'passed', to: 'failed', at: 'test_calc.py:15' };
    expect(run.proof('also').flips.also).toMatchObject([move]);
    expect(run.proof('control').controls).toMatchObject([
      {
        selector: 'test_calc.py::TestSum',
        held: false,
        moved: [move],
        counts: {
          baseline: { passed: 2 },
          mutated: { passed: 1, failed: 1 },
          restored: { passed: 2 },
        },
      },
    ]);
    // Red before and red after: listed once for the lane, never a flip.
    expect(run.record.lanes[0]?.preExisting.map(({ test }) => test)).toEqual([
      'test_calc.py::test_red',
      'test_calc.py::test_red_by_chance',
    ]);
    expect(run.proof('whole').controls[0]?.counts.mutated).toEqual({ passed: 6, failed: 2 });
    expect(project.snapshot()).toEqual(before);
  });

  it('refutes every mutation of a run with --exact', async () => {
    const project = createProject({
      ...CALC,
      'mutations/minus.yaml': spec([{ id: 'also', ...minus, flips: [ADD] }]),
    });

    const run = await prove(project, ['run', '--exact']);

    expect(verdicts(run)).toEqual({ also: 'control-moved' });
    expect(run.exitCode).toBe(1);
  });
});

describe('a control', () => {
  it('has moved where a case is gone, a test skips, or a red one turns green', async () => {
    const controls = ['test_calc.py::test_case', 'test_calc.py::test_fast'];
    const project = createProject({
      ...CALC,
      'mutations/moves.yaml': spec([
        {
          id: 'case-gone',
          edits: [minus, { file: 'calc.py', replace: { find: '[1, 2, 3]', with: '[1, 2]' } }],
          flips: [ADD],
          controls,
        },
        {
          id: 'case-new',
          edits: [minus, { file: 'calc.py', replace: { find: '[1, 2, 3]', with: '[1, 2, 3, 4]' } }],
          flips: [ADD],
          controls,
        },
        {
          id: 'skips',
          edits: [
            minus,
            { file: 'calc.py', replace: { find: 'FAST = True', with: 'FAST = False' } },
          ],
          flips: [ADD],
          controls,
        },
        {
          id: 'red-turns-green',
          file: 'calc.py',
          within: 'def zero',
          replace: { find: 'return 0', with: 'return 1' },
          flips: ['test_calc.py::test_zero'],
          controls: ['test_calc.py'],
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'case-gone': 'control-moved',
      'case-new': 'control-moved',
      skips: 'control-moved',
      'red-turns-green': 'control-moved',
    });
    const moved = (id: string): unknown =>
      run
        .proof(id)
        .controls.flatMap((control) => control.moved)
        .map(({ test, from, to }) => `${test} ${from ?? 'new'} ${to}`);
    expect(moved('case-gone')).toEqual(['test_calc.py::test_case[3] passed missing']);
    expect(moved('case-new')).toEqual(['test_calc.py::test_case[4] new passed']);
    expect(moved('skips')).toEqual(['test_calc.py::test_fast passed skipped']);
    expect(moved('red-turns-green')).toEqual(['test_calc.py::test_red_by_chance failed passed']);
    expect(project.snapshot()).toEqual(before);
  });

  it('may be in another lane, with counts of its own, and must have a test that passes', async () => {
    const smoke = { lane: 'smoke', tests: ['smoke'] };
    const project = createProject({
      ...CALC,
      'mutations/lanes.yaml': spec([
        { id: 'moves-there', ...minus, flips: [ADD], controls: [smoke] },
        {
          id: 'holds-there',
          ...minus,
          flips: [ADD],
          controls: [{ lane: 'smoke', tests: 'smoke/test_smoke.py::test_smoke_zero' }],
        },
        { id: 'unknown-there', ...minus, flips: [ADD], controls: [{ lane: 'smoke', tests: ADD }] },
        { id: 'red-there', ...minus, flips: [ADD], controls: [{ lane: 'red', tests: 'red' }] },
        { id: 'red-here', ...minus, flips: [ADD], controls: ['test_calc.py::test_red'] },
        // The lane's baseline is measured anew: by now it has been a control's.
        {
          id: 'its-own-lane',
          lane: 'smoke',
          ...minus,
          flips: ['smoke/test_smoke.py::test_smoke'],
          exact: true,
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'moves-there': 'control-moved',
      'holds-there': 'pinned',
      'unknown-there': 'not-selected',
      'red-there': 'baseline-red',
      'red-here': 'baseline-red',
      'its-own-lane': 'pinned',
    });
    expect(run.exitCode).toBe(1);
    // A lane that served controls alone is told of like any other.
    expect(run.record.lanes).toMatchObject([
      { name: 'unit' },
      { name: 'smoke', baseline: { counts: { passed: 2 } } },
      { name: 'red', selected: 2, preExisting: [{ test: 'red/test_red.py::test_wrong' }] },
    ]);
    expect(run.proof('moves-there').controls).toMatchObject([
      {
        lane: 'smoke',
        held: false,
        moved: [{ test: 'smoke/test_smoke.py::test_smoke', restored: 'passed' }],
        counts: {
          baseline: { passed: 2 },
          mutated: { passed: 1, failed: 1 },
          restored: { passed: 2 },
        },
      },
    ]);
    expect(run.proof('holds-there').controls).toMatchObject([
      { held: true, counts: { mutated: { passed: 1 }, restored: { passed: 1 } } },
    ]);
    for (const id of ['unknown-there', 'red-there', 'red-here'])
      expect(run.proof(id).files).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });
});
