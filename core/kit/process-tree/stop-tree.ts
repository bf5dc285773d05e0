import { delay } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { ProcessRef, SignalRequest } from './process-entry.ts';
import type { TreeProcess, TreeTracker, TreeView } from './tree-tracker.ts';

/** How the end of a tree is proved (C4). */
export type EndProof =
  /** Session and group are empty, nothing has the marker, no recorded descendant lives, and nothing is unaccounted for. */
  | { readonly method: 'observed'; readonly how: 'cgroup' | 'session+marker+descendants' | 'descendants' }
  /** Something that may have been part of it cannot be accounted for. */
  | { readonly method: 'unknown'; readonly reason: string }
  /** Members still run, in spite of SIGKILL. */
  | { readonly method: 'survivors' }
  /** There never was a process. */
  | { readonly method: 'not_started' };

/** The truth about a stop (C3). */
export interface StopReceipt {
  /** Members that ran when the stop began, or appeared during it, and are gone. */
  readonly ended: readonly ProcessRef[];
  readonly survivors: readonly ProcessRef[];
  readonly proof: EndProof;
}

/** Options of {@link stopTree}. */
export interface StopOptions {
  /** Milliseconds from the call to SIGKILL. */
  readonly graceMs: number;
  readonly clock: Clock;
  /**
   * Asks the tree to end by its own protocol. Resolves when it has had its chance (it reported its end, or nothing can come any more):
   * SIGTERM follows at once, and after 60 % of the grace in any case.
   */
  readonly polite?: () => Promise<void>;
  /** Once it answers true, what is left of the grace is not waited for. Looked at several times a second. */
  readonly isUrgent?: () => boolean;
}

/** The receipt of an attempt whose process never existed. */
export const notStartedReceipt: StopReceipt = { ended: [], survivors: [], proof: { method: 'not_started' } };

/** With a polite request pending, SIGTERM waits for this share of the grace, and the rest is for handlers of SIGTERM. */
const POLITE_SHARE = 0.6;

/** After SIGKILL only a process that sleeps uninterruptibly stays; 3 s is enough for slow exits of large ones. */
const KILL_LIMIT_MS = 3000;

/** An unsettled listing is repeated this often before it is believed. */
const LISTING_TRIES = 3;

/**
 * Stops a whole tree: polite request, SIGTERM to every group and member, SIGKILL after the grace, again and again until nothing is left or
 * {@link KILL_LIMIT_MS} has passed. Signals go to identities only (case 40). Never rejects: if the platform's
 * means fail the proof is `unknown`.
 */
export async function stopTree(tracker: TreeTracker, options: StopOptions): Promise<StopReceipt> {
  const ladder = new Ladder(tracker, options);
  try {
    return await ladder.run();
  } catch (error) {
    const { root, scanner } = tracker;
    // What can be done blindly: the root and its group, if the root still is the one that we started.
    const groups = [{ pgid: root.pid, anchor: root }];
    await scanner.source.signal({ signal: 'SIGKILL', processes: [root], groups });
    const text = error instanceof Error ? error.message : String(error);
    return ladder.receipt([], { method: 'unknown', reason: `the processes could not be listed: ${text}` });
  }
}

/** What was left at a normal end. */
export interface LeftoverReceipt {
  /** Processes that outlived the root, ended or not. */
  readonly background: readonly ProcessRef[];
  readonly survivors: readonly ProcessRef[];
  readonly proof: EndProof;
}

/** Ends what a tree left behind when its root ended by itself (C4). */
export async function endLeftovers(
  tracker: TreeTracker,
  options: Omit<StopOptions, 'polite'>,
): Promise<LeftoverReceipt> {
  const { ended, survivors, proof } = await stopTree(tracker, options);
  const background = [...ended, ...survivors].filter(({ pid }) => pid !== tracker.root.pid);
  return { background, survivors, proof };
}

class Ladder {
  readonly #tracker: TreeTracker;
  readonly #options: StopOptions;
  readonly #startedAt: number;
  /** Every member that ran during the stop. */
  readonly #seen = new Map<number, ProcessRef>();

  readonly #isUrgent: () => boolean;

  constructor(tracker: TreeTracker, options: StopOptions) {
    this.#tracker = tracker;
    this.#isUrgent = options.isUrgent ?? (() => false);
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
  }

  async run(): Promise<StopReceipt> {
    const { graceMs, polite } = this.#options;
    // Walk before anything ends: a shell that dies takes the link to its children with it.
    let view = await this.#look();
    if (polite !== undefined) {
      await this.#ask(polite, graceMs * POLITE_SHARE);
      view = await this.#look();
    }
    if (view.living.length > 0) {
      await this.#signal(view.living, 'SIGTERM');
      await this.#untilGone(this.#startedAt + graceMs, this.#isUrgent);
      view = await this.#look();
    }
    const killUntil = this.#options.clock.monotonic() + KILL_LIMIT_MS;
    while (view.living.length > 0 && this.#options.clock.monotonic() < killUntil) {
      await this.#tracker.cgroup?.kill();
      await this.#signal(view.living, 'SIGKILL');
      await this.#untilGone(Math.min(this.#options.clock.monotonic() + 250, killUntil));
      view = await this.#look();
    }
    const left = view.living.map(({ pid, command, startTime }) => ({ pid, command, started: startTime }));
    return this.receipt(left, this.#proof(view));
  }

  receipt(living: readonly ProcessRef[], proof: EndProof): StopReceipt {
    const alive = new Set(living.map(({ pid }) => pid));
    const ended = [...this.#seen.values()].filter(({ pid }) => !alive.has(pid));
    return { ended, survivors: [...living], proof };
  }

  #proof(view: TreeView): EndProof {
    if (view.living.length > 0) return { method: 'survivors' };
    if (view.suspects.length > 0) {
      const names = view.suspects.map(({ pid, command }) => `pid ${pid} (${command})`).join(', ');
      const reason = `started during this attempt, belongs to nothing that is known, and may have left its process tree: ${names}`;
      return { method: 'unknown', reason };
    }
    const { cgroup, scanner } = this.#tracker;
    return { method: 'observed', how: cgroup === null ? scanner.source.proof : 'cgroup' };
  }

  /** A listing; when it shows nothing although pids ended while it was made, another. */
  async #look(): Promise<TreeView> {
    let view = await this.#tracker.refresh();
    for (let tries = 1; tries < LISTING_TRIES && view.living.length === 0 && !view.settled; tries += 1) {
      view = await this.#tracker.refresh();
    }
    for (const { pid, command } of view.living) this.#seen.set(pid, { pid, command });
    return view;
  }

  /** Makes the polite request and waits for it, the end of all recorded processes, or the time. */
  async #ask(polite: () => Promise<void>, limitMs: number): Promise<void> {
    let settled = false;
    const settle = (): void => {
      settled = true;
    };
    // A request that fails has had its chance too; the signals follow.
    void polite().then(settle, settle);
    await this.#untilGone(this.#startedAt + limitMs, () => settled || this.#isUrgent());
  }

  /** Waits until no recorded process runs, in growing steps, or `until` (monotonic). */
  async #untilGone(until: number, enough: () => boolean = () => false): Promise<void> {
    const { clock } = this.#options;
    for (let step = 5; !enough(); step = Math.min(step * 1.5, 100)) {
      if ((await this.#tracker.stillLiving()).length === 0) return;
      const left = until - clock.monotonic();
      if (left <= 0) return;
      await delay(clock, Math.min(step, left));
    }
  }

  async #signal(living: readonly TreeProcess[], signal: SignalRequest['signal']): Promise<void> {
    await this.#tracker.scanner.source.signal({ signal, processes: living, groups: this.#tracker.ledGroups(living) });
  }
}
