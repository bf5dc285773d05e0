import { appendFileSync, readFileSync } from 'node:fs';
import { systemClock } from '../kit/clock.ts';
import { silentLogger } from '../kit/logger.ts';
import { systemRandom } from '../kit/random.ts';
import type { StartOrder, WorkerEvents } from '../workers/contract.ts';
import { createLocalWorkerPool } from '../workers/local-pool.ts';
import { SCRIPTED_WORKER } from './worker-lab.ts';

/** What a core that a test can really kill is told, as a file. */
export interface CoreScript {
  readonly home: string;
  /** Everything that it has stored: a line of JSON each. */
  readonly journal: string;
  readonly orders: readonly StartOrder[];
}

/** A line of the journal. */
export type CoreLine =
  | { readonly type: 'connected'; readonly told: Parameters<WorkerEvents['connected']>[0] }
  | { readonly type: 'event'; readonly told: Parameters<WorkerEvents['event']> };

const script = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CoreScript;
const store = (line: CoreLine): void => appendFileSync(script.journal, `${JSON.stringify(line)}\n`);

const pool = await createLocalWorkerPool({
  home: script.home,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  boot: 'killed',
  bundleVersion: () => 'bundle-1',
  childEntry: SCRIPTED_WORKER,
  warm: 1,
  environment: process.env,
  events: {
    connected(told) {
      store({ type: 'connected', told });
      setImmediate(() => pool.welcome(told.attempt_id));
    },
    reconnected() {},
    event(...told) {
      store({ type: 'event', told });
      setImmediate(() => pool.ack(told[0], told[1]));
    },
    exited() {},
  },
});
for (const order of script.orders) pool.start(order);
