/** A file of the tree that somebody deletes while a run goes on: no verdict on it, and it stays deleted. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import { GATED_FILES, openGate } from '../support/gate.js';
import { probeOverlay } from '../support/overlay.js';
import { processesOf } from '../support/processes.js';
import { createProject, startCli } from '../support/project.js';

const FILES = {
  ...GATED_FILES,
  'unrelated.py': 'NAME = "nobody imports it"\n',
};

const ISOLATIONS = probeOverlay().kind === 'works' ? ['overlay', 'in-place'] : ['in-place'];

const CASES = ISOLATIONS.flatMap((isolation) =>
  ['calc.py', 'test_calc.py', 'unrelated.py'].map((file) => [isolation, file] as const),
)
  // In place the mutant stands in it, and what was meant is not known: the original goes back.
  .filter((each) => each.join() !== 'in-place,calc.py');

async function deleting(isolation: string, file: string) {
  const project = createProject(FILES);
  const gate = openGate(project, 'during the mutated run');
  const args = ['run', '--json', '--isolation', isolation];
  const { ended } = await startCli(project, args, { env: gate.env });
  await gate.held();
  rmSync(join(project.folder, file));
  await gate.release();
  const { exitCode, stdout, stderr } = await ended;
  expect(stdout, stderr).toMatch(/^\{/);
  return { project, exitCode, stderr, record: JSON.parse(stdout) as RunRecord };
}

describe('somebody deletes a file of the tree', () => {
  it.each(CASES)('%s: %s', async (isolation, file) => {
    const { project, exitCode, stderr, record } = await deleting(isolation, file);

    const [proof] = record.proofs;
    expect({ exitCode, verdict: proof?.verdict }).toEqual({ exitCode: 3, verdict: 'tree-touched' });
    expect(proof?.reason).toContain(file);
    expect(existsSync(join(project.folder, file))).toBe(false);
    expect(project.git('status', '--porcelain')).toBe(` D ${file}\n`);
    expect(stderr).not.toContain('Internal error');
    expect(processesOf(project)).toEqual([]);
  });
});
