import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { quoteForShlex } from '../../src/lane/pytest/arguments.js';
import { stepEnvironment } from '../../src/lane/pytest/environment.js';
import { moduleNames } from '../../src/lane/pytest/plan.js';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project, type Project } from './pytest-harness.js';

const python = await venv('default');

const FILES = {
  'pytest.ini': '[pytest]\nmarkers = fast\n',
  'tests/test_a.py':
    'import pytest\n@pytest.mark.fast\ndef test_fast(): pass\ndef test_slow(): pass\n',
};

const wrapped = (script: string): Project => {
  const tree = project({ ...FILES, run: `#!/bin/sh\n${script}\n` });
  chmodSync(tree.path('run'), 0o755);
  return tree;
};

it('reaches pytest behind a wrapper through its environment, after what the user has there', async () => {
  const tree = wrapped(`"${python.python}" -m pytest -x tests\necho "$PASSED" > passed`);
  const lane = laneOver(tree, python, {
    command: ['./run'],
    kind: 'wrapper',
    lane: { select: 'fast' },
    env: { PYTEST_ADDOPTS: '-k "fast or slow"' },
  });
  const run = await lane.run();
  expect(run.ending, lane.log()).toEqual({ kind: 'complete' });
  expect(outcomes(run)).toEqual({ 'tests/test_a.py::test_fast': 'passed' });
  expect(tree.read('passed').split(/\s/)).toEqual(
    expect.arrayContaining(['COUNTERPROOF_DIR', 'PYTHONPATH', 'PYTEST_ADDOPTS']),
  );
});

it('refuses a wrapper whose own marker expression replaces the one of the lane', async () => {
  const tree = wrapped(`"${python.python}" -m pytest -m "not fast" tests`);
  const run = await laneOver(tree, python, {
    command: ['./run'],
    kind: 'wrapper',
    lane: { select: 'fast' },
  }).run();
  expect(run.ending).toMatchObject({
    kind: 'broken',
    causes: [{ message: expect.stringContaining('-m "not fast" is in force') }],
  });
});

it('takes the sessions of a wrapper together: the worst outcome counts, and both must finish', async () => {
  const tree = wrapped(
    `"${python.python}" -m pytest tests/test_a.py\nFAIL=1 "${python.python}" -m pytest tests/test_a.py`,
  );
  tree.write(
    'tests/test_a.py',
    'import os\ndef test_a(): assert "FAIL" not in os.environ\ndef test_b(): pass\n',
  );
  const run = await laneOver(tree, python, { command: ['./run'], kind: 'wrapper' }).run();
  expect(run.ending).toEqual({ kind: 'complete' });
  expect(outcomes(run)).toEqual({
    'tests/test_a.py::test_a': 'failed',
    'tests/test_a.py::test_b': 'passed',
  });
  expect(run.notes).toEqual([
    'the command started 2 pytest sessions: their outcomes are taken together',
  ]);
});

it('has no channel where a wrapper never starts pytest', async () => {
  const run = await laneOver(wrapped('echo "no rule to make target" >&2; exit 2'), python, {
    command: ['./run'],
    kind: 'wrapper',
  }).run();
  expect(run.ending).toMatchObject({
    kind: 'no-channel',
    why: expect.stringMatching(/exit 2.*no rule to make target/),
  });
});

it.each([
  ['plain', 'plain'],
  ['a b', "'a b'"],
  ["it's", `'it'"'"'s'`],
  ['', "''"],
  ['cache_dir=/tmp/x', 'cache_dir=/tmp/x'],
  ['$HOME', "'$HOME'"],
])('quotes %j for shlex', (word, quoted) => {
  expect(quoteForShlex(word)).toBe(quoted);
});

it('keeps what the user has in the variables that it adds to', () => {
  const places = { scratch: '/s', planFolder: '/s/cp', library: '/s/lib', nonce: 'n' };
  const env = stepEnvironment(
    {
      PYTEST_PLUGINS: 'mine',
      PYTHONPATH: '/lib',
      PYTHONHASHSEED: 'random',
      PYTEST_DEBUG_TEMPROOT: '/old',
    },
    { PYTHONPATH: '/lane' },
    places,
  );
  expect(env).toMatchObject({
    PYTEST_PLUGINS: 'mine,counterproof_pytest',
    PYTHONPATH: '/s/lib:/lane',
    PYTHONHASHSEED: '0',
    PYTEST_DEBUG_TEMPROOT: '/s/t',
    TMPDIR: '/s/t',
  });
  expect(stepEnvironment({ PYTHONPATH: '', PYTHONHASHSEED: '7' }, {}, places)).toMatchObject({
    PYTHONPATH: '/s/lib',
    PYTHONHASHSEED: '7',
  });
});

it.each([
  { file: 'mod.py', names: [], weak: ['mod'] },
  { file: 'src/pkg/sub/mod.py', names: ['pkg.sub.mod'], weak: ['src.pkg.sub.mod'] },
  { file: 'src/pkg/__init__.py', names: ['pkg'], weak: ['src.pkg'] },
  { file: 'ns/inner/mod.py', names: [], weak: ['mod', 'inner.mod', 'ns.inner.mod'] },
  { file: 'my-app/mod.py', names: [], weak: ['mod'] },
  { file: 'data.json', names: [], weak: [] },
])('$file may be imported as $names or $weak', ({ file, names, weak }) => {
  const tree = project({ 'src/pkg/__init__.py': '', 'src/pkg/sub/__init__.py': '' });
  expect(moduleNames(tree.path(file), tree.root)).toEqual({ names, weak });
});
