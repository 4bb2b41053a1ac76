import { describe, expect, test } from 'vitest';
import { classifyCommand } from '../../../src/lane/pytest/command.js';

describe('a command to which options may be appended', () => {
  test.each<[string, string | null, string | null]>([
    ['pytest', null, 'pytest'],
    ['py.test -q', null, 'py.test'],
    ['.venv/bin/pytest tests', null, '.venv/bin/pytest'],
    ['python -m pytest', 'python', null],
    ['/usr/bin/python3.12 -m pytest -x', '/usr/bin/python3.12', null],
    ['python -X dev -W error -m pytest', 'python -X dev -W error', null],
    ['python -Im pytest', 'python', null],
    ['python -mpytest', 'python', null],
    ['python .venv/bin/pytest', 'python', null],
    ['uv run pytest', 'uv run python', null],
    ['uv run -- pytest', 'uv run -- python', null],
    [
      'uv run --frozen --group test -p 3.12 pytest',
      'uv run --frozen --group test -p 3.12 python',
      null,
    ],
    ['uv --directory sub run python -m pytest', 'uv --directory sub run python', null],
    ['uv run -m pytest', 'uv run python', null],
    ['poetry run pytest', 'poetry run python', null],
    ['poetry -C sub run python -m pytest', 'poetry -C sub run python', null],
    ['pdm run pytest', 'pdm run python', null],
    ['pipenv run pytest', 'pipenv run python', null],
    [
      'conda run -n test --no-capture-output pytest',
      'conda run -n test --no-capture-output python',
      null,
    ],
    ['hatch run pytest', 'hatch run python', null],
    ['hatch run test:pytest', 'hatch run test:python', null],
    ['hatch -e test run python -m pytest', 'hatch -e test run python', null],
    ['coverage run -m pytest', null, 'coverage'],
    ['coverage run --branch --source src -m pytest', null, 'coverage'],
    ['python -m coverage run -m pytest', 'python', null],
    ['uv run coverage run -m pytest', 'uv run python', null],
    ['env A=1 -u B pytest', null, 'pytest'],
    ['env A=1 python -m pytest', 'env A=1 python', null],
    ['xvfb-run -a python3 -m pytest', 'xvfb-run -a python3', null],
  ])('%s', (command, python, script) => {
    expect(classifyCommand(command.split(' '))).toEqual({
      kind: 'pytest',
      python: python === null ? null : python.split(' '),
      script,
    });
  });
});

describe('a command behind which options travel in the environment', () => {
  test.each<[string, string]>([
    ['tox -e py312', 'tox'],
    ['python -m tox', 'tox'],
    ['uv run tox -p', 'tox'],
    ['nox -s tests', 'nox'],
    ['python3 -m nox', 'nox'],
    ['make test', 'make'],
    ['sh -c pytest', 'shell'],
    ['bash -c pytest', 'shell'],
    ['npm run test', 'node'],
    ['hatch run cov', 'hatch'],
    ['hatch run test:cov', 'hatch'],
    ['hatch test', 'hatch'],
    ['docker compose run app pytest', 'container'],
    ['./run-tests.sh', 'program'],
    ['python run_tests.py', 'program'],
    ['python -c pass -m pytest', 'program'],
    ['python -m unittest', 'program'],
    ['coverage run tests.py', 'program'],
    ['coverage report', 'program'],
    ['poetry run tests', 'program'],
    ['poetry install', 'program'],
    ['uv run', 'program'],
    ['pytest -- tests', 'ends-options'],
    ['python -m pytest -q -- tests', 'ends-options'],
    ['python bin/pytest -- tests', 'ends-options'],
  ])('%s', (command, via) => {
    expect(classifyCommand(command.split(' '))).toEqual({ kind: 'wrapper', via });
  });

  test('nothing at all', () => {
    expect(classifyCommand([])).toEqual({ kind: 'wrapper', via: 'program' });
  });
});
