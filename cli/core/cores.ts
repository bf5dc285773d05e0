import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { ListenInput } from '../../core/protocol/listen.ts';

/** A core that a command may use, in this process or in another. */
export interface CoreAccess {
  readonly client: ApiClient;
  /** Process of the core. */
  readonly pid: number;
  /** The core runs in this process; null when it is another's. */
  readonly hosted: HostedAccess | null;
  /** Resolves when the core cannot be reached any more. */
  readonly closed: Promise<void>;
  /** Leaves the core; one in this process is closed, and its workers go on. */
  close(): Promise<void>;
}

/** What can be asked of a core in this process beyond its API. */
export interface HostedAccess {
  /** Clients connected from elsewhere. */
  clients(): number;
  /** Resolves when what an earlier core has left, and what is over by now, is settled. */
  settled(): Promise<void>;
  /** Runs at work; one that waits for its user, or for the end of a pause, is not. */
  atWork(): number;
}

/** How a core is hosted when none runs. */
export interface OpenOptions {
  /** A person can be asked here (A1). */
  readonly attended: boolean;
  /** Work is about to be started, so workers are kept ready. */
  readonly work: boolean;
}

/** The web app is served: by this process, or by that of a core that ran already. */
export interface Served {
  /** In this process; null when another's serves. */
  readonly hosted: {
    /** Runs at work: without those that wait for their user. */
    atWork(): number;
    /** Rejects when the core cannot be opened after all; resolves only when it is closed. */
    readonly closed: Promise<void>;
  } | null;
  /** Resolves when a core of another process cannot be reached any more; never for one of this process. */
  readonly gone: Promise<void>;
  /** Leaves the core; one in this process is closed, and its workers go on. */
  close(): Promise<void>;
}

/** What only reads: a core, or the stored rows alone. */
export interface Reading {
  readonly client: ReadingClient;
  /** No core runs: nobody looks after what is stored. */
  readonly isStored: boolean;
  close(): Promise<void>;
}

/** Where a command gets its core from. All failures are thrown as `Failure`. */
export interface Cores {
  /** The running core of the data folder, or one hosted here. */
  open(options: OpenOptions): Promise<CoreAccess>;
  /**
   * Serves the web app by the running core of the data folder, or by one hosted here. `told` is called with the address, with the token in it, once the
   * page is there; the rest of a core that is hosted here is loaded after that.
   */
  serve(input: ListenInput, told: (url: string, pid: number) => Promise<void>): Promise<Served>;
  /** The running core, or the stored rows alone. */
  openReading(): Promise<Reading>;
  /** The running core, or null. */
  join(): Promise<CoreAccess | null>;
  /** Makes sure that a core runs in the background, and joins it. */
  joinBackground(): Promise<CoreAccess>;
  /** Starts a core in the background without waiting for it. */
  leaveToBackground(): void;
}
