import type { Result } from '../core/kit/result.ts';
import type { ApiError } from '../core/protocol/errors.ts';

/** A core in this process, as far as the desktop needs it. */
export interface LocalCore<Port> {
  /** Serves the API over one end of a message channel until that closes. */
  servePort(port: Port): void;
  close(): Promise<void>;
}

/** A core that another process hosts, as far as the desktop needs it. */
export interface RunningCore {
  /** Asks it to open its HTTP listener; the URL has the token in its fragment. */
  listen(): Promise<Result<string, ApiError>>;
  close(): Promise<void>;
}

/** How the desktop gets at a core. */
export interface CoreAccess<Port> {
  /** Takes the lock of the data folder and hosts; `home_locked` when another process holds it. */
  host(): Promise<Result<LocalCore<Port>, ApiError>>;
  /** Connects to the core of the data folder; null when none answers. */
  connect(): Promise<Result<RunningCore, ApiError> | null>;
}

/** What the window shows: our own page over a port, or the page that the running core serves (D2: one data folder, one core). */
export type DesktopCore<Port> =
  | { readonly type: 'hosted'; readonly core: LocalCore<Port> }
  | { readonly type: 'joined'; readonly core: RunningCore; readonly url: string };

/**
 * Joins the core of the data folder if one is up, else hosts one. A core that began between the two is joined after all; every other
 * failure is told as it is.
 */
export async function openCore<Port>(access: CoreAccess<Port>): Promise<Result<DesktopCore<Port>, ApiError>> {
  const running = await join(access);
  if (running !== null) return running;
  const hosted = await access.host();
  if (hosted.ok) return { ok: true, value: { type: 'hosted', core: hosted.value } };
  return (await join(access)) ?? hosted;
}

async function join<Port>(access: CoreAccess<Port>): Promise<Result<DesktopCore<Port>, ApiError> | null> {
  const running = await access.connect();
  if (running === null || !running.ok) return running;
  const url = await running.value.listen();
  if (url.ok) return { ok: true, value: { type: 'joined', core: running.value, url: url.value } };
  await running.value.close();
  return url;
}
