import { appendFileSync } from 'node:fs';
import { it } from 'vitest';
import { killRuns } from '../support/kill-runs.js';
it('x', async () => {
  for (let seed = 100; seed < 130; seed += 1) {
    const started = Date.now();
    try {
      const killed = await killRuns({ seed, times: 5 });
      appendFileSync(
        '/tmp/kills.log',
        `${seed} ${JSON.stringify([...killed])} ${Date.now() - started}\n`,
      );
    } catch (error) {
      appendFileSync('/tmp/kills.log', `${seed} FAILED ${String(error)}\n`);
    }
  }
});
