import { expect, it } from 'vitest';
import { GATED_FILES, openGate } from '../support/gate.js';
import { killRuns } from '../support/kill-runs.js';
import { probeOverlay } from '../support/overlay.js';
import { allGone, processesOf, workerOf } from '../support/processes.js';
import { createProject, startCli } from '../support/project.js';
import { everything } from '../support/untouched.js';

it('kill -9 of any process of a run leaves the tree as it was, and nothing behind', async () => {
  const killed = await killRuns({ seed: 20_261_130, times: 10 });
  expect(killed.size).toBeGreaterThan(1);
});

it('a worker that cannot hear of it ends with its coordinator all the same', async () => {
  const support = probeOverlay();
  const project = createProject(GATED_FILES);
  const before = everything(project, support);
  const gate = openGate(project, 'during the mutated run');
  const args = ['run', '--isolation', 'auto', '-j', '1'];
  const { child, ended } = await startCli(project, args, { env: gate.env });
  await gate.held();
  const worker = workerOf(project);
  // Without a pid namespace nothing but the next start ends it; that is another test's.
  const isOwn = support.kind === 'works' && support.pids === 'own';
  if (isOwn) process.kill(worker, 'SIGSTOP');

  process.kill(child.pid ?? 0, 'SIGKILL');

  await ended;
  await allGone(project);
  expect(everything(project, support)).toEqual(before);
  expect(processesOf(project)).toEqual([]);
});
