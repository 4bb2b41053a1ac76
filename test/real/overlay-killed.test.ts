import { expect, it } from 'vitest';
import { VICTIMS } from '../support/kill-moments.js';
import { killRuns } from '../support/kill-runs.js';
import { probeOverlay } from '../support/overlay.js';

it('100 kills at random moments leave the tree as it was, and nothing behind', async () => {
  const killed = await killRuns({ seed: 1, times: 100 });
  process.stderr.write(`${JSON.stringify([...killed])}\n`);
  if (probeOverlay().kind === 'works')
    expect([...killed.keys()].toSorted()).toEqual([...VICTIMS].toSorted());
});
