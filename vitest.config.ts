import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const FOLDERS = '{core,cli,renderer,bin,electron,migrations}/**';
const INTEGRATION = `${FOLDERS}/*.integration.test.{ts,tsx}`;

/** Unit tests (`x.test.ts`) and integration tests (`x.integration.test.ts`) beside the files; `e2e/` belongs to Playwright. */
export default defineConfig({
  test: {
    pool: 'forks',
    globals: false,
    // One worker a core: Vitest would take one less, and more only slow each other down.
    maxWorkers: Math.max(2, availableParallelism()),
    // Far beyond what any test takes: only a hang reaches it, also on a machine that does much else.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    // A leftover process or handle must fail the run, not be hidden by a forced exit.
    dangerouslyIgnoreUnhandledErrors: false,
    setupFiles: ['bin/check/leftover-processes.ts'],
    coverage: { include: ['core/**', 'cli/**', 'electron/**', 'renderer/**'], exclude: ['core/testing/**'] },
    projects: [
      // What is pure shares its modules: loading them again for each file cost three times what the tests do.
      {
        extends: true,
        test: { name: 'unit', include: [`${FOLDERS}/*.test.{ts,tsx}`], exclude: [INTEGRATION], isolate: false },
      },
      { extends: true, test: { name: 'integration', include: [INTEGRATION] } },
    ],
  },
});
