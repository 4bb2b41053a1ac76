import { expect, it } from 'vitest';
import { CALC, CONFIG } from '../support/calc.js';
import { counterproof, createProject } from '../support/project.js';

it('a mutant whose own text fails by a name is pinned, and the report says that this is all', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const typo = ['try', 'calc.py:2', '--replace', 'a + b', '--with', 'fo'];
  const { exitCode, stdout } = await counterproof(project, typo);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(/^✓ PINNED {2}1 test notices/m);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    "facts By a name alone: the test fails because the edit's own text names `fo`, which does not exist; it would fail whatever the line did.",
  );
});
