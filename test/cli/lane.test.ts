import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { configJsonSchema, jsonSchemaText, specJsonSchema } from '../../src/spec/json-schema.js';
import { CALC, CONFIG } from '../support/calc.js';
import { cliEnvironment, counterproof, createProject, eachOf } from '../support/project.js';
import { venv } from '../support/venvs.js';

const MARKED = `import pytest


@pytest.mark.slow
@pytest.mark.parametrize("n", range(5))
def test_slow(n):
    pass


class TestFast:
    def test_one(self):
        pass

    def test_two(self):
        pass
`;

describe('lane --changed', () => {
  it('names the lanes of each new and changed test of a range, and those in none', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml':
        'version: 1\nlanes:\n  fast: { runner: pytest, select: not slow, paths: [tests] }\n',
      'pytest.ini': '[pytest]\nmarkers = slow\n',
      'tests/test_old.py': 'def test_old():\n    pass\n',
    });
    project.write({
      'tests/test_marked.py': MARKED,
      'tests/test_old.py': 'def test_old():\n    assert True\n',
      'tests/conftest.py': 'x = 1\n',
      'test_away.py': 'def test_away():\n    pass\n',
    });
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'more tests');
    const before = project.snapshot();

    const { stdout, exitCode } = await counterproof(project, ['lane', '--changed', 'HEAD']);
    expect(stdout.split('\n')).toEqual([
      'changed  HEAD, 1 commit "more tests"',
      '  new      test_away.py::test_away                   in no lane',
      '             fast: does not collect it',
      '  new      tests/test_marked.py::test_slow           in no lane',
      '             fast: deselects it (not slow)',
      '  new      tests/test_marked.py::TestFast::test_one  fast',
      '  new      tests/test_marked.py::TestFast::test_two  fast',
      '  changed  tests/test_old.py::test_old               fast',
      '2 of 5 new and changed tests are in no lane.',
      'Test code in which no test is known by its name: tests/conftest.py',
      '',
    ]);
    expect(exitCode).toBe(1);
    expect(project.snapshot()).toEqual(before);

    const [all, none, unknown] = await eachOf(project, [
      ['lane', '--changed', 'HEAD~1..HEAD', 'nolane'],
      ['lane', '--changed', 'HEAD..HEAD'],
      ['lane', '--changed', 'nope'],
    ]);
    expect(all).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no lane nolane') as string,
    });
    expect(none).toMatchObject({ exitCode: 5, stdout: '' });
    expect(none?.stderr).toContain('Try: counterproof lane --changed HEAD\n');
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('lane', () => {
  it('counts what pytest itself counts, for each lane and file', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml':
        'version: 1\nlanes:\n  fast: { runner: pytest, select: not slow }\n  slow: { runner: pytest, select: slow, paths: [test_marked.py] }\n',
      'pytest.ini': '[pytest]\nmarkers = slow\n',
      'test_marked.py': MARKED,
    });
    const before = project.snapshot();
    const { exitCode, stdout } = await counterproof(project, ['lane']);
    expect(exitCode).toBe(0);
    const [fast = '', slow = ''] = stdout.split(/^(?=lane )/m);
    expect(fast).toMatch(/^lane fast\n/);
    expect(fast).toMatch(/collected +9\n +selected +4\n +deselected +5\n/);
    expect(fast).toMatch(/test_marked\.py +2 of 7\n/);
    expect(fast).toMatch(/test_calc\.py +2 of 2\n/);
    expect(slow).toMatch(/collected +7\n +selected +5\n +deselected +2\n/);

    const { python } = await venv('default');
    const env = await cliEnvironment(project, { PYTHONDONTWRITEBYTECODE: '1' });
    const own = await promisify(execFile)(
      python,
      ['-m', 'pytest', '-p', 'no:cacheprovider', '--collect-only', '-q', '-m', 'not slow'],
      { cwd: project.folder, env },
    );
    expect(own.stdout).toMatch(/^4\/9 tests collected \(5 deselected\)/m);
    expect(project.snapshot()).toEqual(before);

    const one = await counterproof(project, ['lane', 'slow', '-v']);
    expect(one.stdout).not.toContain('lane fast');
    expect(one.stdout).toContain('  + test_marked.py::test_slow[0]\n');
    expect(one.stdout).toContain('  - test_marked.py::TestFast::test_one\n');
  });

  it('says why it has nothing to count, and ends with 3', async () => {
    const project = createProject({
      'counterproof.yaml':
        'version: 1\nlanes: { empty: { runner: pytest, select: nothing }, gone: { runner: pytest, command: [no-such-program] } }\n',
      ...CALC,
    });
    const { exitCode, stdout } = await counterproof(project, ['lane']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/lane empty[^]*deselected +2/);
    expect(stdout).toMatch(/lane gone[^]*no-such-program/);
  });
});

it.each([
  [['lane'], /Cargo\.lock, which was not there before/],
  [['check', '--collect'], /./],
  [['doctor'], /cargo/],
  [['run', '--isolation', 'in-place'], /pinned/],
  [['try', 'src/lib.rs:2', '--raise', '--isolation', 'in-place'], /PINNED/],
])('`%j` leaves no lock file in a crate that had none', async (args, said) => {
  const project = createProject({
    'Cargo.toml': '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs':
      'pub fn two() -> u32 {\n    return 1 + 1;\n}\n\n#[test]\nfn is_two() {\n    assert_eq!(two(), 2);\n}\n',
    'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: cargo } }\n',
    'mutations/two.yaml': `version: 1
lane: unit
mutations:
  - id: three
    file: src/lib.rs
    replace: { find: "1 + 1", with: "1 + 2" }
    flips: ["small is_two"]
`,
  });
  const before = project.snapshot();

  const { stdout, stderr } = await counterproof(project, args);

  expect(stdout + stderr).toMatch(said);
  expect(project.snapshot()).toEqual(before);
});

describe('schema', () => {
  it('prints each JSON Schema, the one of specs unless told otherwise', async () => {
    const project = createProject({});
    const results = await eachOf(project, [['schema'], ['schema', 'spec'], ['schema', 'config']]);
    const [spec, config] = [specJsonSchema(), configJsonSchema()].map(jsonSchemaText);
    expect(results.map(({ stdout }) => stdout)).toEqual([spec, spec, config]);
    expect(results[0]).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('doctor and recover', () => {
  it('say what works here, and that there is nothing to put back', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const before = project.snapshot();
    const { exitCode, stdout } = await counterproof(project, ['doctor']);
    expect([0, 3]).toContain(exitCode);
    expect(stdout).toMatch(/^ok .*[Pp]ython/m);
    expect(stdout).toMatch(/pytest/);
    expect(exitCode === 3).toBe(/^! /m.test(stdout));
    const recover = await counterproof(project, ['recover']);
    expect(recover.exitCode).toBe(0);
    expect(recover.stdout).toContain('Nothing to put back');
    expect(project.snapshot()).toEqual(before);
  });
});
