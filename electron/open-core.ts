import { type Clock, delay } from '../core/kit/clock.ts';
import type { Result } from '../core/kit/result.ts';

/** Why there is no core; `message` is shown to the user. */
export interface OpenError {
  readonly code: string;
  readonly message: string;
}

/** How the desktop gets at a core. */
export interface CoreAccess<Core> {
  /** Takes the lock of the data folder and hosts; `home_locked` when another process holds it. */
  host(): Promise<Result<Core, OpenError>>;
  /** Connects to the core of the data folder; `not_running` when there is none, `starting` when it does not listen yet. */
  connect(): Promise<Result<Core, OpenError>>;
  readonly clock: Clock;
}

/** A core that is starting, or ending, is waited for so long. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 50;
const PASSES = new Set(['not_running', 'starting', 'unreachable', 'home_locked']);

/**
 * Joins the core of the data folder if one is up, else hosts one (D2: one data folder, one core). What does not pass by waiting is told as it is.
 */
export async function openCore<Core>(access: CoreAccess<Core>): Promise<Result<Core, OpenError>> {
  const { clock } = access;
  for (const deadline = clock.monotonic() + PATIENCE_MS; ; await delay(clock, LOOK_AGAIN_MS)) {
    const opened = await tryOnce(access);
    if (opened.ok || !PASSES.has(opened.error.code) || clock.monotonic() >= deadline) return opened;
  }
}

async function tryOnce<Core>(access: CoreAccess<Core>): Promise<Result<Core, OpenError>> {
  const running = await access.connect();
  return running.ok || running.error.code !== 'not_running' ? running : access.host();
}
