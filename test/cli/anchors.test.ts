import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const FILES = {
  'counterproof.yaml': lanes(),
  'calc.py': `def low(a):
    if a < 0:
        return 0
    return a


def high(a):
    if a > 9:
        return 0
    return a
`,
  'test_calc.py': `import calc


def test_low():
    assert calc.low(-1) == 0


def test_high():
    assert calc.high(10) == 0
`,
};

const LOW = 'test_calc.py::test_low';

it('an edit that fits nowhere or twice is not applied, and its file is not touched', async () => {
  const project = createProject({
    ...FILES,
    'mutations/anchors.yaml': spec([
      {
        id: 'twice',
        file: 'calc.py',
        replace: { find: '        return 0', with: '        return 1' },
        flips: [LOW],
      },
      {
        id: 'twice-as-a-patch',
        file: 'calc.py',
        patch: '@@\n-        return 0\n+        return 1\n     return a\n',
        flips: [LOW],
      },
      {
        id: 'nowhere',
        file: 'calc.py',
        patch: '@@\n def low(a):\n-    if a <= 0:\n+    if a < 1:\n         return 0\n',
        flips: [LOW],
      },
      {
        id: 'nowhere-at-all',
        file: 'calc.py',
        replace: { find: 'no such text', with: 'x' },
        flips: [LOW],
      },
      { id: 'no-file', file: 'gone.py', replace: { find: 'a', with: 'b' }, flips: [LOW] },
      {
        id: 'as-often-as-it-says',
        file: 'calc.py',
        replace: { find: '        return 0', with: '        return 1', count: 2 },
        flips: ['test_calc.py'],
      },
      {
        id: 'within',
        file: 'calc.py',
        within: 'def low',
        replace: { find: '        return 0', with: '        return 1' },
        flips: [LOW],
        exact: true,
      },
    ]),
  });
  const before = project.snapshot();

  const run = await prove(project);

  const { 'as-often-as-it-says': counted, within, ...others } = verdicts(run);
  expect([counted, within]).toEqual(['pinned', 'pinned']);
  expect(new Set(Object.values(others))).toEqual(new Set(['not-applied']));
  expect(run.exitCode).toBe(3);
  const said = (id: string): string => {
    const { reason, facts, next } = run.proof(id);
    return [reason, ...facts, ...next].join('\n');
  };
  // Both places, so that the reader can choose.
  expect(said('twice')).toMatch(/\b3\b[^\n]*\b9\b/);
  expect(said('twice-as-a-patch')).toMatch(/\b3\b[^\n]*\b9\b/);
  // The nearest place, and the line that differs there.
  expect(said('nowhere')).toMatch(/\b2\b/);
  expect(said('nowhere')).toContain('if a < 0:');
  expect(said('no-file')).toContain('gone.py');
  expect(project.snapshot()).toEqual(before);
});

it('a run in which nothing applies leaves the files as they are, their times too', async () => {
  const project = createProject({
    ...FILES,
    'mutations/anchors.yaml': spec([
      {
        id: 'twice',
        file: 'calc.py',
        replace: { find: 'return 0', with: 'return 1' },
        flips: [LOW],
      },
      {
        id: 'nowhere',
        file: 'calc.py',
        replace: { find: 'return 7', with: 'return 1' },
        flips: [LOW],
      },
    ]),
  });
  const before = project.snapshot();
  const file = join(project.folder, 'calc.py');
  const { mtimeNs, ino } = statSync(file, { bigint: true });

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ twice: 'not-applied', nowhere: 'not-applied' });
  expect(run.exitCode).toBe(3);
  expect(statSync(file, { bigint: true })).toMatchObject({ mtimeNs, ino });
  expect(project.snapshot()).toEqual(before);
});
