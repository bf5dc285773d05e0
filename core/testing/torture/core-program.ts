import { writeFileSync } from 'node:fs';
import { openFront } from '../../host/serve/front.ts';
import { systemClock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { systemRandom } from '../../kit/random.ts';

/** What a core that is to be killed is told, as its argument. */
export interface CoreOrders {
  readonly home: string;
  readonly packageRoot: string;
  readonly workerEntry: string;
  /** Where what it logs goes. */
  readonly log: string;
  readonly environment: Record<string, string>;
}

/** How long a worker that started, or had another core, is waited for; 30 s without haste. */
const CONNECT_MS = 6000;

const orders = JSON.parse(process.argv[2] ?? '') as CoreOrders;
const write = (level: string) => (fields: object, message: string) => {
  writeFileSync(orders.log, `${JSON.stringify({ at: Date.now(), pid: process.pid, level, message, ...fields })}\n`, {
    flag: 'a',
  });
};
const logger: Logger = { debug() {}, info() {}, warn: write('warn'), error: write('error') };

const opened = await openFront(
  {
    home: orders.home,
    version: '0.0.0',
    clock: systemClock,
    random: systemRandom,
    logger,
    packageRoot: orders.packageRoot,
    workerEntry: orders.workerEntry,
    environment: orders.environment,
    unattendedMs: 600_000,
    warmWorkers: 2,
    workerTimings: { connectMs: CONNECT_MS },
  },
  'torture',
);
if (!opened.ok) throw new Error(opened.error.message);
const front = opened.value;
// The app is closed: the workers stay.
process.once('SIGTERM', () => void front.close().then(() => process.exit(0)));
process.stdout.write('ready\n');
