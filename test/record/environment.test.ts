import { expect, test } from 'vitest';
import { environmentFacts, variablesOf } from '../../src/record/environment.js';

test('variables that change what tests do are named; only harmless values are shown', () => {
  expect(
    variablesOf({
      HOME: '/home/ann',
      AWS_SECRET_ACCESS_KEY: 'secret',
      PYTEST_ADDOPTS: '--token=secret',
      PYTHONPATH: '/home/ann/lib',
      PYTHONHASHSEED: '0',
      LANG: 'en_GB.UTF-8',
      TZ: 'Europe/Berlin',
      CI: 'true',
      LC_ALL: '',
    }),
  ).toEqual({
    CI: 'true',
    LANG: 'en_GB.UTF-8',
    LC_ALL: '(empty)',
    PYTEST_ADDOPTS: '(set)',
    PYTHONHASHSEED: '0',
    PYTHONPATH: '(set)',
    TZ: 'Europe/Berlin',
  });
});

test('a harmless variable with an odd value is only said to be set', () => {
  expect(variablesOf({ CI: 'token with spaces' })).toEqual({ CI: '(set)' });
  expect(variablesOf({ CI: 'x'.repeat(41) })).toEqual({ CI: '(set)' });
});

test('the machine is said in plain words', () => {
  const machine = {
    type: 'Linux',
    release: '6.1.0',
    arch: 'x64',
    cpus: 2,
    node: '20.19.0',
    env: {},
  };
  expect(environmentFacts(machine)).toEqual({
    os: 'Linux 6.1.0',
    arch: 'x64',
    cpus: 2,
    node: '20.19.0',
    variables: {},
  });
});
