import { describe, expect, it } from 'vitest';
import { AT_IMPORT } from '../../src/lane/pytest/fold.js';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project } from './pytest-harness.js';

const python = await venv('default');

const PKG = { 'pkg/__init__.py': '', 'pkg/mod.py': 'def f(): return 1\n' };

describe('a failure that is no evidence', () => {
  const cases: readonly {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly broken: RegExp | null;
  }[] = [
    {
      name: 'a SyntaxError of the file',
      files: { 'pkg/mod.py': 'x = 1\ndef (\n', 'test_a.py': 'def test_f(): import pkg.mod\n' },
      broken: /^pkg\/mod\.py:2: SyntaxError: /,
    },
    {
      name: 'a SyntaxError that a framework wrapped',
      files: {
        'pkg/mod.py': 'def (\n',
        'test_a.py':
          'def test_f():\n    try: import pkg.mod\n    except SyntaxError as error: raise RuntimeError("cannot load plugin") from error\n',
      },
      broken: /^pkg\/mod\.py:1: SyntaxError: /,
    },
    {
      name: 'an ImportError that names the module',
      files: { 'test_a.py': 'def test_f(): from pkg.mod import gone\n' },
      broken: /^pkg\/mod\.py: ImportError: cannot import name 'gone'/,
    },
    {
      name: 'an ImportError of a module that is gone',
      files: {
        'pkg/mod.py': '',
        'test_a.py':
          'import os\ndef test_f():\n    os.rename("pkg/mod.py", "pkg/was.py")\n    import pkg.mod\n',
      },
      broken: /^pkg\/mod\.py: ModuleNotFoundError: No module named 'pkg\.mod'/,
    },
    {
      name: 'an ImportError of a name in a package that is gone',
      files: {
        'pkg/mod.py': '',
        'test_a.py':
          'import os\ndef test_f():\n    os.rename("pkg/mod.py", "pkg/was.py")\n    from pkg import mod\n',
      },
      broken: /^pkg\/mod\.py: ImportError: cannot import name 'mod' from 'pkg'/,
    },
    {
      name: 'an ImportError raised while the file is imported',
      files: { 'pkg/mod.py': 'import jsno\n', 'test_a.py': 'def test_f(): import pkg.mod\n' },
      broken: /^pkg\/mod\.py:1: ModuleNotFoundError: No module named 'jsno'/,
    },
    {
      name: 'a SyntaxError in a child process',
      files: {
        'pkg/mod.py': 'def (\n',
        'test_a.py':
          'import subprocess, sys\ndef test_f(): subprocess.check_call([sys.executable, "-c", "import pkg.mod"])\n',
      },
      broken: /^pkg\/mod\.py:1: SyntaxError: .* \(in a child process\)$/,
    },
    {
      name: 'an ImportError in a child process',
      files: {
        'test_a.py':
          'import subprocess, sys\ndef test_f(): subprocess.check_call([sys.executable, "-c", "from pkg.mod import gone"])\n',
      },
      broken: /^pkg\/mod\.py: ImportError: .* \(in a child process\)$/,
    },
  ];

  const honest: typeof cases = [
    {
      name: 'an assertion',
      files: { 'test_a.py': 'from pkg.mod import f\ndef test_f(): assert f() == 2\n' },
      broken: null,
    },
    {
      name: 'an ImportError inside of a function of the file',
      files: {
        'pkg/mod.py': 'def f(): import jsno\n',
        'test_a.py': 'from pkg.mod import f\ndef test_f(): f()\n',
      },
      broken: null,
    },
    {
      name: 'a SyntaxError of another source',
      files: { 'test_a.py': 'import pkg.mod\ndef test_f(): compile("def (", "pkg.txt", "exec")\n' },
      broken: null,
    },
    {
      name: 'an ImportError that names another module',
      files: { 'test_a.py': 'import pkg.mod\ndef test_f(): import nowhere.mod\n' },
      broken: null,
    },
  ];

  it.each([...cases, ...honest])('$name', async ({ files, broken }) => {
    const tree = project({ ...PKG, ...files });
    const run = await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
    expect(run.results).toHaveLength(1);
    expect(run.results[0]?.outcome).toBe('failed');
    if (broken === null) expect(run.results[0]?.broken).toBeNull();
    else expect(run.results[0]?.broken).toMatch(broken);
  });
});

describe('reach', () => {
  const RAISE = 'raise __import__("_counterproof_recorder").reached()';
  const MOD = `def f():\n    ${RAISE}\n`;

  it('names the tests that get to the raise, also where it is swallowed, in a child, or in a thread', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': MOD,
      'test_a.py': `
import multiprocessing, subprocess, sys, threading
from pkg.mod import f
def test_calls(): f()
def test_swallows():
    try: f()
    except BaseException: pass
def test_swallows_exceptions():
    try: f()
    except Exception: pass
def test_child(): subprocess.run([sys.executable, "-c", "from pkg.mod import f; f()"])
def test_fork():
    p = multiprocessing.get_context("fork").Process(target=f); p.start(); p.join()
def test_thread():
    t = threading.Thread(target=f); t.start(); t.join()
def test_not(): pass
`,
    });
    const run = await laneOver(tree, python).run();
    expect(run.ending).toEqual({ kind: 'complete' });
    expect([...run.reached].toSorted((a, b) => a.localeCompare(b))).toEqual(
      ['calls', 'child', 'fork', 'swallows', 'swallows_exceptions', 'thread'].map(
        (name) => `test_a.py::test_${name}`,
      ),
    );
    expect(outcomes(run)).toMatchObject({
      'test_a.py::test_calls': 'failed',
      'test_a.py::test_swallows': 'passed',
      'test_a.py::test_swallows_exceptions': 'failed',
      'test_a.py::test_not': 'passed',
    });
  });

  it('says so where it happens at import', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': MOD,
      'test_a.py':
        'from pkg.mod import f\ntry: f()\nexcept BaseException: pass\ndef test_a(): pass\n',
    });
    const run = await laneOver(tree, python).run();
    expect(run.reached).toEqual([AT_IMPORT]);
  });

  it('is written once for a test that gets there a hundred thousand times', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': MOD,
      'test_a.py':
        'from pkg.mod import f\ndef test_a():\n    for _ in range(100_000):\n        try: f()\n        except BaseException: pass\n',
    });
    const run = await laneOver(tree, python).run();
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.reached).toEqual(['test_a.py::test_a']);
  });
});
