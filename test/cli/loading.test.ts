import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const ONE = 'def f():\n    return 1\n';

it('a test that only compiles the sources proves nothing, whether a copy is imported or not', async () => {
  const project = createProject({
    'src/pkg/__init__.py': '',
    'src/pkg/used.py': ONE,
    'src/pkg/unused.py': ONE,
    'test_sources.py': `import ast, py_compile
import pytest
from pkg.used import f


@pytest.mark.parametrize("name", ["used", "unused"])
def test_compiles(name, tmp_path):
    path = "src/pkg/%s.py" % name
    source = open(path).read()
    ast.parse(source, path)
    compile(source, path, "exec")
    py_compile.compile(path, str(tmp_path / "x.pyc"), doraise=True)


def test_f():
    assert f() == 1
`,
    ...spec([
      swap('copy-is-used', 'src/pkg/used.py', ['return 1', 'return 2'], {
        flips: 'test_sources.py::test_f',
      }),
      swap('nobody-imports', 'src/pkg/unused.py', ['return 1', 'return 2'], {
        flips: 'test_sources.py::test_f',
      }),
    ]),
  });
  const copy = join(project.state, 'lib/python3/site-packages/pkg');
  mkdirSync(copy, { recursive: true });
  for (const name of ['__init__', 'used', 'unused'])
    writeFileSync(join(copy, `${name}.py`), name === '__init__' ? '' : ONE);
  project.write(config({ env: { PYTHONPATH: join(copy, '..') } }));
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ 'copy-is-used': 'not-loaded', 'nobody-imports': 'not-loaded' });
  expect(run.exitCode).toBe(3);
  expect([run.proof('copy-is-used').reason, ...run.proof('copy-is-used').facts].join()).toContain(
    join(copy, 'used.py'),
  );
  expect(run.proof('nobody-imports').loaded.proof).toBe('none');
  expect(run.record.summary.graded).toBe(0);
  expect(project.snapshot()).toEqual(before);
});

describe('code and data that the test process itself never imports', () => {
  it('is proven through the child process that ran it, or by an effect that repeats', async () => {
    const project = createProject({
      'app/__init__.py': '',
      'app/__main__.py': 'from app.core import word\nprint("app", word())\n',
      'app/core.py': 'def word():\n    return "core"\n',
      'script.py': 'print("script")\n',
      'jobs.py': 'import sys\n\n\ndef code():\n    return 0\n\n\nsys.exit(code())\n',
      'greeting.txt': 'hello\n',
      'notes.txt': 'draft\n',
      'test_app.py': `import multiprocessing, runpy, subprocess, sys
import pytest


def run(*args):
    return subprocess.run([sys.executable, *args], stdout=subprocess.PIPE, check=True, text=True).stdout


def test_module():
    assert run("-m", "app") == "app core\\n"


def test_script():
    assert run("script.py") == "script\\n"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_jobs(method):
    job = multiprocessing.get_context(method).Process(target=runpy.run_module, args=("jobs",))
    job.start()
    job.join()
    assert job.exitcode == 0


def test_greeting():
    assert open("greeting.txt").read() == "hello\\n"


def test_shout():
    assert open("greeting.txt").read().upper() == "HELLO\\n"
`,
      ...config(),
      ...spec([
        swap('core', 'app/core.py', ['"core"', '"c0re"'], { flips: 'test_app.py::test_module' }),
        swap('main', 'app/__main__.py', ['"app"', '"App"'], { flips: 'test_app.py::test_module' }),
        swap('script', 'script.py', ['script', 'scr1pt'], { flips: 'test_app.py::test_script' }),
        swap('jobs', 'jobs.py', ['return 0', 'return 3'], { flips: 'test_app.py::test_jobs' }),
        swap('data', 'greeting.txt', ['hello', 'h3llo'], {
          flips: ['test_app.py::test_greeting', 'test_app.py::test_shout'],
        }),
        swap('data-unread', 'notes.txt', ['draft', 'dr4ft'], {
          flips: 'test_app.py::test_greeting',
        }),
        swap('data-unnoticed', 'greeting.txt', ['hello', 'HELLO'], {
          flips: 'test_app.py::test_shout',
        }),
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      core: 'pinned',
      main: 'pinned',
      script: 'pinned',
      jobs: 'pinned',
      data: 'pinned',
      'data-unread': 'not-loaded',
      'data-unnoticed': 'caught-elsewhere',
    });
    expect(run.exitCode).toBe(1);
    const child = { proof: 'compiled', from: 'child process' };
    for (const id of ['core', 'main', 'script', 'jobs'])
      expect([id, run.proof(id).loaded]).toEqual([id, child]);
    expect(run.proof('jobs').flips.expected).toHaveLength(2);
    expect(run.proof('data').loaded.proof).toBe('by-effect');
    expect(stepsOf(run.proof('data')).filter((step) => step === 'mutated')).toHaveLength(2);
    expect(stepsOf(run.proof('data-unread'))).not.toContain('reach');
    expect(project.snapshot()).toEqual(before);
  });
});

const stepsOf = ({ steps }: { readonly steps: readonly { readonly step: string }[] }) =>
  steps.map(({ step }) => step);
