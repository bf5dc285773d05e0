import { type Clock, delay } from '../core/kit/clock.ts';
import { err, ok, type Result } from '../core/kit/result.ts';

/** A core that another process hosts, as far as the desktop needs it. */
export interface RunningCore {
  /** Asks it to open its HTTP listener; the URL has the token in its fragment. */
  listen(): Promise<Result<string, OpenError>>;
  close(): void;
}

/** Why there is no core; `message` is shown to the user. */
export interface OpenError {
  readonly code: string;
  readonly message: string;
}

/** How the desktop gets at a core; `Local` is one in this process. */
export interface CoreAccess<Local> {
  /** Takes the lock of the data folder and hosts; `home_locked` when another process holds it. */
  host(): Promise<Result<Local, OpenError>>;
  /** Connects to the core of the data folder; `not_running` when there is none, `starting` when it does not listen yet. */
  connect(): Promise<Result<RunningCore, OpenError>>;
  readonly clock: Clock;
}

/** What the window shows: our own page over a port, or the page that the running core serves (D2: one data folder, one core). */
export type DesktopCore<Local> =
  | { readonly type: 'hosted'; readonly core: Local }
  | { readonly type: 'joined'; readonly core: RunningCore; readonly url: string };

/** A core that is starting, or ending, is waited for so long. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 50;
const PASSES = new Set(['not_running', 'starting', 'unreachable', 'home_locked']);

/** Joins the core of the data folder if one is up, else hosts one. What does not pass by waiting is told as it is. */
export async function openCore<Local>(access: CoreAccess<Local>): Promise<Result<DesktopCore<Local>, OpenError>> {
  const { clock } = access;
  for (const deadline = clock.monotonic() + PATIENCE_MS; ; await delay(clock, LOOK_AGAIN_MS)) {
    const opened = await tryOnce(access);
    if (opened.ok || !PASSES.has(opened.error.code) || clock.monotonic() >= deadline) return opened;
  }
}

async function tryOnce<Local>(access: CoreAccess<Local>): Promise<Result<DesktopCore<Local>, OpenError>> {
  const running = await access.connect();
  if (running.ok) return join(running.value);
  if (running.error.code !== 'not_running') return running;
  const hosted = await access.host();
  return hosted.ok ? ok({ type: 'hosted', core: hosted.value }) : hosted;
}

async function join(core: RunningCore): Promise<Result<{ type: 'joined'; core: RunningCore; url: string }, OpenError>> {
  const url = await core.listen();
  if (url.ok) return ok({ type: 'joined', core, url: url.value });
  core.close();
  return err(url.error);
}
