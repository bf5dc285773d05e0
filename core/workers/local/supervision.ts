import { delay, type Clock } from '../../kit/clock.ts';
import { isRunning } from '../../kit/process-tree/process-entry.ts';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import type { StopReceipt } from '../../kit/process-tree/stop-tree.ts';
import { sampleTreeUsage, type TreeUsage } from '../../kit/process-tree/tree-usage.ts';
import { readoptAttempt, superviseAttempt } from '../processes/attempt-tree.ts';
import type { AttemptProcesses, AttemptTree } from '../processes/attempt-tree.ts';
import type { ExitInfo } from '../processes/spawn-detached.ts';
import { endRest, endTree } from './attempt-end.ts';
import type { PoolContext } from './pool-context.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that survives SIGKILL never exits; it is given up so long after the ladder's end. */
const UNDYING_MS = 1000;

/** What the supervision of an attempt is given by it. */
export interface Supervised {
  readonly attempt: { readonly id: string; readonly runId: string };
  /** What the tree below a worker is known by. */
  readonly processes: (root: ProcessIdentity) => AttemptProcesses;
  /** The worker is gone, or given up (null, as when nobody knows how it went). May be told more than once. */
  readonly onGone: (exit: ExitInfo | null) => void;
}

/** The processes of one attempt: its worker, however that became known, the tree below it, and the one ladder that ends them. */
export class Supervision {
  readonly #context: PoolContext;
  readonly #parts: Supervised;
  #worker: Promise<WorkerProcess | null> = Promise.resolve(null);
  #tree: Promise<AttemptTree> | null = null;
  #ladder: Promise<StopReceipt> | null = null;
  #isUrgent = false;

  constructor(context: PoolContext, parts: Supervised) {
    this.#context = context;
    this.#parts = parts;
  }

  /** There is a worker, and its tree is looked after. */
  get holds(): boolean {
    return this.#tree !== null;
  }

  /** The worker or its rest is being ended by us. */
  get isEnding(): boolean {
    return this.#ladder !== null;
  }

  /** A worker is being started; null when that fails. */
  expect(worker: Promise<WorkerProcess | null>): void {
    this.#worker = worker;
  }

  /** Takes the worker that we started. */
  take(worker: WorkerProcess): void {
    this.#hold(worker, superviseAttempt(this.#parts.processes(worker.identity)));
  }

  /** Takes the worker that an earlier core started (D5). */
  readopt(identity: ProcessIdentity): void {
    this.#hold(this.#context.watch.watch(identity), readoptAttempt(this.#parts.processes(identity)));
  }

  /** The worker; if none is known, the process of that pid, whose attempt never had it stored. Null when there is neither. */
  async workerOr(pid: number): Promise<WorkerProcess | null> {
    const worker = await this.#worker;
    if (worker !== null) return worker;
    const identity = await this.#context.scanner.source.identify(pid);
    return identity === null ? null : this.#takeStray(identity);
  }

  /** Looks for a worker that only its marker tells of. */
  async findMarked(): Promise<void> {
    if (this.#tree !== null) return;
    const table = await this.#context.scanner.fresh().catch(() => null);
    const marked = table?.byMarker
      .get(this.#parts.attempt.runId)
      ?.find((entry) => isRunning(entry) && entry.session === entry.pid);
    if (marked !== undefined && this.#tree === null) this.#takeStray(marked);
  }

  /** Resolves when nothing can leave the tree unseen, or that is known to be impossible. */
  async sealed(): Promise<void> {
    await Promise.allSettled([this.#tree]);
  }

  /**
   * Begins to end the whole tree, once (C3). `ask` is called when the worker is known; what it gives asks the worker to end by itself.
   */
  end(graceMs: number, ask: (gone: Promise<unknown>) => (() => Promise<void>) | null): void {
    this.#ladder ??= this.#climb(graceMs, ask);
  }

  /** What is being ended, or will be, gets no time any more to end by itself. */
  hurry(): void {
    this.#isUrgent = true;
  }

  /** What was ended, when the worker is gone: what the ladder did, or what it left behind and is ended now (C4). */
  rest(graceMs: number): Promise<StopReceipt> {
    return this.#ladder ?? endRest(this.#tree, { graceMs, ...this.#how });
  }

  async sample(): Promise<TreeUsage | null> {
    const tree = await this.#tree;
    if (tree === null) return null;
    await tree.tracker.refresh();
    return sampleTreeUsage(tree.tracker, { clock: this.#context.clock, pss: true });
  }

  /** Nothing is left to look after. */
  async close(): Promise<void> {
    await this.#tree?.then((tree) => tree.close()).catch(() => undefined);
  }

  /** Looks no more, and leaves everything as it is. */
  async leave(): Promise<void> {
    const tree = await this.#tree?.catch(() => null);
    tree?.tracker.close();
  }

  #takeStray(identity: ProcessIdentity): WorkerProcess {
    const worker = this.#context.watch.watch(identity);
    this.take(worker);
    return worker;
  }

  #hold(worker: WorkerProcess, tree: Promise<AttemptTree>): void {
    this.#worker = Promise.resolve(worker);
    this.#tree = tree;
    tree.catch((error: unknown) => {
      const attempt = this.#parts.attempt.id;
      this.#context.logger.error({ attempt, error: String(error) }, 'an attempt cannot be supervised');
    });
    void worker.ended.then((exit) => this.#parts.onGone(exit));
  }

  get #how(): { readonly clock: Clock; readonly isUrgent: () => boolean } {
    return { clock: this.#context.clock, isUrgent: () => this.#isUrgent };
  }

  async #climb(graceMs: number, ask: (gone: Promise<unknown>) => (() => Promise<void>) | null): Promise<StopReceipt> {
    const worker = await this.#worker;
    const gone = worker?.ended ?? Promise.resolve(null);
    const polite = ask(gone);
    const options = { graceMs, ...this.#how };
    const receipt = await endTree(this.#tree, polite === null ? options : { ...options, polite });
    void Promise.race([gone, delay(this.#context.clock, UNDYING_MS)]).then(() => this.#parts.onGone(null));
    return receipt;
  }
}
