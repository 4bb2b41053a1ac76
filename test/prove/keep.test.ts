import { expect, test } from 'vitest';
import { PYTHON_NAMES } from '../../src/prove/python-tests.js';
import { notKeptYet } from '../../src/prove/keep.js';
import { classifyRules } from '../../src/prove/rules.js';
import { aLane } from '../lane/cargo/builders.js';
import type { EditSpec } from '../../src/spec/model.js';

const base = { within: [], where: { file: 'mutations/a.yaml', line: 1, col: 1 } };
const patch: EditSpec = { ...base, kind: 'patch', file: 'a.py', patch: '@@\n-x\n+y\n' };
const gone: EditSpec = { ...base, kind: 'delete', file: 'b.py' };
const made: EditSpec = { ...base, kind: 'create', file: 'c.py', content: 'x\n' };

test.each([
  ['a patch', { file: 'a.py', patch: '@@\n-x\n+y\n' }, [patch], []],
  ['a patch of another file', { file: 'b.py', patch: '@@\n-x\n+y\n' }, [patch], ['m']],
  ['a new patch', { file: 'a.py', patch: '@@\n-x\n+z\n' }, [patch], ['m']],
  ['a file that is deleted', { file: 'b.py', delete: true as const }, [gone], []],
  ['a file that is made', { file: 'c.py', create: 'x\n' }, [made], []],
  ['a file that is made of other bytes', { file: 'c.py', create: 'y\n' }, [made], ['m']],
  [
    'several, of which one is new',
    {
      edits: [
        { file: 'b.py', delete: true as const },
        { file: 'a.py', patch: 'z' },
      ],
    },
    [gone, patch],
    ['m'],
  ],
] as const)('%s is kept once', (_, edit, edits, fresh) => {
  const mutation = 'edits' in edit ? { id: 'm', edits: [...edit.edits] } : { id: 'm', ...edit };
  expect(notKeptYet([mutation], [{ edits }]).map(({ id }) => id)).toEqual(fresh);
});

test('paths of options are meant from where one stands, those of the configuration from the root', () => {
  expect(
    classifyRules({
      tree: '/tree',
      cwd: '/tree/lib/deep',
      root: 'lib',
      options: { testPaths: ['checks', '../up', '/tree/absolute'], sourcePaths: ['.'] },
      configured: { testPaths: ['own'], sourcePaths: ['tests/tools'] },
      pythonFiles: ['test_*.py'],
      pythonNames: PYTHON_NAMES,
      lanes: [],
    }),
  ).toEqual({
    testPaths: ['lib/deep/checks', 'lib/up', 'absolute', 'lib/own'],
    sourcePaths: ['lib/deep', 'lib/tests/tools'],
    pythonFiles: ['test_*.py'],
    pythonNames: PYTHON_NAMES,
    runsDoctests: false,
  });
});

test.each([
  [['lib', 'doc'], true],
  [['lib'], false],
  [[], false],
] as const)('a lane with the targets %j runs doctests: %s', (targets, runs) => {
  const { runsDoctests } = classifyRules({
    tree: '/tree',
    cwd: '/tree',
    root: '.',
    configured: { testPaths: [], sourcePaths: [] },
    pythonFiles: [],
    pythonNames: PYTHON_NAMES,
    lanes: [aLane({ targets })],
  });
  expect(runsDoctests).toBe(runs);
});
