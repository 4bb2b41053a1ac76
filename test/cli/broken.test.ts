import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const CALC = {
  'counterproof.yaml': lanes(),
  'calc.py': `def add(a, b):
    return a + b
`,
  'late.py': `def twice(a):
    return a * 2
`,
  'test_calc.py': `import calc


def test_add():
    assert calc.add(2, 3) == 5
`,
  'test_late.py': `def test_twice():
    import late

    assert late.twice(2) == 4


def test_guarded():
    try:
        from late import twice
    except ImportError as error:
        raise AssertionError("no late") from error
    assert twice(1) == 2
`,
  'test_other.py': `def test_other():
    pass
`,
};

const ADD = 'test_calc.py::test_add';
const OTHER = 'test_other.py::test_other';

describe('a mutant that cannot be loaded', () => {
  it('is broken, never a kill: in a compiler, in a collection, and in a test that imports late', async () => {
    const project = createProject({
      ...CALC,
      'mutations/broken.yaml': spec([
        {
          id: 'no-syntax',
          file: 'calc.py',
          replace: { find: 'return a + b', with: 'return a +' },
          flips: [ADD],
        },
        {
          id: 'no-syntax-late',
          file: 'late.py',
          replace: { find: 'def twice(a):', with: 'def twice(a:' },
          flips: ['test_late.py::test_twice'],
        },
        {
          id: 'no-import-at-collection',
          file: 'calc.py',
          replace: { find: 'def add', with: 'import no_such_module\n\n\ndef add' },
          flips: [ADD],
          controls: [OTHER],
        },
        {
          id: 'no-name-at-collection',
          file: 'calc.py',
          replace: { find: 'def add', with: 'LIMIT = NO_SUCH_NAME\n\n\ndef add' },
          flips: [{ test: ADD, to: ['failed', 'error', 'missing'] }],
        },
        {
          id: 'no-import-in-a-test',
          file: 'late.py',
          replace: { find: 'def twice', with: 'import no_such_module\n\n\ndef twice' },
          flips: [{ test: 'test_late.py', min: 1, to: ['failed', 'error'] }],
        },
        {
          id: 'no-name-in-a-test',
          file: 'late.py',
          replace: { find: 'def twice', with: 'def thrice' },
          flips: ['test_late.py::test_guarded'],
        },
        {
          id: 'no-value-in-a-test',
          file: 'late.py',
          replace: { find: 'def twice', with: 'LIMIT = NO_SUCH_NAME\n\n\ndef twice' },
          flips: ['test_late.py::test_twice'],
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'no-syntax': 'broken',
      'no-syntax-late': 'broken',
      'no-import-at-collection': 'broken',
      'no-name-at-collection': 'broken',
      'no-import-in-a-test': 'broken',
      'no-name-in-a-test': 'broken',
      'no-value-in-a-test': 'broken',
    });
    expect(run.exitCode).toBe(3);
    expect(run.record.summary).toMatchObject({ declared: 7, graded: 0, noEvidence: 7 });
    // Found by the compiler: neither was written, neither was run.
    for (const id of ['no-syntax', 'no-syntax-late']) {
      expect(run.proof(id).steps.map(({ step }) => step)).toEqual(['baseline']);
      expect(run.proof(id).files).toEqual([]);
      expect(JSON.stringify(run.proof(id))).toContain('SyntaxError');
    }
    const collected = run.proof('no-import-at-collection');
    expect(JSON.stringify([collected.reason, collected.facts])).toContain('no_such_module');
    expect(collected.flips.expected).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });
});

describe('a mutant whose module code fails only where a test asks for it', () => {
  it('is pinned: a script that runs to its error and a failed reload are behaviour', async () => {
    const project = createProject({
      'counterproof.yaml': lanes(),
      'settings.py': `import os

LIMIT = int(os.environ.get("LIMIT", "5"))
`,
      'script.py': `TOTAL = sum([1, 2])
`,
      'test_settings.py': `import importlib
import runpy

import settings


def test_reload(monkeypatch):
    monkeypatch.setenv("LIMIT", "7")
    assert importlib.reload(settings).LIMIT == 7


def test_script():
    assert runpy.run_path("script.py")["TOTAL"] == 3
`,
      'mutations/settings.yaml': spec([
        {
          id: 'reload',
          file: 'settings.py',
          replace: {
            find: '"LIMIT", "5"))',
            with: '"LIMIT", "5") + "x" * ("LIMIT" in os.environ))',
          },
          flips: ['test_settings.py::test_reload'],
        },
        {
          id: 'script',
          file: 'script.py',
          replace: { find: '[1, 2]', with: '[1, None]' },
          flips: ['test_settings.py::test_script'],
        },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ reload: 'pinned', script: 'pinned' });
  });
});

describe('a mutant that ends the process', () => {
  const exit = 'import os\n\n\ndef add';

  it('is incomplete although the exit code is 0, and names the test in which it did', async () => {
    const project = createProject({
      ...CALC,
      'mutations/exit.yaml': spec([
        {
          id: 'at-import',
          file: 'calc.py',
          replace: { find: 'def add', with: 'import os\n\nos._exit(0)\n\n\ndef add' },
          flips: [ADD],
          controls: [OTHER],
        },
        {
          id: 'in-a-test',
          edits: [
            { file: 'calc.py', replace: { find: 'def add', with: exit } },
            { file: 'calc.py', replace: { find: 'return a + b', with: 'os._exit(0)' } },
          ],
          flips: [ADD],
          controls: [OTHER],
        },
        {
          id: 'in-a-test-as-declared',
          edits: [
            { file: 'calc.py', replace: { find: 'def add', with: exit } },
            { file: 'calc.py', replace: { find: 'return a + b', with: 'os._exit(0)' } },
          ],
          flips: [{ test: ADD, to: ['crashed'] }],
          controls: [OTHER],
        },
        {
          id: 'in-another-test-than-declared',
          file: 'calc.py',
          replace: {
            find: 'return a + b',
            with: '__import__("os").kill(__import__("os").getpid(), 9)',
          },
          flips: [{ test: OTHER, to: ['crashed'] }],
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'at-import': 'incomplete',
      'in-a-test': 'incomplete',
      'in-a-test-as-declared': 'pinned',
      'in-another-test-than-declared': 'incomplete',
    });
    expect(run.exitCode).toBe(3);
    expect(run.proof('at-import').reason).toContain('exit 0');
    expect(run.proof('in-a-test').reason).toContain(ADD);
    expect(run.proof('in-another-test-than-declared').reason).toMatch(
      /test_add.*SIGKILL|SIGKILL.*test_add/,
    );
    // What was not run is said to be so, not copied from the baseline.
    const [held] = run.proof('in-a-test').controls;
    expect(held).toMatchObject({ selector: OTHER, held: null, counts: { mutated: null } });
    const declared = run.proof('in-a-test-as-declared');
    expect(declared.flips.expected).toMatchObject([
      { test: ADD, to: 'crashed', restored: 'passed' },
    ]);
    // The lane was run once more without the test that ended it, to grade the rest.
    expect(declared.controls).toMatchObject([{ held: true, counts: { mutated: { passed: 1 } } }]);
    expect(project.snapshot()).toEqual(before);
  });

  it('may hang instead, which is the flip where `to` says so', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes({ limits: { test: '5s' } }),
      'mutations/hang.yaml': spec([
        {
          id: 'hangs-as-declared',
          file: 'calc.py',
          replace: { find: 'return a + b', with: '__import__("time").sleep(600)' },
          flips: [{ test: ADD, to: ['timeout'] }],
          controls: [OTHER],
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ 'hangs-as-declared': 'pinned' });
    expect(run.exitCode).toBe(0);
    expect(run.proof('hangs-as-declared')).toMatchObject({
      flips: { expected: [{ test: ADD, to: 'timeout', restored: 'passed' }] },
      controls: [{ held: true, counts: { mutated: { passed: 1 } } }],
    });
    expect(project.snapshot()).toEqual(before);
  });
});
