import { expect, it } from 'vitest';
import { changesTold, createFix } from '../support/fixes.js';
import { prove } from '../support/project.js';

/** A function, and callers of it in which a line stands between one change and the next. */
const app = (name: string, what: string): string =>
  [
    `def ${name}(a):\n    return a ${what}\n`,
    ...['one', 'two', 'three'].map(
      (user, index) => `def ${user}(a):\n    x = ${index}\n    return ${name}(a) + x\n`,
    ),
  ].join('\n\n');

const TESTS = ['one', 'two', 'three']
  .map((user, index) => `def test_${user}():\n    assert app.${user}(1) == ${2 + index}\n`)
  .join('\n\n');

it('a renamed function goes with all of its callers at once, since a part of them leaves tests without the name', async () => {
  const project = createFix(
    { 'src/app.py': app('old', '- 1') },
    { 'src/app.py': app('fresh', '+ 1'), 'tests/test_app.py': `import app\n\n\n${TESTS}` },
  );
  const run = await prove(project, ['prove']);
  const by = 'by test_one, test_two, test_three';
  expect(changesTold(run)).toEqual([
    `1 src/app.py:1 held with 2+3+4 ${by}`,
    `2 src/app.py:7 held with 1+3+4 ${by}`,
    `3 src/app.py:12 held with 1+2+4 ${by}`,
    `4 src/app.py:17 held with 1+2+3 ${by}`,
  ]);
  // The whole, each alone, and each left out of the whole once.
  expect(run.record.proofs).toHaveLength(9);
});
