import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pytestConfigFile } from '../../../src/lane/pytest/detect/ini.js';
import { wrapperEnvironment } from '../../../src/lane/pytest/wrapper-environment.js';
import { temporaryFolder } from '../process/support.js';

function tree(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

test.each<[string, Record<string, string>, string[], string[], string | null]>([
  ['an empty pytest.ini counts', { 'pytest.ini': '' }, [], [], 'pytest.ini'],
  ['a tox.ini without the section does not', { 'tox.ini': '[tox]\n' }, [], [], null],
  ['setup.cfg has a section name of its own', { 'setup.cfg': '[pytest]\n' }, [], [], null],
  ['setup.cfg', { 'setup.cfg': '[tool:pytest]\r\n' }, [], [], 'setup.cfg'],
  [
    'pyproject with the table',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
    [],
    [],
    'pyproject.toml',
  ],
  ['pyproject without it', { 'pyproject.toml': '[tool.ruff]\n' }, [], [], null],
  ['a broken pyproject', { 'pyproject.toml': '[tool', 'tox.ini': '[pytest]' }, [], [], 'tox.ini'],
  [
    'the nearest to the arguments',
    { 'pytest.ini': '', 'a/pytest.ini': '', 'a/t/x.py': '' },
    ['a/t/x.py::test'],
    [],
    'a/pytest.ini',
  ],
  [
    'the common ancestor of several',
    { 'pytest.ini': '', 'a/pytest.ini': '', 'a/t/x': '', 'b/x': '' },
    ['a/t', 'b'],
    [],
    'pytest.ini',
  ],
  ['-c wins', { 'pytest.ini': '', 'other.ini': '' }, [], ['-c', 'other.ini'], 'other.ini'],
])('%s', (_name, files, paths, args, expected) => {
  const root = tree(files);
  const found = pytestConfigFile(root, paths, args);
  expect(found === null ? null : path.relative(root, found)).toBe(expected);
});

test('tox lets variables through in every section that hides them', () => {
  const root = tree({
    'tox.ini': '[tox]\n[testenv]\n[testenv:lint]\npass_env = A\n',
    'pyproject.toml': '[tool.tox.env.docs]\n[tool.tox.env."3.12"]\n',
  });
  const names = ['COUNTERPROOF_*', 'PYTEST_ADDOPTS'];
  expect(wrapperEnvironment('tox', names, root, { TOX_OVERRIDE: 'testenv.x=1' })).toEqual({
    TOX_OVERRIDE: [
      'testenv.x=1',
      ...['testenv', 'env_run_base', 'testenv:lint', 'env.docs', 'env.3.12'].map(
        (name) => `${name}.pass_env+=COUNTERPROOF_*,PYTEST_ADDOPTS`,
      ),
    ].join(';'),
    TOX_TESTENV_PASSENV: 'COUNTERPROOF_* PYTEST_ADDOPTS',
  });
  expect(wrapperEnvironment('nox', names, root, {})).toEqual({});
});
