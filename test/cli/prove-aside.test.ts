import { expect, it } from 'vitest';
import { answerOf, changesTold, createFix } from '../support/fixes.js';
import { counterproof, prove } from '../support/project.js';

const APP = (version: string, sum: string): string =>
  `__version__ = "${version}"\n\n\ndef add(a, b):\n    return ${sum}\n`;
const TEST = 'from app import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n';
const SCRIPT = '.github/scripts/label.py';

const before = { 'src/app/__init__.py': APP('1.2.3', 'a - b'), [SCRIPT]: 'print("old")\n' };

it('a version number and a script of CI are shown, and do not spoil the answer', async () => {
  const project = createFix(before, {
    'src/app/__init__.py': APP('1.2.4', 'a + b'),
    [SCRIPT]: 'print("new")\n',
    'tests/test_app.py': TEST,
  });
  const run = await prove(project, ['prove']);
  expect(changesTold(run)).toEqual([
    `1 ${SCRIPT}:1 aside`,
    '2 src/app/__init__.py:1 aside',
    '3 src/app/__init__.py:5 held by test_add',
  ]);
  expect(answerOf(run)).toMatchObject({
    overall: 'held',
    reason:
      'The tests hold hunk 3. There is no evidence about hunk 1, a script of CI. Hunk 2 is a version number that no test notices.',
  });
  expect(run.exitCode).toBe(0);

  const { stdout } = await counterproof(project, ['prove']);
  expect(stdout).toMatch(/^~ 2 {2}src\/app\/__init__\.py:1 .* none fails .*did not move/m);
  expect(stdout).toMatch(/^~ 1 {2}\S*label\.py:1 .* no evidence/m);
  expect(stdout).toMatch(/^hunk 2 {4}a version number that no test notices$/m);
});

it('a version number that a test reads is held, and one alone is nothing to prove', async () => {
  const reads = 'import app\n\n\ndef test_version():\n    assert app.__version__ == "1.2.4"\n';
  const held = await prove(
    createFix(before, {
      'src/app/__init__.py': APP('1.2.4', 'a - b'),
      'tests/test_version.py': reads,
    }),
    ['prove'],
  );
  expect(changesTold(held)).toEqual(['1 src/app/__init__.py:1 held by test_version']);
  expect(held.exitCode).toBe(0);

  const alone = await prove(
    createFix(
      { ...before, 'tests/test_app.py': TEST.replace('== 5', '== -1') },
      { 'src/app/__init__.py': APP('1.2.4', 'a - b') },
    ),
    ['prove'],
  );
  expect(changesTold(alone)).toEqual(['1 src/app/__init__.py:1 aside']);
  expect(answerOf(alone).overall).toBe('nothing-to-prove');
  expect(alone.exitCode).toBe(5);
});
