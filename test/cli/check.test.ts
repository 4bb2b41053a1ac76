import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, MINUS, THRICE, specOf } from '../support/calc.js';
import { counterproof, createProject, eachOf, prove, verdicts } from '../support/project.js';

describe('check', () => {
  it('says that every edit applies and every test is there, and runs none', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'mutations/calc.yaml': specOf(MINUS + THRICE),
      // Would be seen: a test that ran, or a file that was imported.
      'conftest.py': `open(${JSON.stringify('/nonexistent/x')})\n`,
    });
    const before = project.snapshot();
    const { exitCode, stdout } = await counterproof(project, ['check']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 mutations checked: every edit applies, every named test is there.');
    expect(stdout).toMatch(/^not checked: whether the tests pass/m);
    expect(stdout).toMatch(/^not checked: .*--collect/m);
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain', '--ignored')).toBe('');
  });

  it('names what rotted: the anchor with the nearest place, the test with the nearest name', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'mutations/calc.yaml': specOf(
        `${MINUS}${THRICE}  - id: rotten
    file: calc.py
    patch: |
      @@
       def add(a, b):
      -    return a + c
      +    return a - c
    flips: ["test_calc.py::test_ad"]
    controls: ["test_gone.py"]
`,
      ),
    });
    const { exitCode, stdout } = await counterproof(project, ['check']);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('1 of 3 mutations would not run as written.');
    expect(stdout).toMatch(/^mutations\/calc\.yaml:\d+:\d+ {2}rotten: .*fits nowhere in calc\.py/m);
    expect(stdout).toContain('nearest is calc.py:2');
    expect(stdout).toContain('expected:     return a + c');
    expect(stdout).toContain('found:        return a + b');
    expect(stdout).toMatch(
      /rotten: test_calc\.py has no test_ad\n +nearest: test_calc\.py::test_add\n/,
    );
    expect(stdout).toMatch(/rotten: there is no file test_gone\.py/);
    expect(stdout).not.toMatch(/minus:|thrice:/);

    const [one, quiet, all] = await eachOf(project, [
      ['check', 'mutations/calc.yaml::minus'],
      ['check', '-q'],
      ['check', '-v'],
    ]);
    expect(one?.exitCode).toBe(0);
    expect(quiet?.stdout).toMatch(/^mutations\/calc\.yaml:\d+:\d+ {2}rotten: .*fits nowhere/m);
    expect(quiet?.stdout).not.toMatch(/^ |nearest is/m);
    // What was not checked is said always.
    expect(quiet?.stdout).toMatch(/^not checked: whether/m);
    expect(all?.stdout).toMatch(/^mutations\/calc\.yaml:4:9 {2}minus: applies$/m);
    expect(all?.stdout).not.toContain('rotten: applies');
  });

  it('finds a word, a folder and a pattern that name no test in the files', async () => {
    const named = (id: string, flips: string): string =>
      `  - id: ${id}\n    file: calc.py\n    delete: true\n    flips: ["${flips}"]\n`;
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'mutations/calc.yaml': specOf(
        named('word', 'nonsense') +
          named('glob', '*.py::test_zz') +
          named('files', 'tests/*') +
          named('fits', '*_calc.py::test_a*'),
      ),
    });
    const { exitCode, stdout } = await counterproof(project, ['check']);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('3 of 4 mutations would not run as written.');
    expect(stdout).toMatch(/word: there is no file or folder nonsense$/m);
    expect(stdout).toMatch(/glob: no test fits \*\.py::test_zz$/m);
    expect(stdout).not.toContain('fits: ');
  });

  it('asks the real collection with --collect, parameters and selection included', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml':
        'version: 1\nlanes: { unit: { runner: pytest, args: ["--deselect=test_calc.py::test_double"] } }\n',
      'test_rows.py':
        'import pytest\nfrom calc import add\n\n\n@pytest.mark.parametrize("n", [1, 2])\ndef test_row(n):\n    assert add(n, 0) == n\n',
      'mutations/calc.yaml': specOf(
        `${MINUS}${THRICE}${MINUS.replace('minus', 'row').replace('test_calc.py::test_add', 'test_rows.py::test_row[3]')}`,
      ),
    });
    const text = await counterproof(project, ['check']);
    expect(text.exitCode).toBe(0);
    const { exitCode, stdout } = await counterproof(project, ['check', '--collect']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/thrice: the lane leaves test_calc\.py::test_double out/);
    expect(stdout).toMatch(/row: the lane collects no test_rows\.py::test_row\[3\]/);
    expect(stdout).toMatch(/nearest: test_rows\.py::test_row\[[12]\]/);
    expect(stdout).not.toMatch(/minus:/);
    expect(stdout).not.toContain('--collect');
  });
});

describe('init', () => {
  it('writes a first project, whose example names what is there, so that check and run take it', async () => {
    const project = createProject({ ...CALC });
    const { exitCode, stdout } = await counterproof(project, ['init']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'wrote counterproof.yaml\nwrote mutations/example.yaml\n' +
        'next: `counterproof run` shows whether the test of the example notices\n',
    );
    expect((await counterproof(project, ['check'])).exitCode).toBe(0);
    const run = await prove(project);
    expect(verdicts(run)).toEqual({ example: 'pinned', alive: 'pinned' });
    expect(run.proof('example')).toMatchObject({
      edits: [{ path: 'calc.py', line: 2 }],
      flips: { expected: [{ test: 'test_calc.py::test_add' }] },
    });
  });

  it('writes an example under a name that is no spec where nothing fits it, and says why', async () => {
    const project = createProject({ 'calc.py': CALC['calc.py'] });
    const { stdout } = await counterproof(project, ['init']);
    expect(stdout).toContain('wrote mutations/example.yaml.txt\n');
    expect(project.read('mutations/example.yaml.txt').toString()).toMatch(
      /^# Names nothing of this project, and is not run: no test was found that names a function/,
    );
    const run = await counterproof(project, ['run']);
    expect(run).toMatchObject({ exitCode: 5, stdout: '' });
    expect(run.stderr).toMatch(
      /^Nothing to prove: there is no mutation under .*\nmutations\/example\.yaml\.txt is no spec yet: put your own file, text and tests in, and take `\.txt` off the name\.$/m,
    );
  });

  it('writes the example alone where there is a configuration, for a lane of it', async () => {
    const config = 'version: 1\nlanes: { mine: { runner: pytest } }\n';
    const project = createProject({ ...CALC, 'counterproof.yaml': config });
    const { exitCode, stdout } = await counterproof(project, ['init']);
    expect(stdout).toBe(
      'counterproof.yaml is there already and stays as it is\nwrote mutations/example.yaml\n' +
        'next: `counterproof run` shows whether the test of the example notices\n',
    );
    expect(exitCode).toBe(0);
    expect(project.read('counterproof.yaml').toString()).toBe(config);
    expect((await counterproof(project, ['check'])).exitCode).toBe(0);
    const again = await counterproof(project, ['init']);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain(
      'There is a configuration already: counterproof.yaml, and specs',
    );
  });

  it('says that there is no example where no lane is of pytest or cargo', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml':
        'version: 1\nlanes: { web: { runner: junit, command: [sh, t.sh], report: "{report}" } }\n',
    });
    const { exitCode, stdout, stderr } = await counterproof(project, ['init']);
    expect(stderr).toContain('An example is written for lanes of pytest and cargo alone');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('writes over nothing', async () => {
    const project = createProject({ ...CALC, 'mutations/example.yaml': 'mine\n' });
    const { exitCode, stderr } = await counterproof(project, ['init']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Already there, nothing was written: mutations/example.yaml');
    writeFileSync(join(project.folder, 'counterproof.yaml'), 'version: 1\nlanes: {}\n');
    const again = await counterproof(project, ['init']);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('There is a configuration already: counterproof.yaml');
  });
});
