import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Nothing is timed: limits only end what hangs, on machines however slow.
const MINUTE = 60_000;

export default defineConfig({
  test: {
    pool: 'forks',
    // A worker for each file took longer to load the source than most tests take. No test may
    // therefore replace a module: what is to be replaced is given as an argument.
    isolate: false,
    // Vitest leaves one core free; but most tests wait for processes, and some for a limit.
    maxWorkers: availableParallelism() + 1,
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
