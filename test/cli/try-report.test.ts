import { expect, it } from 'vitest';
import { CALC, CONFIG } from '../support/calc.js';
import { counterproof, createProject, eachOf } from '../support/project.js';

it('a mutant whose own text fails by a name is pinned, and the report says that this is all', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const typo = ['try', 'calc.py:2', '--replace', 'a + b', '--with', 'fo'];
  const { exitCode, stdout } = await counterproof(project, typo);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(/^✓ PINNED {2}1 test notices/m);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    "facts By a name alone: the test fails because the edit's own text names `fo`, which does not exist; it would fail whatever the line did.",
  );
});

it('test code is said to be some, with what to name instead', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const said = 'this is test code: a flip shows that the test runs this line,';
  const [test, source] = [
    await counterproof(project, ['try', 'test_calc.py:5', '--raise']),
    await counterproof(project, ['try', 'calc.py:2']),
  ];
  expect(test.stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  expect(source.stdout.replaceAll(/\s+/g, ' ')).not.toContain('test code');
});

it('-q prints the verdict, also of what the tests notice', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const { exitCode, stdout } = await counterproof(project, ['try', 'calc.py:2', '-q']);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(/^✓ PINNED {2}1 test notices, 1 other did not move\.$/m);
  expect(stdout).not.toContain('test_calc.py::test_add');
});

it('a text that does not stand there is named as it was typed', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const typed = (place: string, find: string) => ['try', place, '--replace', find, '--with', 'a'];
  const [nowhere, often, empty] = await eachOf(project, [
    typed('calc.py:2', 'a ** b'),
    typed('calc.py', 'return'),
    typed('calc.py:2', ''),
  ]);
  expect(nowhere?.stdout).toMatch(/NOT-APPLIED {2}--replace "a \*\* b" fits nowhere in calc\.py\./);
  expect(often?.stdout).toMatch(/--replace "return" fits 3 times in calc\.py, not once\./);
  expect(often?.stdout).toMatch(/^next {6}name the line, FILE:LINE, or give --replace more/m);
  expect(empty?.stdout).toContain('--replace is empty');
});

it('a commit that is laid out is run by the interpreter of the project, and the report says how that was found', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  project.write({ 'calc.py': CALC['calc.py'].replace('a + b', 'a - b') });
  const { stdout } = await counterproof(project, ['try']);
  expect(stdout).toMatch(/^lane .*from VIRTUAL_ENV/m);
  expect(stdout).not.toContain('--python');
});

it('--save keeps the tests that noticed, and a reason to be completed', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const { exitCode } = await counterproof(project, [
    'try',
    'calc.py:2',
    '--save',
    'mutations/calc.yaml',
  ]);
  expect(exitCode).toBe(0);
  const kept = project.read('mutations/calc.yaml').toString();
  expect(kept).toContain('test_calc.py::test_add');
  expect(kept).toContain('To be completed: ');
  expect(kept).not.toContain('any');
});

it('doctor -q names only what is in the way, and the options of a command come before those of all', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const [doctor, ...helps] = await eachOf(project, [
    ['doctor', '-q'],
    ['try', '--help'],
    ['prove', '--help'],
  ]);
  expect(doctor?.stdout).not.toMatch(/^(ok|-) /m);
  for (const [index, own] of ['--replace', '--full'].entries()) {
    const help = helps[index]?.stdout ?? '';
    expect(help.indexOf(own)).toBeGreaterThan(0);
    expect(help.indexOf(own)).toBeLessThan(help.indexOf('--jobs'));
    expect(help.indexOf('--jobs')).toBeLessThan(help.indexOf('--quiet'));
  }
});
