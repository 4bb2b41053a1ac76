import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { counterproof, createProject } from '../support/project.js';

it('reads the patch that is named from the folder that -C names', async () => {
  const project = createProject({
    'calc.py': 'one = 1\n',
    'fix.diff': '@@\n-one = 1\n+one = 2\n',
  });
  const elsewhere = join(project.state, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });

  // Refused for its lane, which is looked at after the patch: so no test has to be run.
  const args = ['try', 'calc.py:1', '-C', project.folder, '--patch', 'fix.diff', '--lane', 'none'];
  const { exitCode, stderr } = await counterproof(project, args, { cwd: elsewhere });

  expect(stderr).toContain(
    'There is no lane none: no lane is configured here. Leave it out, or name pytest.',
  );
  expect(exitCode).toBe(2);
});
