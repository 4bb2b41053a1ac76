import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';

const CALC = `def add(a, b):
    return a + b


def other(a):
    return a * 2
`;

const TESTS = `from calc import add, other


def test_add():
    assert add(2, 3) == 5


def test_other():
    assert other(2) == 4
`;

const FILES = {
  'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: pytest } }\n',
  'calc.py': CALC,
  'test_calc.py': TESTS,
};

const spec = (body: string): string => `version: 1\nlane: unit\nmutations:\n${body}`;

describe('a mutation of a covered function', () => {
  it('is pinned where the expected test flips, and lists every other test as unmoved', async () => {
    const project = createProject({
      ...FILES,
      'mutations/add.yaml': spec(`  - id: minus
    file: calc.py
    replace: { find: "a + b", with: "a - b" }
    flips: ["test_calc.py::test_add"]
    controls: ["test_calc.py"]
`),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(run.exitCode).toBe(0);
    expect(verdicts(run)).toEqual({ minus: 'pinned' });
    const proof = run.proof('minus');
    expect(proof.flips.expected).toMatchObject([
      { test: 'test_calc.py::test_add', from: 'passed', to: 'failed', restored: 'passed' },
    ]);
    expect(proof.loaded.proof).toBe('compiled');
    expect(proof.controls).toMatchObject([
      { selector: 'test_calc.py', held: true, counts: { mutated: { passed: 1 } } },
    ]);
    const [file] = proof.files;
    expect(file?.restored).toBe(file?.baseline);
    expect(file?.mutated).not.toBe(file?.baseline);
    expect(project.snapshot()).toEqual(before);
  });

  it('is refuted where another test moves than the one that was named', async () => {
    const project = createProject({
      ...FILES,
      'mutations/add.yaml': spec(`  - id: elsewhere
    file: calc.py
    replace: { find: "a + b", with: "a - b" }
    flips: ["test_calc.py::test_other"]
`),
    });

    const run = await prove(project);

    expect(run.exitCode).toBe(1);
    expect(run.proof('elsewhere').verdict).toBe('caught-elsewhere');
    expect(run.proof('elsewhere').flips.also).toMatchObject([
      { test: 'test_calc.py::test_add', at: expect.stringMatching(/test_calc\.py:5$/) as string },
    ]);
  });
});
