import { expect, test } from 'vitest';
import { probeOverlay } from '../support/overlay.js';
import { createProject, lanes, prove, verdicts } from '../support/project.js';
import { spec, swap } from '../support/specs.js';

// Four in each slot: with fewer an interpreter does not pay, and eight are settled before the end.
const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const FILES = {
  'warmth.py': `import os


def is_warm():
    with open("/proc/%d/cmdline" % os.getppid(), "rb") as file:
        return b"--maxfail=0" in file.read()
`,
  'calc.py': `import warmth


${[...names, 'last'].map((name) => `def ${name}():\n    return 1\n`).join('\n\n')}`,
  'test_calc.py': `import calc


${[...names, 'last'].map((name) => `def test_${name}():\n    assert calc.${name}() == 1\n`).join('\n\n')}`,
  ...spec([
    ...names.map((name) =>
      swap(name, 'calc.py', [`def ${name}():\n    return 1`, `def ${name}():\n    return 2`], {
        flips: [`test_calc.py::test_${name}`],
      }),
    ),
    // Nothing moves where it is warm, and that is confirmed by a new interpreter.
    swap('last', 'calc.py', ['last():\n    return 1', 'last():\n    return warmth.is_warm()'], {
      flips: ['test_calc.py::test_last'],
    }),
  ]),
  'counterproof.yaml': lanes(),
};

test('what one slot sees of its warm interpreter lets all of them measure anew', async () => {
  // In place there is one.
  const slots = probeOverlay().kind === 'works' ? 2 : 1;
  const project = createProject(FILES);

  const run = await prove(project, ['run', '--isolation', 'auto', '-j', '2']);

  expect(run.record.environment.jobs).toBe(slots);
  expect(verdicts(run)).toEqual(
    Object.fromEntries([...names, 'last'].map((name) => [name, 'pinned'])),
  );
  const told = Array.from(run.stderr.matchAll(/measures again ([\w, ]+)/g), ([, ids = '']) => ids);
  expect(told).toHaveLength(slots);
  const again = told.flatMap((ids) => ids.trim().split(', '));
  expect(again.toSorted()).toEqual([...names, 'last'].toSorted());
});
