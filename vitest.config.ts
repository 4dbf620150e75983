import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Real servers, threads and stores: two files at a time is what two cores carry.
    maxWorkers: 2,
    pool: 'forks',
  },
});
