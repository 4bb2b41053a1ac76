import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const ONE = 'def f():\n    return 1\n';
const test = (module: string): string =>
  `from ${module} import f\n\n\ndef test_f():\n    assert f() == 1\n`;
const ONE_TO_TWO = ['return 1', 'return 2'] as const;

const FILES = {
  'pytest.ini': '[pytest]\npythonpath = src .\ntestpaths = tests\n',
  'src/pkg/__init__.py': '',
  'src/pkg/core.py': ONE,
  'a/__init__.py': '',
  'a/util.py': ONE,
  'b/__init__.py': '',
  'b/util.py': ONE,
  'space/part/mod.py': ONE,
  'real/impl.py': ONE,
  'tests/conftest.py': 'import pytest\npytest.register_assert_rewrite("helpers")\n',
  'helpers.py': `def check(value):
    expected = 1
    assert value == expected
`,
  'tests/of_core/test_f.py': test('pkg.core'),
  'tests/of_core/__init__.py': '',
  'tests/of_a/test_f.py': test('a.util'),
  'tests/of_a/__init__.py': '',
  'tests/of_b/test_f.py': test('b.util'),
  'tests/of_b/__init__.py': '',
  'tests/test_space.py': test('space.part.mod'),
  'tests/test_link.py': test('link'),
  'tests/test_helpers.py': 'from helpers import check\n\n\ndef test_helper():\n    check(1)\n',
};

const MUTATIONS = [
  swap('src-layout', 'src/pkg/core.py', ONE_TO_TWO, { flips: 'tests/of_core/test_f.py::test_f' }),
  swap('same-name', 'a/util.py', ONE_TO_TWO, {
    flips: 'tests/of_a/test_f.py::test_f',
    controls: 'tests/of_b/test_f.py',
  }),
  swap('namespace', 'space/part/mod.py', ONE_TO_TWO, { flips: 'tests/test_space.py::test_f' }),
  swap('symlink', 'link.py', ONE_TO_TWO, { flips: 'tests/test_link.py::test_f' }),
  swap('rewritten', 'helpers.py', ['expected = 1', 'expected = 2'], {
    flips: [{ test: 'tests/test_helpers.py::test_helper', message: 'assert 1 == 2' }],
  }),
];

describe('a file is shown to be loaded, however the project is laid out', () => {
  it.each([
    { name: 'as pytest imports by default', args: [] },
    { name: 'with --import-mode=importlib', args: ['--import-mode=importlib'] },
  ])('$name', async ({ args }) => {
    const project = createProject({ ...FILES, ...config({ args }), ...spec(MUTATIONS) });
    symlinkSync(join('real', 'impl.py'), join(project.folder, 'link.py'));
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'link');
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual(Object.fromEntries(MUTATIONS.map(({ id }) => [id, 'pinned'])));
    expect(run.exitCode).toBe(0);
    for (const { id, loaded } of run.record.proofs)
      expect([id, loaded]).toEqual([id, { proof: 'compiled', from: 'test process' }]);
    expect(project.snapshot()).toEqual(before);
    expect(before.get('link.py')).toBe('link real/impl.py');
  });
});

describe('a project in a folder of a larger tree', () => {
  it('can mutate a file of the tree outside its root, and names tests from its root', async () => {
    const project = createProject({
      'shared/lib.py': ONE,
      'unrelated/lib.py': ONE,
      'services/api/pytest.ini': '[pytest]\npythonpath = ../../shared\n',
      'services/api/tests/test_f.py': test('lib'),
      'services/api/counterproof.yaml': config()['counterproof.yaml'] ?? '',
      'services/api/mutations/all.yaml':
        spec([
          swap('outside', '../../shared/lib.py', ONE_TO_TWO, { flips: 'tests/test_f.py::test_f' }),
          swap('namesake', '../../unrelated/lib.py', ONE_TO_TWO, {
            flips: 'tests/test_f.py::test_f',
          }),
        ])['mutations/all.yaml'] ?? '',
    });
    const before = project.snapshot();

    const run = await prove(project, ['run'], { cwd: join(project.folder, 'services/api') });

    expect(verdicts(run)).toEqual({ outside: 'pinned', namesake: 'not-loaded' });
    expect(run.exitCode).toBe(3);
    expect(run.record.project.root).toBe('services/api');
    expect(run.proof('outside').files.map(({ path }) => path)).toEqual(['shared/lib.py']);
    expect(project.snapshot()).toEqual(before);
  });
});
