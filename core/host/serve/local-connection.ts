import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../protocol/contract.ts';
import type { RelayedPort } from './relay-port.ts';

/** The core's API, typed by the contract, over whatever transport. */
export type ApiClient = ContractRouterClient<typeof contract>;

/** A connection to the running core of a data folder. */
export interface LocalConnection {
  readonly client: ApiClient;
  /** Process of the core. */
  readonly pid: number;
  readonly version: string;
  /** Carries a window's line to the core: what comes through the port goes over a connection of its own, and back, until either ends. */
  relay(port: RelayedPort): void;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Why there is no connection. */
export interface ConnectError {
  /** `starting`: a core has the folder but does not listen yet. */
  readonly code: 'not_running' | 'starting' | 'protocol_mismatch' | 'unreachable';
  readonly message: string;
}
