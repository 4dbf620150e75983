import { defineConfig } from 'vitest/config';
import { rulesCache } from './scripts/setup.mjs';
import { SlowFirst } from './test/slow-first.js';

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/random-sizes.ts'],
    include: ['test/**/*.test.ts'],
    // Child processes inherit it.
    env: { MERLON_CACHE: rulesCache },
    // Far more than they take: a busy machine is no reason to fail, a hang is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // So long a test waits for what it polls; what comes sooner ends it.
    expect: { poll: { timeout: 30_000 } },
    // Real servers, threads and stores: two files at a time is what two cores carry.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // A process for each file takes half as much time again. What a file changes for all, it puts back.
    isolate: false,
  },
});
