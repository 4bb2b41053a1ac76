import { defineConfig } from 'vitest/config';

// What takes long: published projects, which it downloads, 100 kills, limits: `npm run test:real`.
export default defineConfig({
  test: {
    pool: 'forks',
    include: ['test/real/**/*.test.ts'],
    setupFiles: ['test/support/clean-environment.ts'],
    globalSetup: ['test/support/build-dist.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 30 * 60_000,
  },
});
