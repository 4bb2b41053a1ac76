import { expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { sdist } from '../support/sdist.js';

/** unittest classes, a flat package, tests read from a large table; no configuration at all. */
const SPEC = `version: 1
mutations:
  - id: one-letter-more
    file: idna/core.py
    replace: { find: "len(label) > 63", with: "len(label) > 64" }
    flips: ["tests/test_idna.py::IDNATests::test_valid_label_length"]
    controls: ["tests/test_intranges.py"]
  - id: end-included
    file: idna/intranges.py
    replace: { find: "left <= int_ < right", with: "left <= int_ <= right" }
    flips: [{ test: "tests/test_intranges.py", min: 1 }]
  - id: five-digits
    why: Only messages show code points.
    file: idna/core.py
    within: "def _unot"
    replace: { find: "{:04X}", with: "{:05X}" }
    flips: any
  - id: name-misspelt
    file: idna/core.py
    replace: { find: "import intranges_contain", with: "import intranges_contains" }
    flips: any
`;

it('proves mutations of idna 3.10, and leaves its tree as it was', async () => {
  const project = createProject({ ...(await sdist('idna', '3.10')), 'mutations/idna.yaml': SPEC });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({
    'one-letter-more': 'pinned',
    'end-included': 'pinned',
    'five-digits': 'survived',
    'name-misspelt': 'broken',
  });
  expect(run.exitCode).toBe(1);
  expect(run.record.lanes).toMatchObject([
    { collected: 32, selected: 32, baseline: { counts: { passed: 32 } }, closing: { equal: true } },
  ]);
  expect(run.proof('one-letter-more').controls).toMatchObject([{ held: true }]);
  expect(run.proof('five-digits').reach).toMatchObject({ state: 'reached' });
  expect(run.proof('name-misspelt').reason).toContain('intranges_contains');
  expect(project.snapshot()).toEqual(before);
  expect(project.git('status', '--porcelain')).toBe('');
});
