import { defineConfig } from 'vitest/config';

/** The real agent programs, one file after the other: each keeps the machine busy by itself. */
export default defineConfig({
  test: {
    include: ['e2e/agents/*.agents.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 900_000,
    setupFiles: ['bin/check/leftover-processes.ts'],
  },
});
