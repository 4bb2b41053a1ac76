import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Nothing is timed: limits only end what hangs, on machines however slow.
const MINUTE = 60_000;

export default defineConfig({
  test: {
    pool: 'forks',
    // Vitest leaves one core free, which on two cores is half of them; most tests wait for pytest.
    maxWorkers: Math.max(2, availableParallelism()),
    setupFiles: ['test/support/clean-environment.ts'],
    testTimeout: 2 * MINUTE,
    hookTimeout: 5 * MINUTE,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cli/**', 'test/real/**', 'test/fixtures/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/cli/**/*.test.ts'],
          globalSetup: ['test/support/build-dist.ts'],
          testTimeout: 10 * MINUTE,
        },
      },
    ],
  },
});
