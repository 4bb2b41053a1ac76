import { expect, it } from 'vitest';
import { answerOf, changesTold, createFix } from '../support/fixes.js';
import { prove } from '../support/project.js';

const APP = (helper: string, value: string, other: string): string => `${helper}LIMIT = 3


def load(x):
    try:
        return ${value}
    except Exception:
        return None


def other(a):
    return ${other}
`;

const before = { 'src/app.py': APP('', 'x', 'a') };
const fix = { 'src/app.py': APP('def fresh(x):\n    return x * 2\n\n\n', 'fresh(x)', 'abs(a)') };
const TESTS = (load: string): string =>
  `from app import load, other


def test_load():
    assert load(1) ${load}


def test_other():
    assert other(-1) == 1
`;

it('a function whose absence the code swallows is not held by what fails for its absence alone', async () => {
  const project = createFix(before, { ...fix, 'tests/test_app.py': TESTS('is not None') });
  const run = await prove(project, ['prove']);
  expect(changesTold(run)).toEqual([
    '1 src/app.py:1 together with 2',
    '2 src/app.py:10 unheld',
    '3 src/app.py:16 held by test_other',
  ]);
  expect(answerOf(run).overall).toBe('partly-held');
  expect(answerOf(run).changes[0]?.names).toEqual(['fresh']);
  expect(run.exitCode).toBe(1);
});

it('it is held with what uses it, where tests notice both gone in another way', async () => {
  const project = createFix(before, { ...fix, 'tests/test_app.py': TESTS('== 2') });
  const run = await prove(project, ['prove']);
  expect(changesTold(run)).toEqual([
    '1 src/app.py:1 held with 2 by test_load',
    '2 src/app.py:10 held by test_load',
    '3 src/app.py:16 held by test_other',
  ]);
  expect(run.exitCode).toBe(0);
});

it('it is held alone by a test that fails in the same way while its users are gone too', async () => {
  const first = (limit: number): string => `FIRST = ${limit}\n`;
  const project = createFix(
    { 'src/app.py': first(1) + APP('', 'x', 'a') },
    {
      // The function stands right below the line that the test is about, so that both are one hunk.
      'src/app.py': first(2) + APP('def fresh(x):\n    return x * 2\n\n\n', 'fresh(x)', 'abs(a)'),
      'tests/test_app.py': `${TESTS('is not None')}\n\ndef test_first():\n    from app import FIRST\n\n    assert FIRST == 2\n`,
    },
  );
  const run = await prove(project, ['prove']);
  expect(changesTold(run)[0]).toBe('1 src/app.py:1 held by test_first');
});
