import { runWorker } from '../workers/child/run-worker.ts';

runWorker({
  runners: {
    builtin: async () => (await import('../runners/builtin/run.ts')).runBuiltin,
    cli: async () => (await import('../runners/cli/run.ts')).runCli,
    command: async () => (await import('../runners/command/run.ts')).runCommand,
    acp: async () => (await import('../runners/acp/run.ts')).runAcp,
  },
});
