import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { StopReason } from '../../runners/contract.ts';

const TICK_MS = 1000;

/** R7: a tick that comes more than three periods late was frozen time. */
const FROZEN_AFTER_MS = 3 * TICK_MS;

/** Not shorter, so that a limit that has just passed is not looked at in a busy loop. */
const MIN_TICK_MS = 10;

/** From the nudge to `stalled`, seconds (R7). */
const STALL_SECONDS = 120;

/** Seconds. */
export interface ActivityLimits {
  readonly timeout_seconds: number | null;
  readonly idle_seconds: number;
  readonly tool_idle_seconds: number;
  /** For so long an open model request counts as activity: local models may be silent for long. */
  readonly open_request_seconds: number;
}

/** What the monitor finds. */
export interface ActivityFindings {
  /** Nothing happened for so many seconds; told once until something happens. */
  idle(seconds: number): void;
  /** After that something happens again. */
  awake(): void;
  /** The run is to end. */
  over(reason: Exclude<StopReason, 'stop'>): void;
}

/**
 * Measures the active time of a run and watches its limits (R7). Time in which the run was `running` counts, or waited for what the lifecycle table
 * counts, and no time in which the process was frozen (sleep, SIGSTOP, B45): that shows in a tick that comes late.
 */
export class ActivityMonitor {
  readonly #clock: Clock;
  readonly #limits: ActivityLimits;
  readonly #findings: ActivityFindings;
  readonly #inTool: () => boolean;
  #active = true;
  #waits = false;
  #activeMs = 0;
  #idleMs = 0;
  #last: number;
  #due: number;
  #touched = false;
  /** Active time since the model request was opened; null while none is. */
  #requestMs: number | null = null;
  #nudged = false;
  #over = false;
  #cancel: CancelTimer = () => undefined;

  constructor(options: { clock: Clock; limits: ActivityLimits; findings: ActivityFindings; inTool: () => boolean }) {
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#findings = options.findings;
    this.#inTool = options.inTool;
    this.#last = options.clock.monotonic();
    this.#due = this.#last;
    this.#schedule();
  }

  /** Something happened: a byte from model, agent or tool. */
  touch(): void {
    this.#touched = true;
  }

  /** Whether time counts from now on, and whether the run waits: then nothing is expected to happen, though its time may go on (a provider's limit). */
  setActive(active: boolean, waits = !active): void {
    this.#settle();
    this.#active = active;
    this.#waits = waits;
    this.#touched = true;
  }

  /** A model request was opened or has ended. */
  setRequestOpen(open: boolean): void {
    this.#settle();
    this.#requestMs = open ? 0 : null;
    this.#touched = true;
  }

  activeSeconds(): number {
    this.#settle();
    return this.#activeMs / 1000;
  }

  close(): void {
    this.#over = true;
    this.#cancel();
  }

  #settle(): void {
    const now = this.#clock.monotonic();
    const passed = now - this.#last;
    this.#last = now;
    if (now - this.#due > FROZEN_AFTER_MS || !this.#active) return;
    this.#activeMs += passed;
    this.#idleMs += passed;
    if (this.#requestMs !== null) this.#requestMs += passed;
  }

  #schedule(): void {
    const timeoutMs = (this.#limits.timeout_seconds ?? Number.POSITIVE_INFINITY) * 1000;
    const wait = Math.max(MIN_TICK_MS, Math.min(TICK_MS, timeoutMs - this.#activeMs));
    // From the time that was counted last: a process that is frozen right here was frozen all the same.
    this.#due = this.#last + wait;
    this.#cancel = this.#clock.after(wait, () => this.#tick());
  }

  #tick(): void {
    this.#settle();
    if (this.#touched || this.#waits || this.#awaitsModel()) this.#isAlive();
    this.#touched = false;
    this.#judge();
    if (!this.#over) this.#schedule();
  }

  #awaitsModel(): boolean {
    return this.#requestMs !== null && this.#requestMs < this.#limits.open_request_seconds * 1000;
  }

  #isAlive(): void {
    this.#idleMs = 0;
    if (!this.#nudged) return;
    this.#nudged = false;
    this.#findings.awake();
  }

  #judge(): void {
    const { timeout_seconds, idle_seconds, tool_idle_seconds } = this.#limits;
    if (timeout_seconds !== null && this.#activeMs >= timeout_seconds * 1000) return this.#end('deadline');
    const idleLimit = this.#inTool() ? tool_idle_seconds : idle_seconds;
    const idle = this.#idleMs / 1000;
    if (idle >= idleLimit + STALL_SECONDS) return this.#end('stalled');
    if (idle < idleLimit || this.#nudged) return;
    this.#nudged = true;
    this.#findings.idle(Math.round(idle));
  }

  #end(reason: Exclude<StopReason, 'stop'>): void {
    this.#over = true;
    this.#findings.over(reason);
  }
}
