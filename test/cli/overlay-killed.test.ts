import { expect, it } from 'vitest';
import { killRuns } from '../support/kill-runs.js';

it('kill -9 of any process of a run leaves the tree as it was, and nothing behind', async () => {
  const killed = await killRuns({ seed: 20_261_130, times: 10 });
  expect(killed.size).toBeGreaterThan(1);
});
