import type { ContractRouterClient } from '@orpc/contract';
import { isSameProcess } from '../../kit/process-tree/host-processes.ts';
import { err, type Result } from '../../kit/result.ts';
import type { contract } from '../../protocol/contract.ts';
import { readCoreInfo, type CoreInfo } from '../../registry/lock/core-info.ts';
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

/**
 * Connects to the running core of a data folder as a client and compares protocol versions (D2, case 55). That nothing
 * runs there is an expected answer, also when a core that was killed left its `core.json` behind.
 */
export async function connectLocal(home: string, name: string): Promise<Result<LocalConnection, ConnectError>> {
  const info = readCoreInfo(home);
  if (info === null) return err({ code: 'not_running', message: `No core runs on ${home}.` });
  const { apiSocket } = info;
  if (apiSocket === null) {
    // One that was killed while it started left this word, which nobody takes back.
    if (!(await isAlive(info))) return err({ code: 'not_running', message: `No core runs on ${home}.` });
    const why = info.obstacle === undefined ? '' : ` ${info.obstacle}`;
    return err({ code: 'starting', message: `The core on ${home} is still starting.${why}` });
  }
  // Only where a core runs: who starts one does not pay for it.
  const { connectSocket } = await import('./connect-socket.ts');
  return connectSocket(home, apiSocket, name);
}

/** False only where it is known: a system that cannot tell processes with one pid apart leaves it open. */
async function isAlive({ pid, startTime }: CoreInfo): Promise<boolean> {
  return startTime === null || (await isSameProcess({ pid, startTime }));
}
