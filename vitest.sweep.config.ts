/** Vitest as `npm run sweep` uses it: a few files of one area, in one process, many times over. */
import { defineConfig } from 'vitest/config';

const report = process.env['COUNTERPROOF_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: report === undefined ? 'default' : [['junit', { outputFile: report }]],
    setupFiles: ['test/support/clean-environment.ts'],
    // The whole of a narrow lane takes a second in one process, and three in one for each file.
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
  },
});
