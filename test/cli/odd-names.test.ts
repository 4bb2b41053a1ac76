/** Folders whose names mean something to what looks for files: patterns, shells, other systems. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { counterproof, createProject, prove, verdicts, type Files } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const NAMES = ['a\\b', '[x]', '{a,b}', '(b)', '!c', '*', '?', '+(d)'];

const FILES: Files = {
  'calc.py': 'def double(n):\n    return n * 2\n',
  'tests/test_calc.py': 'import calc\n\n\ndef test_double():\n    assert calc.double(2) == 4\n',
  // Without paths pytest refuses `[` in its own folder.
  ...config({ paths: ['tests'], env: { PYTHONPATH: '.' } }),
  ...spec([
    swap('double', 'calc.py', ['n * 2', 'n * 3'], { flips: ['tests/test_calc.py::test_double'] }),
  ]),
};

const SPECS = [
  [],
  ['mutations'],
  ['mutations/all.yaml'],
  ['mutations/*.yaml'],
  ['mutations/all.yaml::double'],
];

describe('a project in a folder with such a name', () => {
  it.each(NAMES)('%s: has its specs, by whichever argument they are named', async (named) => {
    const project = createProject(FILES, { named });
    const checks = await Promise.all(
      SPECS.map((args) => counterproof(project, ['check', ...args])),
    );
    expect(checks.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      SPECS.map(() => ({ exitCode: 0, stderr: '' })),
    );
    const above = await counterproof(project, ['check', join(project.folder, 'mutations')], {
      cwd: '/',
    });
    expect(above.stdout).toContain('double');
  });

  it.each(['a\\b', '[x]', '*'])('%s: is proven, and comes back', async (named) => {
    const project = createProject(FILES, { named });
    const before = project.snapshot();
    const run = await prove(project, ['run']);
    expect(verdicts(run)).toEqual({ double: 'pinned' });
    expect(project.snapshot()).toEqual(before);
  });
});

it('so is a root of such a name within the tree, with its specs in folders of such names', async () => {
  const { 'mutations/all.yaml': all = '', ...others } = FILES;
  const inRoot = { ...others, 'mutations/[x]/c\\d/all.yaml': all };
  const project = createProject(
    Object.fromEntries(Object.entries(inRoot).map(([path, text]) => [`a\\b/${path}`, text])),
  );
  const before = project.snapshot();
  const run = await prove(project, ['run'], { cwd: join(project.folder, 'a\\b') });
  expect(verdicts(run)).toEqual({ double: 'pinned' });
  expect(project.snapshot()).toEqual(before);
});
