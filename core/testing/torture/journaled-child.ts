import { runWorker } from '../../workers/child/run-worker.ts';
import { openJournal } from './frame-journal.ts';

/** The product's worker (`host/child.ts`), which also writes down what it tells. */
runWorker({
  runners: {
    builtin: async () => (await import('../../runners/builtin/run.ts')).runBuiltin,
    command: async () => (await import('../../runners/command/run.ts')).runCommand,
  },
  journal: openJournal,
});
