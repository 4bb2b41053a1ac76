import { existsSync, readFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

it("a lane's env, cwd, args, prepare and build hold in every step", async () => {
  const project = createProject({
    'service/pytest.ini': '[pytest]\n',
    'service/grammar.txt': 'one\n',
    'service/calc.py': 'import os\n\n\ndef f():\n    return os.environ["FACTOR"] + "1"\n',
    'service/conftest.py':
      'def pytest_addoption(parser):\n    parser.addoption("--level", default="low")\n',
    'service/tests/test_calc.py': `import os
from calc import f


def test_f():
    assert f() == "21"


def test_settings(request):
    assert request.config.getoption("level") == "high"
    assert os.path.basename(os.getcwd()) == "service"
    assert os.path.exists(os.path.join(os.environ["OUT"], "prepared"))


def test_built():
    assert open(os.path.join(os.environ["OUT"], "built")).read() == "ONE\\n"
`,
    'service/tests/test_not_in_paths.py': 'def test_never():\n    assert False\n',
    ...spec([
      swap('factor', 'service/calc.py', ['"1"', '"3"'], {
        flips: 'service/tests/test_calc.py::test_f',
        controls: ['service/tests/test_calc.py::test_settings'],
      }),
      swap('source-of-build', 'service/grammar.txt', ['one', 'two'], {
        flips: 'service/tests/test_calc.py::test_built',
      }),
      swap('no-build', 'service/grammar.txt', ['one', 'fatal'], {
        flips: 'service/tests/test_calc.py::test_built',
      }),
      swap('after', 'service/grammar.txt', ['one', 'six'], {
        flips: 'service/tests/test_calc.py::test_built',
      }),
    ]),
  });
  const out = join(project.state, 'out');
  mkdirSync(out, { recursive: true });
  project.write(
    config({
      env: { FACTOR: '2', OUT: out },
      cwd: 'service',
      args: ['--level', 'high'],
      paths: 'tests/test_calc.py',
      prepare: 'echo once >> "$OUT/prepared"; tr a-z A-Z < grammar.txt > "$OUT/built"',
      build: [
        'sh',
        '-c',
        'if grep -q fatal grammar.txt; then echo "grammar.txt:1: fatal error" >&2; exit 7; fi; tr a-z A-Z < grammar.txt > "$OUT/built"',
      ],
    }),
  );
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({
    factor: 'pinned',
    'source-of-build': 'pinned',
    'no-build': 'broken',
    after: 'pinned',
  });
  expect(run.exitCode).toBe(3);
  expect(run.record.lanes[0]).toMatchObject({ collected: 3, selected: 3 });
  expect(run.proof('source-of-build').loaded.proof).toBe('by-effect');
  const { reason, facts, flips } = run.proof('no-build');
  expect([reason, ...facts].join('\n')).toContain('grammar.txt:1: fatal error');
  expect(flips.expected).toEqual([]);
  expect(readFileSync(join(out, 'prepared'), 'utf8')).toBe('once\n');
  expect(readFileSync(join(out, 'built'), 'utf8')).toBe('ONE\n');
  expect(project.snapshot()).toEqual(before);
});

it.each([
  { name: 'prepare', lane: { prepare: 'echo no database >&2; exit 3' } },
  { name: 'command', lane: { command: ['no-such-runner'] } },
])('a lane whose $name fails is no evidence, and nothing is mutated', async ({ lane }) => {
  const project = createProject({
    'calc.py': 'def f():\n    return 1\n',
    'test_calc.py': 'from calc import f\n\n\ndef test_f():\n    assert f() == 1\n',
    ...config(lane),
    ...spec([swap('two', 'calc.py', ['return 1', 'return 2'], { flips: 'test_calc.py' })]),
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ two: 'incomplete' });
  expect(run.exitCode).toBe(3);
  expect([run.proof('two').reason, ...run.proof('two').facts].join('\n')).toMatch(
    /no database|no-such-runner/,
  );
  expect(run.proof('two').files).toEqual([]);
  expect(project.snapshot()).toEqual(before);
  expect(existsSync(join(project.folder, '.counterproof', 'journal', 'journal.json'))).toBe(false);
});
