import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const CALC = {
  'pytest.ini': '[pytest]\nmarkers =\n    fast: quick\n    slow: slow\n',
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'test_calc.py': `import calc
import pytest


@pytest.mark.fast
def test_add():
    assert calc.add(2, 3) == 5


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2])
def test_slow(n):
    assert calc.add(n, n) == 2 * n
`,
};

const minus = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };
const ADD = 'test_calc.py::test_add';

describe('a test that the lane does not select', () => {
  it('is named with the marker that takes it out, or with the nearest ids', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ select: 'fast and not slow' }),
      'mutations/ids.yaml': spec([
        { id: 'deselected', ...minus, flips: ['test_calc.py::test_slow'] },
        { id: 'one-deselected', ...minus, flips: [ADD, 'test_calc.py::test_slow[2]'] },
        { id: 'misspelt', ...minus, flips: ['test_calc.py::test_ad'] },
        { id: 'misspelt-file', ...minus, flips: ['tests/test_calc.py::test_add'] },
        { id: 'control-deselected', ...minus, flips: [ADD], controls: ['test_calc.py::test_slow'] },
        { id: 'control-misspelt', ...minus, flips: [ADD], controls: ['test_clac.py'] },
        { id: 'control-is-expected', ...minus, flips: [ADD], controls: [ADD] },
        { id: 'right', ...minus, flips: [ADD] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    const { right, ...others } = verdicts(run);
    expect(right).toBe('pinned');
    expect(new Set(Object.values(others))).toEqual(new Set(['not-selected']));
    expect(run.exitCode).toBe(3);
    const said = (id: string): string => {
      const { reason, facts, next } = run.proof(id);
      return [reason, ...facts, ...next].join('\n');
    };
    for (const id of Object.keys(others)) {
      expect(run.proof(id).files).toEqual([]);
      expect(run.proof(id).steps.map(({ step }) => step)).toEqual(['baseline']);
    }
    expect(said('deselected')).toContain('fast and not slow');
    expect(said('deselected')).toContain('test_calc.py::test_slow');
    expect(said('one-deselected')).toContain('test_calc.py::test_slow[2]');
    expect(said('misspelt')).toContain(ADD);
    expect(said('misspelt-file')).toContain(ADD);
    expect(said('control-misspelt')).toContain('test_clac.py');
    expect(run.record.lanes[0]).toMatchObject({ collected: 3, selected: 1, deselected: 2 });
    expect(project.snapshot()).toEqual(before);
  });
});

describe('a lane that selects nothing, or cannot', () => {
  it.each([
    {
      what: 'a marker that nothing has',
      lane: { select: 'nosuch' },
      verdict: 'not-selected',
      says: /3/,
    },
    {
      what: 'an expression that pytest cannot read',
      lane: { select: 'a and (' },
      verdict: 'broken',
      says: /Wrong expression|expression/,
    },
    {
      what: 'a folder without tests',
      lane: { paths: ['empty'] },
      verdict: 'not-selected',
      says: /no test/,
    },
    {
      what: 'a path that is not there',
      lane: { paths: ['no/such'] },
      verdict: 'broken',
      says: /no\/such/,
    },
  ])('says so for $what, and mutates nothing', async ({ lane, verdict, says }) => {
    const project = createProject({
      ...CALC,
      'empty/README': '',
      'counterproof.yaml': lanes(lane),
      'mutations/any.yaml': spec([{ id: 'any', ...minus, flips: 'any' }]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    const { reason, facts, files } = run.proof('any');
    expect(verdicts(run)).toEqual({ any: verdict });
    expect(run.exitCode).toBe(3);
    expect([reason, ...facts].join('\n')).toMatch(says);
    expect(files).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });

  it('is broken where --strict-markers refuses a file whose marker nobody registered', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ args: ['--strict-markers'] }),
      'test_typo.py': `import pytest


@pytest.mark.fsat
def test_typo():
    pass
`,
      'mutations/typo.yaml': spec([
        { id: 'in-that-file', ...minus, flips: ['test_typo.py::test_typo'] },
        { id: 'in-another', ...minus, flips: [ADD] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ 'in-that-file': 'broken', 'in-another': 'pinned' });
    expect(JSON.stringify(run.proof('in-that-file').facts)).toContain('fsat');
    expect(run.record.lanes[0]?.collectionErrors[0]?.message).toContain('fsat');
    expect(run.exitCode).toBe(3);
    expect(project.snapshot()).toEqual(before);
  });
});
