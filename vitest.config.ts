import { defineConfig } from 'vitest/config';

/** Unit tests (`x.test.ts`) and integration tests (`x.integration.test.ts`) beside the files; `e2e/` belongs to Playwright. */
export default defineConfig({
  test: {
    include: ['{core,cli,renderer,bin,electron,migrations}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    globals: false,
    // Far beyond what any test takes: only a hang reaches it, also on a machine that does much else.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // A leftover process or handle must fail the run, not be hidden by a forced exit.
    dangerouslyIgnoreUnhandledErrors: false,
    setupFiles: ['bin/check/leftover-processes.ts'],
    coverage: { include: ['core/**', 'cli/**', 'electron/**', 'renderer/**'], exclude: ['core/testing/**'] },
  },
});
