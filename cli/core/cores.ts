import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import type { ApiClient } from '../../core/host/serve/connect-local.ts';
import type { HttpServer } from '../../core/host/serve/http-server.ts';

/** A core that a command may use, in this process or in another. */
export interface CoreAccess {
  readonly client: ApiClient;
  /** Process of the core. */
  readonly pid: number;
  /** The core runs in this process; null when it is another's. */
  readonly hosted: HostedAccess | null;
  /** Resolves when the core cannot be reached any more. */
  readonly closed: Promise<void>;
  /** Leaves the core; one in this process is closed, and its workers go on unless `endAll`. */
  close(options?: { readonly endAll?: boolean }): Promise<void>;
}

/** What can be asked of a core in this process beyond its API. */
export interface HostedAccess {
  listen(input: { readonly port: number; readonly host: string }): Promise<HttpServer>;
  /** Clients connected from elsewhere. */
  clients(): number;
  /** Runs with a worker. */
  liveRuns(): number;
}

/** How a core is hosted when none runs. */
export interface OpenOptions {
  /** A person can be asked here (A1). */
  readonly attended: boolean;
  /** Work is about to be started, so workers are kept ready. */
  readonly work: boolean;
}

/** Where a command gets its core from. All failures are thrown as `Failure`. */
export interface Cores {
  /** The running core of the data folder, or one hosted here. */
  open(options: OpenOptions): Promise<CoreAccess>;
  /** The running core, or the stored rows alone. */
  openReading(): Promise<{ readonly client: ReadingClient; close(): Promise<void> }>;
  /** The running core, or null. */
  join(): Promise<CoreAccess | null>;
  /** Makes sure that a core runs in the background, and joins it. */
  joinBackground(): Promise<CoreAccess>;
  /** Starts a core in the background without waiting for it. */
  leaveToBackground(): void;
}
