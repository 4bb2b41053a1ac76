import {
  cpSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project } from './pytest-harness.js';

const python = await venv('default');

const TEST = 'from pkg.mod import f\ndef test_f(): assert f() == 1\n';
const PKG = { 'pkg/__init__.py': '', 'pkg/mod.py': 'def f(): return 1\n' };
const INSTALLED = 'def f(): return 1  # installed\n';

/** An environment whose path holds an installed copy, in front of everything of the project. */
const withCopy = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'site/lib/python3.12/site-packages/pkg/__init__.py': '',
  'site/lib/python3.12/site-packages/pkg/mod.py': INSTALLED,
  ...files,
});
const COPY = 'site/lib/python3.12/site-packages';

/** A Python statement that imports the module in a child process, from the folder `at`. */
const child = (at: string): string =>
  `subprocess.check_call([sys.executable, "-c", "import pkg.mod"], env={**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + ${at}}, cwd="/")`;

describe('load proof: the bytes on disk were compiled and executed as the module', () => {
  const proven: readonly {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly target: string;
    readonly by?: string;
  }[] = [
    {
      name: 'a module that a test imports',
      files: { ...PKG, 'test_a.py': TEST },
      target: 'pkg/mod.py',
    },
    {
      name: "a package's __init__",
      files: { ...PKG, 'test_a.py': TEST },
      target: 'pkg/__init__.py',
    },
    { name: 'a rewritten test file', files: { ...PKG, 'test_a.py': TEST }, target: 'test_a.py' },
    {
      name: 'a conftest.py',
      files: {
        'conftest.py': 'import pytest\n@pytest.fixture\ndef one(): return 1\n',
        'test_a.py': 'def test_f(one): assert one == 1\n',
      },
      target: 'conftest.py',
    },
    {
      name: 'a nested conftest.py beside a package',
      files: {
        'tests/__init__.py': '',
        'tests/conftest.py': 'X = 1\n',
        'tests/test_a.py': 'def test_f(): pass\n',
      },
      target: 'tests/conftest.py',
    },
    {
      name: 'a file loaded by spec_from_file_location and kept out of sys.modules',
      files: {
        'tools/gen.py': 'X = 1\n',
        'test_a.py': `
import importlib.util, pathlib
def test_f():
    spec = importlib.util.spec_from_file_location("gen", pathlib.Path("tools/gen.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.X == 1
`,
      },
      target: 'tools/gen.py',
    },
    {
      name: 'runpy.run_path',
      files: {
        'tools/gen.py': 'X = 1\n',
        'test_a.py':
          'import runpy\ndef test_f(): assert runpy.run_path("tools/gen.py")["X"] == 1\n',
      },
      target: 'tools/gen.py',
    },
    {
      name: 'importlib.reload',
      files: {
        ...PKG,
        'test_a.py':
          'import importlib, pkg.mod\ndef test_f(): assert importlib.reload(pkg.mod).f() == 1\n',
      },
      target: 'pkg/mod.py',
    },
    {
      name: 'an import in a thread',
      files: {
        ...PKG,
        'test_a.py':
          'import threading\ndef test_f():\n    t = threading.Thread(target=__import__, args=("pkg.mod",))\n    t.start(); t.join()\n',
      },
      target: 'pkg/mod.py',
    },
    {
      name: 'a script that a child process runs',
      files: {
        'tool.py': 'print(1)\n',
        'test_a.py':
          'import subprocess, sys\ndef test_f(): assert subprocess.check_output([sys.executable, "tool.py"]) == b"1\\n"\n',
      },
      target: 'tool.py',
      by: 'child process',
    },
    {
      name: 'python -m in a child process that ends by os._exit',
      files: {
        ...PKG,
        'pkg/mod.py': 'import os\nos._exit(0)\n',
        'test_a.py':
          'import subprocess, sys\ndef test_f(): subprocess.check_call([sys.executable, "-m", "pkg.mod"])\n',
      },
      target: 'pkg/mod.py',
      by: 'child process',
    },
    {
      name: 'python -c in a child process',
      files: {
        ...PKG,
        'test_a.py':
          'import subprocess, sys\ndef test_f(): subprocess.check_call([sys.executable, "-c", "import pkg.mod"])\n',
      },
      target: 'pkg/mod.py',
      by: 'child process',
    },
    {
      name: 'multiprocessing, forked',
      files: {
        ...PKG,
        'test_a.py':
          'import multiprocessing\ndef load(): import pkg.mod\ndef test_f():\n    p = multiprocessing.get_context("fork").Process(target=load)\n    p.start(); p.join()\n    assert p.exitcode == 0\n',
      },
      target: 'pkg/mod.py',
      by: 'child process',
    },
    {
      name: 'multiprocessing, spawned',
      files: {
        ...PKG,
        'test_a.py':
          'import multiprocessing\ndef load(): import pkg.mod\ndef test_f():\n    p = multiprocessing.get_context("spawn").Process(target=load)\n    p.start(); p.join()\n    assert p.exitcode == 0\n',
      },
      target: 'pkg/mod.py',
      by: 'child process',
    },
    {
      name: 'a namespace package',
      files: {
        'ns/mod.py': 'def f(): return 1\n',
        'test_a.py': 'from ns.mod import f\ndef test_f(): assert f() == 1\n',
      },
      target: 'ns/mod.py',
    },
    {
      name: 'a file that bears the name of a standard module',
      files: {
        'app/types.py': 'X = 1\n',
        'test_a.py': 'from app.types import X\ndef test_f(): assert X == 1\n',
      },
      target: 'app/types.py',
    },
    {
      name: 'a loader that compiles the decoded text itself',
      files: {
        'odd.py': '# -*- coding: latin-1 -*-\r\nX = "ä"\r\n',
        'test_a.py': `
import importlib.abc, importlib.machinery, importlib.util, sys
class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        text = importlib.util.decode_source(self.get_data(self.path))
        return compile(text, self.path, "exec", dont_inherit=True)
def test_f():
    spec = importlib.util.spec_from_file_location("odd", "odd.py", loader=Loader("odd", "odd.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.X == "\\u00c3\\u00a4"
`,
      },
      target: 'odd.py',
    },
    {
      name: 'a module that the project execs into sys.modules itself',
      files: {
        'odd.py': 'X = 1\n',
        'test_a.py': `
import sys, types
def test_f():
    module = types.ModuleType("odd"); module.__file__ = "odd.py"; sys.modules["odd"] = module
    exec(compile(open("odd.py").read(), "odd.py", "exec"), module.__dict__)
    assert module.X == 1
`,
      },
      target: 'odd.py',
    },
  ];

  it.each(proven)('$name', async ({ files, target, by }) => {
    const tree = project(files);
    const run = await laneOver(tree, python).run({ targets: [target] });
    expect(Object.values(outcomes(run)), JSON.stringify(run.results)).toEqual(['passed']);
    expect(run.loads).toEqual([
      {
        path: target,
        proof: 'compiled',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        elsewhere: null,
        by: by ?? 'test process',
      },
    ]);
  });

  const unproven: readonly {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly target: string;
    readonly elsewhere: string | null;
  }[] = [
    {
      name: 'an installed copy is imported instead',
      files: withCopy({ ...PKG, 'tests/test_a.py': TEST }),
      target: 'pkg/mod.py',
      elsewhere: `${COPY}/pkg/mod.py`,
    },
    {
      name: 'the test compiles, parses and byte-compiles the source, while an installed copy is imported',
      files: withCopy({
        ...PKG,
        'tests/test_a.py': `${TEST}
import ast, os, py_compile, sys, tempfile
HERE = os.path.abspath("pkg/mod.py")
def test_decoys():
    source = open(HERE).read()
    compile(source, HERE, "exec"); ast.parse(source, HERE)
    py_compile.compile(HERE, cfile=os.path.join(tempfile.mkdtemp(), "x.pyc"), doraise=True)
`,
      }),
      target: 'pkg/mod.py',
      elsewhere: `${COPY}/pkg/mod.py`,
    },
    {
      name: 'the test executes the source itself, while an installed copy is imported',
      files: withCopy({
        ...PKG,
        'tests/test_a.py': `${TEST}\nimport os, runpy\ndef test_decoy(): runpy.run_path(os.path.abspath("pkg/mod.py"))\n`,
      }),
      target: 'pkg/mod.py',
      elsewhere: `${COPY}/pkg/mod.py`,
    },
    {
      name: 'only the source is compiled and parsed, nothing is imported',
      files: {
        ...PKG,
        'test_a.py':
          'import ast, os\nHERE = os.path.abspath("pkg/mod.py")\ndef test_f():\n    compile(open(HERE).read(), HERE, "exec"); ast.parse(open(HERE).read(), HERE)\n',
      },
      target: 'pkg/mod.py',
      elsewhere: null,
    },
    {
      name: 'the test execs compiled source into a namespace of its own',
      files: {
        ...PKG,
        'test_a.py':
          'import os\nHERE = os.path.abspath("pkg/mod.py")\ndef test_f(): exec(compile(open(HERE).read(), HERE, "exec"), {})\n',
      },
      target: 'pkg/mod.py',
      elsewhere: null,
    },
    {
      name: 'nothing touches the file',
      files: { ...PKG, 'test_a.py': 'def test_f(): pass\n' },
      target: 'pkg/mod.py',
      elsewhere: null,
    },
    {
      name: 'the file is absent',
      files: { 'test_a.py': 'def test_f(): pass\n' },
      target: 'pkg/gone.py',
      elsewhere: null,
    },
    {
      name: 'an extension module of the same name goes first',
      files: {
        ...PKG,
        'test_a.py':
          'import sys, types\ndef test_f():\n    m = types.ModuleType("pkg.mod"); m.__file__ = "/opt/pkg/mod.cpython-311-x86_64-linux-gnu.so"; sys.modules["pkg.mod"] = m\n',
      },
      target: 'pkg/mod.py',
      elsewhere: '/opt/pkg/mod.cpython-311-x86_64-linux-gnu.so',
    },
    {
      name: 'a namespace package comes from an installed copy',
      files: {
        'ns/mod.py': 'def f(): return 1\n',
        [`${COPY}/ns/mod.py`]: 'def f(): return 1\n',
        'tests/test_a.py': `import sys\nsys.path.insert(0, "${COPY}")\nfrom ns.mod import f\ndef test_f(): assert f() == 1\n`,
      },
      target: 'ns/mod.py',
      elsewhere: `${COPY}/ns/mod.py`,
    },
  ];

  it.each(unproven)('no proof where $name', async ({ files, target, elsewhere }) => {
    const tree = project(files);
    // The `pytest` script, not `python -m pytest`, which would put the project first.
    const lane = laneOver(tree, python, {
      command: [python.pytest],
      env: { PYTHONPATH: tree.path(COPY) },
    });
    const run = await lane.run({ targets: [target] });
    expect(new Set(Object.values(outcomes(run))), JSON.stringify(run.results) + lane.log()).toEqual(
      new Set(['passed']),
    );
    const [load] = run.loads;
    expect(load?.proof).toBe('none');
    expect(load?.elsewhere).toBe(elsewhere === null ? null : path.resolve(tree.root, elsewhere));
  });

  it('is taken back where a child process alone met it and another child met a copy', async () => {
    const tree = project(
      withCopy({
        ...PKG,
        'test_a.py': `import os, subprocess, sys\nHERE = os.getcwd()\ndef test_f():\n    ${child('HERE')}\n    ${child(`HERE + "/${COPY}"`)}\n`,
      }),
    );
    const run = await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
    expect(outcomes(run)).toEqual({ 'test_a.py::test_f': 'passed' });
    expect(run.loads[0]).toMatchObject({
      proof: 'none',
      elsewhere: tree.path(`${COPY}/pkg/mod.py`),
    });
  });

  it('holds through a symlinked folder', async () => {
    const tree = project({
      'real/pkg/__init__.py': '',
      'real/pkg/mod.py': 'def f(): return 1\n',
      'test_a.py': TEST,
    });
    symlinkSync('real/pkg', tree.path('pkg'));
    const run = await laneOver(tree, python).run({ targets: ['real/pkg/mod.py'] });
    expect(run.loads[0]).toMatchObject({ proof: 'compiled' });
  });

  it('holds through a symlink of another name', async () => {
    const tree = project({
      'real/impl.py': 'def f(): return 1\n',
      'test_a.py': 'from link import f\ndef test_f(): assert f() == 1\n',
    });
    symlinkSync('real/impl.py', tree.path('link.py'));
    const run = await laneOver(tree, python).run({ targets: ['real/impl.py'] });
    expect(run.loads[0]).toMatchObject({ proof: 'compiled', by: 'test process' });
  });

  it('is taken back where stale bytecode of a symlink ran beside a fresh import', async () => {
    const tree = project({
      'real/__init__.py': '',
      'real/impl.py': 'def f(): return 1\n',
      'test_a.py': 'import real.impl\nfrom link import f\ndef test_f(): assert f() == 1\n',
    });
    symlinkSync('real/impl.py', tree.path('link.py'));
    const { mtime } = statSync(tree.path('real/impl.py'));
    execFileSync(python.python, ['-c', 'import link'], { cwd: tree.root, env: {} });
    tree.write('real/impl.py', 'def f(): return 2\n');
    utimesSync(tree.path('real/impl.py'), mtime, mtime);
    const run = await laneOver(tree, python).run({ targets: ['real/impl.py'] });
    expect(outcomes(run)).toEqual({ 'test_a.py::test_f': 'passed' });
    expect(run.loads[0]).toMatchObject({ proof: 'cached' });
  });

  it('is still written after a test closed our descriptor and another file took its number', async () => {
    const tree = project({
      ...PKG,
      'test_a.py': `${TEST}
import os
def test_closes():
    for fd in range(3, 64):
        try:
            if os.path.samestat(os.fstat(fd), os.stat(os.environ["COUNTERPROOF_DIR"] + "/events.jsonl")):
                os.close(fd)
                assert os.open("foreign", os.O_CREAT | os.O_RDWR) == fd
        except OSError:
            pass
    assert os.path.exists("foreign")
def test_after(): pass
`,
    });
    const run = await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(Object.values(outcomes(run)), JSON.stringify(run.results)).toEqual([
      'passed',
      'passed',
      'passed',
    ]);
    expect(tree.read('foreign')).toBe('');
  });
});

describe('stale bytecode', () => {
  const stale = (file: string, cached: string, code: string): void => {
    const { mtime, size } = statSync(file);
    const now = readFileSync(file);
    writeFileSync(file, code.padEnd(size - 1).concat('\n'));
    utimesSync(file, mtime, mtime);
    mkdirSync(path.dirname(cached), { recursive: true });
    execFileSync(python.python, [
      '-c',
      `import py_compile, sys; py_compile.compile(sys.argv[1], cfile=sys.argv[2])`,
      file,
      cached,
    ]);
    writeFileSync(file, now);
    utimesSync(file, mtime, mtime);
  };
  const tag = execFileSync(
    python.python,
    ['-c', 'import sys; print(sys.implementation.cache_tag)'],
    { encoding: 'utf8' },
  ).trim();

  it('is dropped before a step, so that the bytes on disk run', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': 'def f(): return 1     # v1\n',
      'test_a.py': TEST,
    });
    stale(
      tree.path('pkg/mod.py'),
      tree.path(`pkg/__pycache__/mod.${tag}.pyc`),
      'def f(): return 2',
    );
    const run = await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
    expect(outcomes(run)).toEqual({ 'test_a.py::test_f': 'passed' });
    expect(run.loads[0]?.proof).toBe('compiled');
  });

  it('is seen for what it is where it could not be dropped', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': 'def f(): return 1     # v1\n',
      // Moves the cache to a folder that nothing outside of this process knows of.
      'conftest.py': 'import os, sys\nsys.pycache_prefix = os.path.abspath("hidden")\n',
      'test_a.py': TEST,
    });
    const folder = tree.path('hidden') + tree.path('pkg');
    stale(tree.path('pkg/mod.py'), path.join(folder, `mod.${tag}.pyc`), 'def f(): return 2');
    const lane = laneOver(tree, python);
    const run = await lane.run({ targets: ['pkg/mod.py'] });
    expect(outcomes(run)).toEqual({ 'test_a.py::test_f': 'failed' });
    expect(run.loads[0]).toMatchObject({ proof: 'cached', sha256: null, by: null });
    // The prefix was reported, so the next step can drop it.
    const next = await lane.run({ targets: ['pkg/mod.py'] });
    expect(outcomes(next)).toEqual({ 'test_a.py::test_f': 'passed' });
    expect(next.loads[0]?.proof).toBe('compiled');
  });

  it('takes back the proof where one child ran it beside a fresh import', async () => {
    const tree = project({
      ...PKG,
      'pkg/mod.py': 'def f(): return 1     # v1\n',
      'test_a.py': `${TEST}import os, subprocess, sys\ndef test_child(): subprocess.check_call([sys.executable, "-X", "pycache_prefix=" + os.path.abspath("hidden"), "-c", "import pkg.mod"])\n`,
    });
    stale(
      tree.path('pkg/mod.py'),
      path.join(tree.path('hidden') + tree.path('pkg'), `mod.${tag}.pyc`),
      'def f(): return 2',
    );
    const run = await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.loads[0]?.proof).toBe('cached');
  });
});

it('leaves no bytecode and no cache in the tree', async () => {
  const tree = project({ ...PKG, 'test_a.py': TEST });
  const before = path.join(tree.root, '..', 'before');
  cpSync(tree.root, before, { recursive: true });
  await laneOver(tree, python).run({ targets: ['pkg/mod.py'] });
  expect(() => execFileSync('diff', ['-r', before, tree.root])).not.toThrow();
});
