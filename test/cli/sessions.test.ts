import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const CALC = {
  'calc.py': `def add(a, b):
    return a + b


def zero():
    return 0
`,
  'test_calc.py': `import calc


def test_add():
    assert calc.add(2, 3) == 5


def test_zero():
    assert calc.zero() == 0
`,
  'smoke/test_smoke.py': `import calc


def test_smoke():
    assert calc.add(0, 0) == 0


def test_nothing():
    assert calc.zero() == 0
`,
};

const minus = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };
const one = { file: 'calc.py', replace: { find: 'return 0', with: 'return 1' } };

describe('a lane whose tests are measured in more than one tree state', () => {
  it('has a whole baseline with and without a probe file', async () => {
    const probe = 'import calc\n\n\ndef test_probe():\n    assert calc.add(2, 2) == 4\n';
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ paths: ['.'] }),
      'mutations/plain.yaml': spec([
        { id: 'minus', ...minus, flips: ['test_calc.py::test_add'] },
        {
          id: 'one',
          ...one,
          flips: ['test_calc.py::test_zero', 'smoke/test_smoke.py::test_nothing'],
        },
      ]),
      'mutations/probed.yaml': spec([
        {
          id: 'probed',
          ...minus,
          flips: ['test_calc.py::test_add', 'test_probe.py::test_probe'],
          probes: [{ path: 'test_probe.py', content: probe }],
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ minus: 'pinned', one: 'pinned', probed: 'pinned' });
    expect(run.record.lanes.map(({ baseline }) => baseline?.counts)).toEqual([
      { passed: 4 },
      { passed: 5 },
    ]);
    expect(project.snapshot()).toEqual(before);
  });

  it('is a lane of controls first, and proves mutations of its own then', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ paths: ['test_calc.py'] }, { smoke: { paths: ['smoke'] } }),
      'mutations/calc.yaml': spec([
        {
          id: 'minus',
          ...minus,
          flips: ['test_calc.py::test_add'],
          controls: [{ lane: 'smoke', tests: 'smoke' }],
        },
        { id: 'one', ...one, lane: 'smoke', flips: ['smoke/test_smoke.py::test_nothing'] },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ minus: 'pinned', one: 'pinned' });
  });
});

const WRITES = (path: string, text: string): string => `import pathlib


def test_writes():
    pathlib.Path(${JSON.stringify(path)}).write_text(${JSON.stringify(text)})
`;

describe('a lane of controls that writes into the tree', () => {
  const controlled = [
    {
      id: 'minus',
      ...minus,
      flips: ['test_calc.py::test_add'],
      controls: [{ lane: 'smoke', tests: 'smoke/test_writes.py' }],
    },
  ];
  const config = lanes({ paths: ['test_calc.py'] }, { smoke: { paths: ['smoke'] } });

  it('leaves nothing that has the lane run whole after each mutation', async () => {
    const project = createProject({
      ...CALC,
      'smoke/test_writes.py': WRITES('out.txt', 'always the same'),
      'counterproof.yaml': config,
      'mutations/calc.yaml': spec([
        ...controlled,
        { id: 'one', ...one, flips: ['test_calc.py::test_zero'] },
      ]),
    });

    const run = await prove(project, ['run', '--fail-fast']);

    expect(verdicts(run)).toEqual({ minus: 'pinned', one: 'pinned' });
    const restored = run.proof('minus').steps.filter(({ step }) => step === 'restored');
    expect(restored.map(({ scope }) => scope)).not.toContain('lane');
  });

  it('has nothing measured where its baseline changed a tracked file', async () => {
    const project = createProject({
      ...CALC,
      'notes.txt': 'mine',
      'smoke/test_writes.py': WRITES('notes.txt', 'the test was here'),
      'counterproof.yaml': config,
      'mutations/calc.yaml': spec(controlled),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ minus: 'tree-touched' });
    expect(run.proof('minus').files).toEqual([]);
    expect(run.exitCode).toBe(3);
  });
});

describe('a lane with more mutations than the test runner is given at once', () => {
  it('has all of them in their order, between one baseline and one closing run', async () => {
    const named = (test: string, id: string) => ({
      id,
      ...minus,
      flips: [`test_calc.py::${test}`],
    });
    const mutations = [
      named('test_add', 'first'),
      ...Array.from({ length: 599 }, (_, n) => named('test_of_nobody', `m${n}`)),
      named('test_add', 'last'),
    ];
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ paths: ['test_calc.py'] }),
      'mutations/calc.yaml': spec(mutations),
    });

    const run = await prove(project);

    expect(run.record.proofs.map(({ id }) => id)).toEqual(mutations.map(({ id }) => id));
    const found = Object.entries(verdicts(run)).filter(([, verdict]) => verdict !== 'not-selected');
    expect(found).toEqual([
      ['first', 'pinned'],
      ['last', 'pinned'],
    ]);
    expect(run.record.lanes.map(({ closing }) => closing?.equal)).toEqual([true]);
  });
});
