/** A core as `espalier serve` hosts it, that measures its own loop and its transactions. Talks to its parent over IPC. */
import Database from 'better-sqlite3';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openFront } from '../../core/host/serve/front.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { systemRandom } from '../../core/kit/random.ts';
import { tailOf, type CoreFigures, type FromCore, type MeasuredOrders, type ToCore } from './core-figures.ts';
import { ROOT } from './results.ts';

/** Counts statements and times transactions, below everything that is measured. */
class Transactions {
  statements = 0;
  wall: number[] = [];
  cpu: number[] = [];
  #began = 0;
  #beganCpu = 0;

  begin(): void {
    this.#began = performance.now();
    this.#beganCpu = threadCpuMs();
  }

  end(): void {
    this.wall.push(performance.now() - this.#began);
    this.cpu.push(threadCpuMs() - this.#beganCpu);
  }

  /** From now on every statement that writes, and every transaction, is seen. */
  watch(): void {
    type Run = (...params: unknown[]) => unknown;
    const proto = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as { run: Run };
    const { run } = proto;
    const seen = this as Transactions;
    proto.run = function (...params) {
      seen.statements += 1;
      return run.apply(this, params);
    };
    const prepare = Database.prototype.prepare;
    Database.prototype.prepare = function (this: Database.Database, sql: string) {
      const statement = prepare.call(this, sql);
      const timed = statement as unknown as { run: Run };
      if (sql.startsWith('BEGIN')) timed.run = () => (seen.begin(), run.call(statement));
      if (sql === 'COMMIT') {
        timed.run = () => {
          const done = run.call(statement);
          seen.end();
          return done;
        };
      }
      return statement;
    } as typeof prepare;
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const orders = JSON.parse(process.argv[2] ?? '') as MeasuredOrders;
const transactions = new Transactions();
transactions.watch();
const opened = await openFront(
  {
    home: orders.home,
    version: '0.0.0',
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    packageRoot: ROOT,
    ...(orders.workerEntry === null ? {} : { workerEntry: orders.workerEntry }),
    environment: orders.environment,
    unattendedMs: 600_000,
    warmWorkers: orders.workerEntry === null ? 2 : 0,
  },
  'bench',
);
if (!opened.ok) throw new Error(opened.error.message);
const front = opened.value;
const listening = await front.listen({ port: 0, host: '127.0.0.1' });
if (!listening.ok) throw new Error(listening.error.message);

// Finer than a block that could be felt; finer still would measure the measuring.
const RESOLUTION_MS = 2;
const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
lag.enable();
let since = performance.now();
let cpu = process.cpuUsage();

function figures(): CoreFigures {
  const ms = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const used = process.cpuUsage(cpu);
  const measured = {
    seconds: (performance.now() - since) / 1000,
    cpu_seconds: (used.user + used.system) / 1e6,
    lag: { p50: ms(lag.percentile(50)), p99: ms(lag.percentile(99)), max: ms(lag.max) },
    transactions: transactions.wall.length,
    transaction: tailOf(transactions.wall),
    transaction_cpu: tailOf(transactions.cpu),
    statements: transactions.statements,
  };
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  transactions.wall = [];
  transactions.cpu = [];
  transactions.statements = 0;
  lag.reset();
  since = performance.now();
  cpu = process.cpuUsage();
  return { ...measured, heap: heapUsed, rss };
}

process.on('message', (message: ToCore) => {
  if (message.type === 'figures') tell({ type: 'figures', figures: figures() });
});
process.once('disconnect', () => void front.close({ endAll: true }).then(() => process.exit(0)));
tell({ type: 'ready', url: listening.value.url });

function tell(message: FromCore): void {
  process.send?.(message);
}
